"""The agent that searches: against exhaustive expectimax, in worlds with many observations, and when rules fail."""

import gc
import math
from random import Random

import numpy as np
import pytest

import walkon
from untabled_worlds import Doors, Lamp, Walk
from walkon import InputError, Percept
from walkon.agents import search
from walkon.agents.planning import plan
from walkon.agents.tracking import Tracking


def expectimax(library, belief, depth):
    """The value of each action, [A], from weights of (task, state), over all actions and observations."""
    A, total, values = library.action_count, sum(belief.values()), []
    for a in range(A):
        earned, branches = 0.0, {}
        for (k, x), w in belief.items():
            task = library[k]
            for y, p, r in task.simulator.outcomes(x, a):
                earned += w * p * r
                if not task.is_solved(y):
                    for z, q in task.outline.sensor(task.outline.actions[a], y):
                        branch = branches.setdefault(z, {})
                        branch[k, y] = branch.get((k, y), 0.0) + w * p * q * task.discount
        if depth > 1:
            earned += sum(sum(b.values()) * max(expectimax(library, b, depth - 1)) for b in branches.values())
        values.append(earned / total)
    return values


def lamps(**changes):
    tasks = [Lamp("on"), Lamp("off")]
    for task in tasks:
        vars(task).update(changes)
    return tasks


def weights(agent, memory):
    return {(k, x): w for k, x, w in agent._belief(memory)}


@pytest.mark.parametrize("advice", [True, False])
@pytest.mark.parametrize("discounts", [(0.9, 0.9), (0.9, 0.5)])
def test_values_become_those_of_exhaustive_expectimax(advice, discounts):
    tasks = lamps(**({} if advice else {"advice": None}))
    for task, discount in zip(tasks, discounts, strict=True):
        task.discount = discount
    library = walkon.define(tasks, tables=False)
    agent = walkon.agent("search", library, simulations=6000, depth=3)
    memory = agent.start()
    for _ in range(3):
        exact = expectimax(library, weights(agent, memory), 3)
        found = agent.plan(memory)
        assert found.values[found.action] == pytest.approx(max(exact), abs=0.04)
        assert exact[found.action] == pytest.approx(max(exact), abs=0.02)
        memory = agent.update(memory, found.action, Percept(observation=("dark", 0)))


def test_what_it_may_learn_is_part_of_the_plan():
    library = walkon.define([Doors(2, 0), Doors(2, 1)], tables=False)
    agent = walkon.agent("search", library, simulations=6000, depth=3)
    exact = expectimax(library, weights(agent, agent.start()), 3)
    found = agent.plan(agent.start())
    assert library.actions[int(np.argmax(exact))] == library.actions[found.action] == "look"
    assert found.values[found.action] == pytest.approx(max(exact), abs=0.2)


def test_a_library_with_tables_is_searched_too():
    tasks = lamps(advice=None)
    tabled, untabled = walkon.define(tasks), walkon.define(tasks, tables=False)
    one, two = (walkon.agent("search", each, simulations=4000, depth=4) for each in (tabled, untabled))
    first, second = one.plan(one.start()), two.plan(two.start())
    assert first.action == second.action  # tables also have values for what comes after these steps


@pytest.mark.parametrize("bits", [1, 20])
def test_it_looks_where_looking_pays_whatever_the_number_of_observations(bits):
    """One number is worth nothing, because the best door stays the best; twenty are."""
    library = walkon.define([Doors(bits, 0), Doors(bits, 1)], tables=False)
    agent = walkon.agent("search", library, simulations=600, depth=4)
    assert library.actions[agent.plan(agent.start()).action] == "look"  # the task is not known: half and half
    alone = walkon.define([Doors(bits, 0)], tables=False)
    agent = walkon.agent("search", alone, simulations=2000, depth=4)
    p = 0.65
    gain = {1: 0.0, 20: _gain(20, 0.8, p)}[bits]
    assert (gain > 0) == (bits == 20)
    assert alone.actions[agent.plan(agent.start()).action] == ("look" if bits == 20 else "open 0")


def _gain(n, prior, p):
    """What one look of n numbers is worth before opening, at a price of 0.5 and a discount of 0.95."""
    right = 0.0
    for ones in range(n + 1):
        zero = prior * math.comb(n, ones) * (1 - p) ** ones * p ** (n - ones)
        one = (1 - prior) * math.comb(n, ones) * p**ones * (1 - p) ** (n - ones)
        right += max(zero, one)
    return 0.95 * 10 * (2 * right - 1) - 0.5 - 10 * (2 * prior - 1)


def test_it_helps_in_a_walk_that_has_no_end():
    library = walkon.define([Walk(6), Walk(-6)], tables=False)
    agents = [walkon.agent("search", library, simulations=30, particles=100), walkon.agent("random", library)]
    steps = [
        np.mean([walkon.play(library[s % 2], agent, seed=s, stop=True, horizon=40).steps for s in range(6)])
        for agent in agents
    ]
    assert steps[0] < steps[1]


def test_equal_memories_give_equal_decisions_whatever_was_called_before():
    library = walkon.define(lamps(), tables=False)
    one, two = (walkon.agent("search", library, simulations=50, seed=5) for _ in range(2))
    memory = one.update(one.start(), 0, Percept(observation=("dark", 0)))
    first = one.plan(memory)
    two.plan(two.start())
    assert two.plan(memory) == first == one.plan(memory)
    assert one.act(memory).tolist() == np.eye(2)[first.action].tolist()
    assert walkon.agent("search", library, simulations=50, seed=6).plan(memory) != first


