"""Compiled rules of the shipped worlds against the same rules in plain Python, and against tables."""

from random import Random

import numpy as np
import pytest

import walkon
from walkon.agents.array_belief import rows_of
from walkon.domains.night_pursuit.pool import pool
from walkon.domains.rock_sample import rules_kernels
from walkon.domains.tag import rules_kernels as tag_kernels
from walkon.models.luck_kernels import uniform
from walkon.solvers.value_iteration import ValueIteration

NIGHTS = [
    {"size": 4, "tasks": 2},
    {"size": 3, "tasks": 1, "teammates": 2, "teammate_noise": True, "sees_walls": True},
    {"size": 40, "tasks": 1, "noise": 0.1, "start": "corner"},
]
WORLDS = [("night-pursuit", options) for options in NIGHTS]
FACTORED = [("rock-sample", {"size": 3, "rocks": 3}), ("tag", {"tasks": 3})]


def walked(task, count, seed=0):
    """States of a random walk by the plain rules, those near the end included, with the actions."""
    rules, rng = task.simulator, Random(seed)
    x, found = rules.draw_start(rng.random), []
    for _ in range(count):
        a = rng.randrange(task.action_count)
        found.append((x, a))
        x = rules.draw_start(rng.random) if rules.solved(x) else rules.step(x, a, rng.random)[0]
    return found


def row(value):
    return np.array(value, dtype=np.int64).reshape(-1)


@pytest.mark.parametrize(("world", "options"), WORLDS)
def test_outcomes_likelihoods_and_ends_are_those_of_the_plain_rules(world, options):
    library = walkon.make(world, tables=False, **options)
    for task in library:
        rules, plain = task.compiled, task.simulator
        numbers = (rules.facts, rules.reals)
        ys, ps = np.empty((64, rules.state_size), dtype=np.int64), np.empty(64)
        for x, a in walked(task, 60):
            found = {}
            for i in range(rules.outcomes(a, *numbers, row(x), ys, ps)):
                y = tuple(ys[i].tolist())
                found[y] = found.get(y, 0.0) + ps[i]
            expected = {y: p for y, p, _ in plain.outcomes(x, a)}
            assert {y: p for y, p in found.items() if p > 0} == pytest.approx(expected)
            assert rules.ends(*numbers, row(x)) == plain.solved(x)
            for y in expected:
                for z, p in task.outline.sensor(task.outline.actions[a], y):
                    assert rules.likelihood(a, *numbers, row(y), row(z)) == pytest.approx(p)


@pytest.mark.parametrize(("world", "options"), [*WORLDS, ("night-pursuit", {"size": 3, "tasks": 1, "tremble": 0.3})])
def test_draws_are_as_frequent_as_the_plain_rules_say(world, options):
    task = walkon.make(world, tables=False, **options)[0]
    rules, plain, luck, count = task.compiled, task.simulator, np.array([5], dtype=np.uint64), 4000
    for x, a in walked(task, 4, seed=3):
        expected = {y: (p, reward) for y, p, reward in plain.outcomes(x, a)}
        times, sensed, y, z = {}, {}, np.empty(rules.state_size, np.int64), np.empty(rules.observation_size, np.int64)
        for _ in range(count):
            reward = rules.step(a, rules.facts, rules.reals, row(x), y, luck)
            after = tuple(y.tolist())
            assert reward == pytest.approx(expected[after][1])
            times[after] = times.get(after, 0) + 1
            rules.observe(a, rules.facts, rules.reals, y, z, luck)
            seen = (after, tuple(z.tolist()))
            sensed[seen] = sensed.get(seen, 0) + 1
        for after, (p, _) in expected.items():
            assert times.get(after, 0) / count == pytest.approx(p, abs=4 * (p * (1 - p) / count) ** 0.5 + 1e-9)
            for seen, q in task.outline.sensor(task.outline.actions[a], after):
                often = sensed.get((after, tuple(row(seen).tolist())), 0) / count
                assert often == pytest.approx(p * q, abs=4.5 * (p * q * (1 - p * q) / count) ** 0.5 + 1e-9)


