"""The compiled search: against exhaustive expectimax, against the engine in plain Python, and its budget."""

from itertools import pairwise

import numpy as np
import pytest

import walkon
from untabled_worlds import Lamp
from walkon import Percept
from walkon.agents.memory import remember
from walkon.agents.tree import within
from walkon.solvers.upper_bounds import FastInformedBound


def expectimax(library, tables, belief, depth):
    """The value of each action from weights [K] of [X], over all actions and observations; at the end, the tables'."""
    values, total = [], sum(b.sum() for b in belief)
    for a in range(library.action_count):
        earned = sum(float(b @ task.pomdp.R[:, a]) for b, task in zip(belief, library, strict=True))
        moved = [task.discount * (b @ task.pomdp.P[a]) for b, task in zip(belief, library, strict=True)]
        if depth == 1:
            earned += sum(float(b @ q.max(axis=1)) for b, q in zip(moved, tables, strict=True))
        else:
            for z in range(library[0].pomdp.O[a].shape[1]):
                seen = [b * task.pomdp.O[a][:, [z]].toarray().ravel() for b, task in zip(moved, library, strict=True)]
                if (chance := sum(b.sum() for b in seen)) > 0:
                    earned += chance * max(expectimax(library, tables, seen, depth - 1))
        values.append(earned / total)
    return values


def test_values_become_those_of_exhaustive_expectimax():
    library = walkon.define([Lamp("on"), Lamp("off")])
    tables = [FastInformedBound(epsilon=1e-9).solve(task.pomdp).policy.columns for task in library]
    agent = walkon.agent("search", library, simulations=60_000, depth=3)
    memory = agent.start()
    for observation in (0, 1):
        belief = [p * b for p, b in zip(memory.tasks, memory.states, strict=True)]
        exact, found = expectimax(library, tables, belief, 3), agent.plan(memory)
        assert found.values[found.action] == pytest.approx(max(exact), abs=0.05)
        assert exact[found.action] == pytest.approx(max(exact), abs=0.02)
        memory = agent.update(memory, found.action, Percept(observation=observation))


def test_tables_and_compiled_rules_are_searched_alike():
    plans = []
    for tables in (True, False):
        library = walkon.make("night-pursuit", size=3, tasks=2, tables=tables)
        agent = walkon.agent("search", library, simulations=30_000)
        plans.append(agent.plan(agent.start()))
    assert max(plans[0].values) == pytest.approx(max(plans[1].values), abs=3)


def test_equal_memories_give_equal_decisions_and_seeds_differ():
    library = walkon.make("night-pursuit", size=3, tasks=2, tables=False)
    one, two, other = (walkon.agent("search", library, simulations=500, seed=s) for s in (1, 1, 2))
    memory = one.update(one.start(), 0, Percept(observation=(0, 0, 0, 0)))
    first = one.plan(memory)
    one.act(one.start())
    assert one.plan(memory) == two.plan(memory) == first
    assert other.plan(memory).values != first.values


def test_what_is_over_does_not_matter():
    library = walkon.make("night-pursuit", size=3, tasks=1)
    agent = walkon.agent("search", library, simulations=2000)
    memory, task = agent.start(), library[0]
    x = int(np.flatnonzero(~task.solved)[5])
    states = np.where(task.solved, 0.499, 0.0)
    states[x] = 0.002
    unsure, sure = (remember(memory.tasks, [b], of=memory.of) for b in (states, np.eye(len(states))[x]))
    assert agent.plan(unsure).values == pytest.approx(agent.plan(sure).values, abs=1.5)


@pytest.mark.parametrize("tables", [True, False])
def test_it_solves_the_night(tables):
    library = walkon.make("night-pursuit", size=3, tasks=2, tables=tables)
    agent = walkon.agent("search", library, simulations=500)
    episodes = [walkon.play(library[i % 2], agent, seed=i, stop=True) for i in range(10)]
    assert all(episode.solved for episode in episodes)
    assert np.mean([episode.steps for episode in episodes]) < 12


def test_a_rover_finds_out_which_rocks_are_good():
    library = walkon.make("rock-sample", size=4, rocks=4, tables=False)
    agent = walkon.agent("search", library, simulations=400)
    returns = [walkon.play(library[0], agent, seed=i, stop=True).ret for i in range(12)]
    assert np.mean(returns) > 16.5  # leaving at once pays 8.1; with bounds four times as wide it earns 15


def test_a_chase_takes_bundles_of_particles_along():
    library = walkon.make("tag", tables=False)
    agent = walkon.agent("search", library, simulations=500)
    assert agent.tree.rules[0].bundle > 1
    episode = walkon.play(library[0], agent, seed=1, stop=True)
    assert episode.solved


def test_a_time_is_spent_in_portions():
    portions = []
    within(0.01, portions.append)
    assert portions[0] == 64
    assert all(64 <= portion <= 2 * before for before, portion in pairwise(portions))
    library = walkon.make("night-pursuit", size=3, tasks=1, tables=False)
    agent = walkon.agent("search", library, seconds=0.02)
    assert agent.plan(agent.start()).simulations >= 64


def test_tasks_that_discount_differently_are_searched_in_plain_python():
    one, two = Lamp("on"), Lamp("off")
    two.discount = 0.5
    assert walkon.agent("search", walkon.define([one, two])).tree is None
