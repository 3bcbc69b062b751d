import numpy as np
import pytest
from hypothesis import given

from random_models import pomdps, seeds
from random_models import random_pomdp as pomdp_from
from twins import dense
from walkon import POMDP, QMDP, FastInformedBound, solve
from walkon.domains.classics import tiger
from walkon.testing.problems import optimal


@given(seeds)
def test_both_lie_above_the_optimum_and_the_informed_one_is_tighter(seed):
    pomdp = pomdp_from(seed, X=3, A=2, Z=2, discount=0.5)
    at_least, _ = optimal(pomdp, depth=5)
    qmdp, informed = solve(pomdp, QMDP()), solve(pomdp, FastInformedBound())
    assert at_least <= informed.upper + 1e-9
    assert informed.upper <= qmdp.upper + 1e-6 * abs(pomdp.R).max() / (1 - pomdp.discount)  # its epsilon


@given(pomdps())
def test_the_informed_bound_solves_its_equation(pomdp):
    alpha = solve(pomdp, FastInformedBound(epsilon=1e-9)).policy.vectors  # [A, X]
    P, O = dense(pomdp.P), dense(pomdp.O)
    A, X = alpha.shape
    for a in range(A):
        for x in range(X):
            future = sum(max(P[a, x] * O[a, :, z] @ alpha[c] for c in range(A)) for z in range(O.shape[2]))
            right = pomdp.R[x, a] + pomdp.discount * future
            assert alpha[a, x] == pytest.approx(right, abs=1e-7 * np.abs(alpha).max())


def test_qmdp_is_the_mdp_averaged_over_the_belief():
    pomdp = tiger()
    solution = solve(pomdp, QMDP())
    assert solution.upper == pytest.approx(-1 + 0.95 * 200)
    assert solution.lower is None
    assert solution.policy.value(np.array([1.0, 0.0])) == pytest.approx(200)


def test_where_the_state_is_seen_the_informed_bound_is_the_mdp():
    seen = pomdp_from(3, X=4, A=2, Z=4)
    from walkon import POMDP

    pomdp = POMDP(seen.P, [np.eye(4)] * 2, seen.R, seen.start, seen.discount)
    table = solve(pomdp.mdp).policy.table
    assert pytest.approx(table, abs=1e-6) == solve(pomdp, FastInformedBound(epsilon=1e-9)).policy.vectors.T


def test_a_watcher_may_stop_them_at_any_moment_and_gets_bounds_that_hold():
    """Two states take turns, and one pays 1: half of that for ever is 5000. Value iteration takes long to find out."""
    turns = POMDP([[[0, 1], [1, 0]]], [[[1], [1]]], [[1], [0]], discount=0.9999)
    for solver in (QMDP(), FastInformedBound()):
        for wanted in (1, 2, 5):
            calls = []
            found = solve(turns, solver, watch=lambda now, calls=calls, n=wanted: calls.append(now) or len(calls) == n)
            assert found.stopped == "asked"
            assert len(calls) == wanted
            assert found.upper >= 5000