@pytest.mark.parametrize("options", [{}, {"teammates": 2, "size": 3}])
def test_values_at_night_are_those_of_the_mdp(options):
    tabled, untabled = (
        walkon.make("night-pursuit", **{"size": 4, "tasks": 2} | options, tables=t) for t in (True, False)
    )
    for one, two in zip(tabled, untabled, strict=True):
        q, rules, v = ValueIteration().solve(one.mdp).policy.table, two.compiled, np.empty(5)
        for i in range(0, len(q), 7):
            rules.values(rules.facts, rules.reals, one.state_numbers[i].astype(np.int64), v)
            assert v == pytest.approx(q[i], abs=1e-4)  # what breaks ties is no more


def chase(us, them):
    """The belief of Tag in which both cells are known."""
    x = np.zeros(tag_kernels.THEIRS + tag_kernels.CELLS, dtype=np.int64)
    x[:2] = us, tag_kernels.OVER if them == tag_kernels.CAUGHT else us
    x[tag_kernels.THEIRS + them :][:1] = 2**52 * (them != tag_kernels.CAUGHT)
    return x


def test_values_of_tag_are_those_of_the_mdp():
    tabled, rules = walkon.make("tag")[0], walkon.make("tag", tables=False)[0].compiled
    q, v = ValueIteration().solve(tabled.mdp).policy.table, np.empty(5)
    for i, numbers in enumerate(tabled.state_numbers.tolist()):
        rules.values(rules.facts, rules.reals, chase(*numbers), v)
        assert v == pytest.approx(q[i], abs=1e-4)
    start = agent_start(rules)
    rules.values(rules.facts, rules.reals, start, v)
    assert v == pytest.approx(tabled.pomdp.start @ q, abs=1e-4)


def agent_start(rules):
    """The belief before the first action."""
    x = np.empty(rules.state_size, dtype=np.int64)
    rules.start(rules.facts, rules.reals, x, np.zeros(1, dtype=np.uint64))
    return x


def predicted(plain, belief, a):
    """The expected reward in a belief over states, and what may follow: {(observation, is it over): joint weights}."""
    paid, found = 0.0, {}
    for x, p in belief.items():
        for y, q, reward in plain.outcomes(x, a):
            paid += p * q * reward
            for z, r in plain.outline.sensor(plain.outline.actions[a], y):
                branch = found.setdefault((z, plain.solved(y)), {})
                branch[y] = branch.get(y, 0.0) + p * q * r
    return paid, found


def forward(rules, x, a):
    """The same by the rules over beliefs: {(observation, is it over): (probability, belief)}."""
    numbers, ys, ps = (rules.facts, rules.reals), np.empty((64, rules.state_size), dtype=np.int64), np.empty(64)
    found, z = {}, np.empty(1, dtype=np.int64)
    for i in range(rules.outcomes(a, *numbers, x, ys, ps)):
        rules.observe(a, *numbers, ys[i], z, np.zeros(1, dtype=np.uint64))
        assert rules.likelihood(a, *numbers, ys[i], z) == 1
        assert rules.likelihood(a, *numbers, ys[i], z + 1) == 0
        if ps[i] > 0:
            found[int(z[0]), bool(rules.ends(*numbers, ys[i]))] = float(ps[i]), ys[i].copy()
    return found


