"""The compiled search: against exhaustive expectimax, against the engine in plain Python, and its budget."""

from dataclasses import fields, replace
from functools import cached_property

import numpy as np
import pytest

import walkon
from untabled_worlds import Lamp
from walkon import Percept
from walkon.agents import effort
from walkon.agents.effort import Effort
from walkon.agents.memory import remember
from walkon.agents.tree import TreeSearch
from walkon.domains.night_pursuit.untabled import NightTask
from walkon.formats import check
from walkon.solvers.upper_bounds import FastInformedBound
from walkon.tasks.table_rules import table_rules


def leaf(belief, tables):
    """The value of joint weights [K] of [X] at the end: of the best single action, less what it costs not to know."""
    if tables is None:
        return 0.0
    best = max(sum(b @ q for b, q in zip(belief, tables, strict=True)))
    known = sum(float(b @ q.max(axis=1)) for b, q in zip(belief, tables, strict=True))
    return best - Effort().doubt * (known - best)


def expectimax(library, tables, belief, depth):
    """The value of each action from weights [K] of [X], over all actions and observations."""
    values, total = [], sum(b.sum() for b in belief)
    for a in range(library.action_count):
        earned = sum(float(b @ task.pomdp.R[:, a]) for b, task in zip(belief, library, strict=True))
        moved = [task.discount * (b @ task.pomdp.P[a]) for b, task in zip(belief, library, strict=True)]
        for z in range(library[0].pomdp.O[a].shape[1]):
            seen = [b * task.pomdp.O[a][:, [z]].toarray().ravel() for b, task in zip(moved, library, strict=True)]
            if (chance := sum(b.sum() for b in seen)) > 0:
                later = leaf(seen, tables) if depth == 1 else chance * max(expectimax(library, tables, seen, depth - 1))
                earned += later
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


def test_without_values_they_become_those_of_what_is_earned_within_the_depth():
    library = walkon.define([Lamp("on"), Lamp("off")])
    rules = [replace(table_rules(task, np.zeros(task.pomdp.R.shape)), values=None) for task in library]
    agent = walkon.agent("search", library, simulations=1)
    memory = agent.start()
    for observation in (0, 1):
        belief = [p * b for p, b in zip(memory.tasks, memory.states, strict=True)]
        exact = expectimax(library, None, belief, 3)
        effort = Effort(simulations=60_000, depth=3, explore=1.0)
        found = TreeSearch(tuple(rules)).grow(*agent._particles(memory), effort, 7)
        assert found.values[found.action] == pytest.approx(max(exact), abs=0.05)
        assert exact[found.action] == pytest.approx(max(exact), abs=0.02)
        memory = agent.update(memory, found.action, Percept(observation=observation))


class Silent(NightTask):
    """A task whose rules do not say what actions are worth."""

    advice = None

    @cached_property
    def compiled(self):
        return replace(super().compiled, values=None)


@pytest.mark.parametrize("size", [3, 11])
def test_without_values_it_searches_by_random_actions(size):
    """In rooms that are planned in whole plans, too."""
    tasks = walkon.make("night-pursuit", size=size, tasks=2, tables=False)
    written = [task.outline.written for task in tasks]
    library = walkon.define([Silent(*(getattr(w, f.name) for f in fields(w))) for w in written], tables=False)
    agent = walkon.agent("search", library, simulations=400, particles=500)
    found = agent.plan(agent.start())
    assert found.steps > 10 * found.simulations  # most are those of random actions
    assert sum(found.visits) == 400
    with pytest.raises(walkon.InputError, match="atpo follows advice where there are no tables"):
        walkon.agent("atpo", library)
    said = [doubt.message for doubt in check._walked(library[0]).doubts]
    assert "no compiled `values`: search tries actions at random beyond its tree" in said


def test_a_rover_without_values_is_searched_in_a_tree_of_particles():
    library = walkon.make("rock-sample", size=3, rocks=2, tables=False)
    rules = replace(library[0].compiled, values=None)
    agent = walkon.agent("search", library, simulations=1)
    found = TreeSearch((rules,)).grow(*agent._particles(agent.start()), Effort(simulations=3000, depth=8), 3)
    east, sample = (library.actions.index(each) for each in ("east", "sample"))
    assert found.values[east] > found.values[sample]  # there is no rock


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


def test_a_chase_is_planned_in_exact_beliefs():
    library = walkon.make("tag", tables=False)
    agent = walkon.agent("search", library, simulations=500)
    assert agent.start().kinds == ("factored",)
    episode = walkon.play(library[0], agent, seed=1, stop=True)
    assert episode.solved


