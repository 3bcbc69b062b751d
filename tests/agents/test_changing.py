"""A task that may change, without tables: the posterior of tables, and that of a sum over all chains of tasks."""

from itertools import product

import numpy as np
import pytest

import walkon
from untabled_worlds import Lamp, Walk
from walkon import InputError, Percept

STEPS = [("wait", ("dark", 0)), ("press", ("bright", 0)), ("wait", ("bright", 1)), ("wait", ("dark", 0))]


@pytest.mark.parametrize("hazard", [0.05, 0.6, 1.0])
def test_beliefs_are_those_of_tables(hazard):
    tasks = [Lamp("on"), Lamp("off"), Lamp("on", 0.1)]
    tasks[2].name = "clear"
    tabled, untabled = walkon.define(tasks), walkon.define(tasks, tables=False)
    one, two = (walkon.agent("search", library, simulations=1, hazard=hazard) for library in (tabled, untabled))
    first, second = one.start(), two.start()
    for action, (light, late) in STEPS:
        first = one.update(first, action, Percept(tabled.observations.index(f"({light}, {late})")))
        second = two.update(second, action, Percept((light, late)))
        assert second.tasks == pytest.approx(first.tasks, abs=1e-12)
        assert second.likelihood == pytest.approx(first.likelihood, abs=1e-12)
        for k, (array, known) in enumerate(zip(first.states, second.states, strict=True)):
            named = {f"({lamp}, {n})": p for (lamp, n), p in known.items()}
            assert [named.get(name, 0.0) for name in tabled[k].states] == pytest.approx(array, abs=1e-12)
    assert set(second.kinds) == {"exact"}


@pytest.mark.parametrize("world", ["night-pursuit", "tag"])
def test_compiled_rules_change_as_tables_do(world):
    size = {"size": 3, "tasks": 3} if world == "night-pursuit" else {"tasks": 2}
    tabled, untabled = (walkon.make(world, tables=tables, **size) for tables in (True, False))
    one, two = (walkon.agent("search", library, simulations=1, hazard=0.1) for library in (tabled, untabled))
    episode = walkon.play(tabled[0], walkon.agent("random", tabled), seed=1, horizon=6)
    first, second = one.start(), two.start()
    for action, z in zip(episode.actions.tolist(), episode.observations.tolist(), strict=True):
        seen = tabled[0].observation_numbers[z].tolist()
        first = one.update(first, action, Percept(z))
        second = two.update(second, action, Percept(tuple(seen) if world == "night-pursuit" else seen[0]))
        assert second.tasks == pytest.approx(first.tasks, abs=1e-9)


def test_where_states_differ_a_new_task_begins_anew():
    library = walkon.define([Lamp("on"), Lamp("off")], tables=False)
    mixed = walkon.define([Lamp("on"), type("Other", (Lamp,), {})("off")], tables=False)
    beliefs = []
    for each in (library, mixed):
        agent = walkon.agent("search", each, simulations=1, hazard=0.2)
        memory = agent.start()
        for action, z in STEPS:
            memory = agent.update(memory, action, Percept(z))
        beliefs.append(memory.tasks[0])
    assert beliefs[1] == pytest.approx(_by_chains(mixed, 0.2), abs=1e-12)
    assert abs(beliefs[0] - beliefs[1]) > 1e-3


def _by_chains(library, hazard):
    """The posterior of task 0 by the sum over all chains of tasks, each new task from its start."""
    totals = np.zeros(2)
    for chain in product(range(2), repeat=len(STEPS) + 1):
        weight, states = 0.5, dict(library[chain[0]].simulator.start())
        for before, k, (action, z) in zip(chain[:-1], chain[1:], STEPS, strict=True):
            weight *= 1 - hazard if k == before else hazard
            rules = library[k].simulator
            if k != before:
                states = {x: p * sum(states.values()) for x, p in rules.start()}
            after = {}
            for x, p in states.items():
                for y, q, _ in rules.outcomes(x, library.actions.index(action)):
                    after[y] = after.get(y, 0.0) + p * q * np.exp(rules.log_likelihood(0, y, z))
            states = after
        totals[chain[-1]] += weight * sum(states.values())
    return totals[0] / totals.sum()


def test_particles_change_too_and_a_bad_rate_is_refused():
    library = walkon.define([Walk(4), Walk(-4)], tables=False)
    agent = walkon.agent("atpo", library, hazard=0.1, particles=4)
    memory = agent.start()
    for _ in range(8):
        memory = agent.update(memory, "left", Percept(0))
    assert memory.tasks.sum() == pytest.approx(1)
    assert max(map(len, memory.states)) <= 4
    with pytest.raises(InputError, match="hazard is 2"):
        walkon.agent("atpo", library, hazard=2)