@pytest.mark.parametrize(("world", "options"), FACTORED)
def test_beliefs_that_follow_are_the_exact_ones(world, options):
    """Over whole walks, and with the probability, the reward and the value of each action."""
    q = [ValueIteration().solve(task.mdp).policy.table for task in walkon.make(world, **options)]
    for k, task in enumerate(walkon.make(world, tables=False, **options)):
        rules, plain, rng = task.compiled, task.simulator, Random(k)
        order = {tuple(x): i for i, x in enumerate(walkon.make(world, **options)[k].state_numbers.tolist())}
        for _ in range(6):
            belief, x, y, v = (
                dict(plain.start()),
                agent_start(rules),
                np.empty(rules.state_size, np.int64),
                np.empty(99),
            )
            for _ in range(15):
                a = rng.randrange(task.action_count)
                paid, expected = predicted(plain, belief, a)
                found, luck = forward(rules, x, a), np.array([rng.getrandbits(60)], dtype=np.uint64)
                assert found.keys() == expected.keys()
                for key, (p, _) in found.items():
                    assert p == pytest.approx(sum(expected[key].values()), abs=1e-9)
                assert rules.step(a, rules.facts, rules.reals, x, y, luck) == pytest.approx(paid)
                assert tuple(y.tolist()) in {tuple(row.tolist()) for _, row in found.values()}
                if world == "tag":
                    rules.values(rules.facts, rules.reals, x, v)
                    exact = sum(p * q[k][order[state]] for state, p in belief.items())
                    assert v[:5] == pytest.approx(exact, abs=1e-4)
                going = [key for key in found if not key[1]]
                if not going:
                    break
                key = rng.choice(sorted(going))
                total = sum(expected[key].values())
                belief, x = {state: p / total for state, p in expected[key].items()}, found[key][1]


@pytest.mark.parametrize(("world", "options"), FACTORED)
def test_beliefs_are_drawn_as_often_as_they_follow(world, options):
    task = walkon.make(world, tables=False, **options)[0]
    rules, luck, rng, count = task.compiled, np.array([3], dtype=np.uint64), Random(4), 3000
    x, y = agent_start(rules), np.empty(task.compiled.state_size, dtype=np.int64)
    for _ in range(8):
        a = rng.randrange(4, task.action_count) if world == "rock-sample" else rng.randrange(task.action_count)
        found, times = forward(rules, x, a), {}
        for _ in range(count):
            rules.step(a, rules.facts, rules.reals, x, y, luck)
            times[tuple(y.tolist())] = times.get(tuple(y.tolist()), 0) + 1
        for p, row in found.values():
            often = times.get(tuple(row.tolist()), 0) / count
            assert often == pytest.approx(p, abs=4.5 * (p * (1 - p) / count) ** 0.5 + 1e-9)
        going = [row for (_, over), (_, row) in sorted(found.items()) if not over]
        if not going:
            break
        x = rng.choice(going)


def test_tag_is_that_of_the_classics_until_the_catch():
    from walkon.domains.classics import tag

    ours, theirs = walkon.make("tag")[0].pomdp, tag()
    q, r = (ValueIteration().solve(each.mdp).policy.table for each in (ours, theirs))
    assert len(ours.start) == len(theirs.start)
    assert float(ours.start @ q.max(axis=1)) == pytest.approx(float(theirs.start @ r.max(axis=1)), abs=1e-4)


def test_first_states_are_drawn_evenly_and_never_captured():
    task = walkon.make("night-pursuit", size=3, tasks=1, tables=False)[0]
    rules, luck, x, times = task.compiled, np.array([1], dtype=np.uint64), np.empty(4, np.int64), {}
    for _ in range(8000):
        rules.start(rules.facts, rules.reals, x, luck)
        times[tuple(x.tolist())] = times.get(tuple(x.tolist()), 0) + 1
    assert set(times) == {state for state, _ in task.outline.start()}
    assert max(times.values()) < 160


def test_the_pool_goes_on_without_changing_its_first_draws():
    assert pool(5, count=40)[:32] == pool(5)
    assert len(set(pool(5, count=300))) == 300
    assert walkon.make("night-pursuit", size=5, tasks=33, tables=False).names[:4] == walkon.make("night-pursuit").names
    with pytest.raises(walkon.InputError, match="tables=False"):
        walkon.make("night-pursuit", tasks=33)
    with pytest.raises(walkon.InputError, match="tables=False"):
        walkon.make("night-pursuit", size=32)