def factored(library, rows, depth):
    """The value of each action, exactly, from weights of (task, belief): over all observations, to a depth."""
    values, luck = np.zeros(library.action_count), np.zeros(1, dtype=np.uint64)
    total = sum(w for _, _, w in rows)
    for a in range(library.action_count):
        branches = {}
        for k, x, w in rows:
            rules, y = library[k].compiled, np.empty_like(x)
            numbers = rules.facts, rules.reals
            values[a] += w * rules.step(a, *numbers, x, y, luck)
            ys, ps = np.empty((64, len(x)), dtype=np.int64), np.empty(64)
            for i in range(rules.outcomes(a, *numbers, x, ys, ps)):
                if ps[i] > 0 and not rules.ends(*numbers, ys[i]):
                    z = np.empty(1, dtype=np.int64)
                    rules.observe(a, *numbers, ys[i], z, luck)
                    branches.setdefault(int(z[0]), []).append((k, ys[i].copy(), w * ps[i] * rules.discount))
        for each in branches.values():
            v = np.zeros(library.action_count)
            if depth > 1:
                v = factored(library, each, depth - 1) * sum(w for _, _, w in each)
            else:
                for k, x, w in each:
                    known = np.empty(library.action_count)
                    library[k].compiled.values(library[k].compiled.facts, library[k].compiled.reals, x, known)
                    v += w * known
            values[a] += v.max()
    return values / total


@pytest.mark.parametrize(
    ("world", "options", "way"),
    [
        ("tag", {}, ("south", 7)),
        ("rock-sample", {"size": 3, "rocks": 2}, ("check 1", 0)),
        ("rock-sample", {"size": 3, "rocks": 1, "tasks": 2}, ("check 0", 1)),
        ("tag", {"tasks": 3}, ("east", 29)),
    ],
)
def test_values_in_exact_beliefs_become_those_of_exhaustive_expectimax(world, options, way):
    """For one task and for several, from the start and after an observation; at the end, the values of the rules."""
    library = walkon.make(world, tables=False, **options)
    agent = walkon.agent("search", library, simulations=20_000, depth=3)
    memory = agent.start()
    for _ in range(2):
        rows = [
            (k, row, p * w)
            for k, p in enumerate(memory.tasks.tolist())
            for row, w in zip(memory.beliefs[k].rows, memory.beliefs[k].weights, strict=True)
        ]
        exact, found = factored(library, rows, 3), agent.plan(memory)
        assert found.values[found.action] == pytest.approx(exact.max(), abs=1e-6)
        assert exact[found.action] == pytest.approx(exact.max(), abs=0.01)
        memory = agent.update(memory, way[0], Percept(way[1]))


@pytest.mark.parametrize(("world", "options"), [("rock-sample", {"size": 5, "rocks": 5}), ("tag", {})])
def test_equal_beliefs_give_equal_decisions(world, options):
    library = walkon.make(world, tables=False, **options)
    one, two = (walkon.agent("search", library, simulations=300) for _ in range(2))
    memory = one.update(one.start(), 1, Percept(2 if world == "rock-sample" else 5))
    first = one.plan(memory)
    two.plan(two.start())
    for again in (two.plan(memory), one.plan(memory)):
        assert again._replace(values=()) == first._replace(values=())
        assert np.array_equal(again.values, first.values, equal_nan=True)


@pytest.mark.parametrize("cost", [1e-8, 1e-6, 1e-4, 3e-3, 0.04, 0.5])
def test_a_time_is_spent_in_portions_that_do_not_exceed_it(cost, monkeypatch):
    """By a clock that simulations move: most of the time is used, and no more, unless the first takes longer."""
    clock, done = [7.0], []

    def simulate(count):
        clock[0] += count * cost
        done.append(count)
        return count

    monkeypatch.setattr(effort, "perf_counter", lambda: clock[0])
    effort.Effort(seconds=0.1).spend(simulate, 7.0)
    assert clock[0] - 7.0 <= max(0.1, cost)
    assert clock[0] - 7.0 >= 0.1 - 2 * cost - 1e-6
    assert sum(done) >= 1


def test_a_search_whose_tree_is_full_ends():
    done = []
    effort.Effort(seconds=1e9).spend(lambda count: done.append(count) or count - (len(done) == 5), 0.0)
    assert len(done) == 5


def test_a_time_is_a_budget_of_every_engine():
    for world, options in (("night-pursuit", {"size": 3, "tasks": 1}), ("tag", {})):
        library = walkon.make(world, tables=False, **options)
        agent = walkon.agent("search", library, seconds=0.02)
        assert agent.plan(agent.start()).simulations >= 1


def test_tasks_that_discount_differently_are_searched_in_plain_python():
    one, two = Lamp("on"), Lamp("off")
    two.discount = 0.5
    assert walkon.agent("search", walkon.define([one, two])).tree is None