def test_a_budget_of_time_ends_the_search():
    library = walkon.define(lamps(), tables=False)
    agent = walkon.agent("search", library, seconds=1e-9)
    assert agent.plan(agent.start()).simulations == 1


@pytest.mark.parametrize("cost", [0.0, 1e-3, 0.01])
def test_a_budget_of_time_ends_it_in_the_middle_of_a_simulation_where_rules_are_slow(cost, monkeypatch):
    """By a clock that the rules move: a walk of 30 steps would take several times the budget."""
    clock = [0.0]

    class Slow(Walk):
        def solved(self, x):
            clock[0] += cost
            return super().solved(x)

    library = walkon.define([Slow(100)], tables=False)
    agent = walkon.agent("search", library, seconds=0.1, depth=200)
    memory = agent.start()

    def looked_at():
        clock[0] += 1e-5  # what is kept of the rules costs nothing more
        return clock[0]

    monkeypatch.setattr(search, "perf_counter", looked_at)
    clock[0] = 0.0
    found = agent.plan(memory)
    assert sum(found.visits) >= 1
    assert 0.1 <= clock[0] <= 0.12


@pytest.mark.parametrize("frozen", [False, True])
def test_garbage_is_not_looked_for_among_old_objects_in_a_search(frozen):
    """What an application put aside itself stays there, and nothing else does, also after an error."""
    counts = []

    class Counting(Lamp):
        def moves(self, x, a, b):
            counts.append(gc.get_freeze_count())
            if len(counts) > 3:
                raise KeyError("a bug")
            return super().moves(x, a, b)

    agent = walkon.agent("search", walkon.define([Counting("on")], tables=False), simulations=50)
    memory = agent.start()
    try:
        if frozen:
            gc.freeze()
        with pytest.raises(InputError):
            agent.act(memory)
        assert min(counts[:3]) > 0
        assert (gc.get_freeze_count() > 0) == frozen
    finally:
        gc.unfreeze()


@pytest.mark.parametrize("word", ["moves", "sensor", "reward", "solved", "teammates", "advice"])
def test_a_rule_that_fails_in_a_search_ends_it_with_the_call_and_the_line(word):
    class Broken(Lamp):
        def solved(self, x):
            return False

    def rule(self, *arguments):
        x = arguments[-1] if word in ("sensor", "reward") else arguments[0]
        if x[1] == 3:
            raise KeyError("a bug")
        return getattr(Lamp, word)(self, *arguments) if hasattr(Lamp, word) else False

    setattr(Broken, word, rule)
    library = walkon.define([Broken("on")], tables=False)
    agent = walkon.agent("search", library, simulations=500, depth=8)
    with pytest.raises(InputError, match=rf"on: {word}\(.*3\).* failed with KeyError: 'a bug' \(test_search.py, line"):
        agent.act(agent.start())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"simulations": 0}, "simulations is 0, expected a whole number from 1 on"),
        ({"seconds": -1}, "seconds is -1, expected a positive number"),
        ({"depth": 1.5}, "depth is 1.5, expected a whole number from 1 on"),
        ({"budget": 10}, "search has no option 'budget'"),
        ({"particles": 0}, "particles is 0, expected a whole number from 1 on"),
        ({"hazard": 1.1}, "hazard is 1.1"),
        ({"alarm": 0.05}, "an alarm keeps its promise only where every likelihood is exact, which takes tables"),
    ],
)
def test_bad_options_are_refused(options, said):
    with pytest.raises(InputError, match=said):
        walkon.agent("search", walkon.define(lamps(), tables=False), **options)


def test_particles_are_for_libraries_without_tables():
    with pytest.raises(InputError, match="the library has tables, so beliefs are exact"):
        walkon.agent("search", walkon.define(lamps()), particles=10)


@pytest.mark.parametrize("name", ["bayes", "bopa", "value-iteration", "atpo-search", "perseus"])
def test_agents_that_need_tables_say_so(name):
    library = walkon.define(lamps(), tables=False)
    with pytest.raises(InputError, match=f'{name} needs tables, and the library has none: .*"search"'):
        walkon.agent(name, library, task=0 if name in ("value-iteration", "perseus") else None)


def test_atpo_mixes_the_advice_by_what_it_believes():
    library = walkon.define(lamps(), tables=False)
    agent = walkon.agent("atpo", library)
    memory = agent.update(agent.start(), 0, Percept(observation=("bright", 0)))
    press = sum(
        p * sum(w for x, w in states.items() if x[0] != task.outline.written.wanted)
        for p, states, task in zip(memory.tasks, memory.states, library, strict=True)
    )
    assert agent.act(memory) == pytest.approx([press, 1 - press])
    with pytest.raises(InputError, match=r"atpo follows advice where there are no tables, .* give it .*advice\(x\)"):
        walkon.agent("atpo", walkon.define(lamps(advice=None), tables=False))


def test_the_luck_of_a_plan_is_an_argument():
    library = walkon.define(lamps(), tables=False)
    tracking = Tracking(library)
    belief = [(0, ("on", 0), 1.0)]
    found = plan(tracking.simulators, belief, Random(1).random, depth=2, explore=1.0, more=lambda done: done < 10)
    assert sum(found.visits) == found.simulations == 10
    assert found.steps == 20