def test_a_factored_belief_is_the_exact_one():
    task = walkon.make("rock-sample", size=4, rocks=4, tables=False)[0]
    plain, rng = task.simulator, Random(2)
    agent = walkon.agent("search", walkon.TaskLibrary([task]), simulations=1)
    belief, memory, x = dict(plain.start()), agent.start(), plain.draw_start(rng.random)
    assert memory.kinds == ("factored",)
    for action in ("check 0", "north", "check 1", "check 1", "south", "east", "south", "south", "sample", "check 3"):
        a = task.actions.index(action)
        x, _ = plain.step(x, a, rng.random)
        z = plain.observe(a, x, rng.random)
        joint = {}
        for state, p in belief.items():
            after = task.outline.moves(state, action, "wait")[0][0]
            joint[after] = joint.get(after, 0.0) + p * np.exp(plain.log_likelihood(a, after, z))
        total = sum(joint.values())
        belief = {state: p / total for state, p in joint.items()}
        memory = agent.update(memory, a, walkon.Percept(observation=z))
        assert memory.likelihood == pytest.approx(total)
        found = memory.beliefs[0].rows[0]
        assert tuple(found[:2]) == x[:2]
        for i in range(4):
            good = sum(p for state, p in belief.items() if state[2] >> i & 1)
            assert found[3 + i] * rules_kernels.UNIT == pytest.approx(good, abs=1e-12)


def plan_by_hand(task, cell, known):
    """The simple plan of RockSample, slowly: always the rock with which leaving afterwards pays most."""
    n, d = task.size, 0.95
    best, chosen = 10 * d ** (n - 1 - cell[0]), None
    for i, p in known.items():
        walk = abs(task.rocks[i][0] - cell[0]) + abs(task.rocks[i][1] - cell[1])
        leave = 10 * d ** (n - 1 - task.rocks[i][0])
        blind, sure = 10 * (2 * p - 1), 10 * d * p
        later = d ** (walk + 1) * (1.0 if blind >= sure else p * d + 1 - p)
        paid = d**walk * max(blind, sure)
        if p >= 0.05 and paid + later * leave > best:
            best, chosen = paid + later * leave, (i, paid, later)
    if chosen is None:
        return best
    i, paid, later = chosen
    return paid + later * plan_by_hand(task, task.rocks[i], {j: p for j, p in known.items() if j != i})


def test_the_plan_at_the_leaves_is_the_one_by_hand_and_no_better_than_can_be():
    library = walkon.make("rock-sample", size=7, rocks=8, tables=False)
    written, rules, rng = library[0].outline.written, library[0].compiled, np.random.default_rng(1)
    for _ in range(50):
        known, cell = rng.choice([0.0, 0.2, 0.5, 0.9, 1.0], size=8), rng.integers(7, size=2)
        x = np.array([*cell, 2, *(known / rules_kernels.UNIT)], dtype=np.int64)
        expected = plan_by_hand(written, tuple(cell.tolist()), dict(enumerate(known.tolist())))
        assert rules_kernels.plan(rules.facts, rules.reals, x) == pytest.approx(expected)
    first = np.array([0, 3, 2, *[int(0.5 / rules_kernels.UNIT)] * 8], dtype=np.int64)
    assert rules_kernels.plan(rules.facts, rules.reals, first) < 25.1  # proven by Sarsop on the published map


def test_uniform_numbers_are_even_and_follow_from_the_seed():
    one, two = (np.array([7], dtype=np.uint64) for _ in range(2))
    drawn = np.array([uniform(one) for _ in range(4000)])
    assert drawn.tolist() == [uniform(two) for _ in range(4000)]
    assert 0 <= drawn.min() < drawn.max() < 1
    assert np.histogram(drawn, bins=10, range=(0, 1))[0].min() > 330


def test_rows_of_states():
    assert rows_of([3, 4], 1).tolist() == [[3], [4]]
    assert rows_of([(1, 2), (3, 4)], 2).tolist() == [[1, 2], [3, 4]]
