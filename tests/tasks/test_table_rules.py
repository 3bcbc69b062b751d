"""The rules that compile which are made of a task's matrices, against the matrices."""

import numpy as np
import pytest

import walkon
from walkon.agents.bundle_kernels import roll_out
from walkon.tasks.table_rules import table_rules


def made():
    """A small library, in which the sensor of some actions is the same, and its rules."""
    library = walkon.make("night-pursuit", size=3, tasks=1, sees_walls=True)
    task = library[0]
    return task, table_rules(task, np.arange(task.pomdp.R.size, dtype=float).reshape(task.pomdp.R.shape))


def row(x):
    return np.array([x], dtype=np.int64)


def test_outcomes_likelihoods_values_and_ends_are_those_of_the_matrices():
    task, rules = made()
    pomdp, numbers = task.pomdp, (rules.facts, rules.reals)
    ys, ps, v = np.empty((64, 1), np.int64), np.empty(64), np.empty(rules.action_count)
    for x in range(0, len(pomdp.start), 3):
        rules.values(*numbers, row(x), v)
        assert v.tolist() == [x * len(v) + a for a in range(len(v))]
        absorbing = all(P[x, x] == 1 for P in pomdp.P) and not pomdp.R[x].any()
        assert rules.ends(*numbers, row(x)) == absorbing
        for a in range(rules.action_count):
            count = rules.outcomes(a, *numbers, row(x), ys, ps)
            found = np.zeros(len(pomdp.start))
            found[ys[:count, 0]] = ps[:count]
            assert found == pytest.approx(pomdp.P[a][[x]].toarray().ravel(), abs=1e-12)
            sensed = [rules.likelihood(a, *numbers, row(x), row(z)) for z in range(pomdp.O[a].shape[1])]
            assert sensed == pytest.approx(pomdp.O[a][[x]].toarray().ravel(), abs=1e-12)


def test_steps_and_observations_are_as_frequent_as_the_matrices_say():
    task, rules = made()
    pomdp, numbers, luck, count = task.pomdp, (rules.facts, rules.reals), np.array([9], dtype=np.uint64), 3000
    y, z = row(0), row(0)
    for x, a in [(5, 0), (17, 1), (40, 3), (61, 4)]:
        reached, sensed = np.zeros(len(pomdp.start)), np.zeros(pomdp.O[a].shape[1])
        for _ in range(count):
            assert rules.step(a, *numbers, row(x), y, luck) == pomdp.R[x, a]
            reached[y[0]] += 1 / count
            rules.observe(a, *numbers, y, z, luck)
            sensed[z[0]] += 1 / count
        after = pomdp.P[a][[x]].toarray().ravel()
        assert reached == pytest.approx(after, abs=0.04)
        assert sensed == pytest.approx(after @ pomdp.O[a], abs=0.04)


def test_a_roll_out_earns_what_random_actions_earn():
    """By the matrices: the expected reward of uniform actions, over so many steps."""
    task, rules = made()
    pomdp, luck = task.pomdp, np.array([4], dtype=np.uint64)
    P, R = sum(p.toarray() for p in pomdp.P) / len(pomdp.P), pomdp.R.mean(axis=1)
    expected, most = np.zeros(len(R)), 6
    for _ in range(most):
        expected = R + pomdp.discount * P @ expected
    step, ends = rules.pointer("step"), rules.pointer("ends")
    for x in (2, 30, 55):
        numbers = rules.facts, rules.reals, row(x), np.empty((2, 1), np.int64)
        drawn = [roll_out(step, ends, *numbers, most, len(pomdp.P), pomdp.discount, luck)[0] for _ in range(4000)]
        assert np.mean(drawn) == pytest.approx(expected[x], abs=4 * np.std(drawn) / 4000**0.5 + 1e-9)
