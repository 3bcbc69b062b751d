"""Exact values of the worlds, found by an independent implementation, to all of its digits."""

import numpy as np
import pytest

from walkon.domains import make
from walkon.solvers.value_iteration import ValueIteration

NIGHT = "night-pursuit"
CASES = [
    (NIGHT, {"tasks": [((0, 0), (4, 4))]}, 0, 73.945480, 5.985792, 41.186556),
    (NIGHT, {"size": 3, "tasks": [((1, 0), (1, 2))]}, 0, 90.813952, 2.608318, 20.899792),
    ("pursuit", {}, 0, 71.510338, 7.029062, 28.129192),
    ("pursuit", {"capture": "adjacent"}, 1, 86.028927, 3.536568, 13.146974),
    ("overcooked", {}, 0, -3.544629, 5.0, 0.338463),
    ("overcooked", {}, 3, -9.883276, 4.0, 0.034414),
]


def expected_score(task, choices):
    """Steps until solved, or soups, in expectation: the distribution over states is carried forward."""
    now, total = task.pomdp.start.copy(), 0.0
    if task.score == "soups":
        gain = np.einsum("xa,xb,xab->x", choices, task.teammates.toarray(), task.tally.counts)
    else:
        gain = 1.0 - task.solved
    for _ in range(task.horizon):
        total += now @ gain
        now = sum((now * choices[:, a]) @ P for a, P in enumerate(task.pomdp.P))
    return total


@pytest.mark.parametrize(("world", "options", "k", "value", "best", "random"), CASES)
def test_values_and_scores_are_exact(world, options, k, value, best, random):
    task = make(world, **options)[k]
    policy = ValueIteration().solve(task.mdp).policy
    X, A = task.pomdp.R.shape
    assert policy.value(task.pomdp.start) == pytest.approx(value, abs=6e-7)
    assert expected_score(task, policy.choices) == pytest.approx(best, abs=6e-7)
    assert expected_score(task, np.full((X, A), 1 / A)) == pytest.approx(random, abs=6e-7)
