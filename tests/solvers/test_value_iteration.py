"""Closed forms from the literature, and the linear system of the best policy."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import pomdps
from walkon import MDP, InputError, Progress, ValueIteration, solve


def test_a_reward_for_ever_is_a_geometric_sum():
    for discount in (0.0, 0.5, 0.95, 0.999):
        solution = solve(MDP([[[1.0]]], [[2.0]], discount=discount))
        assert solution.lower == pytest.approx(2 / (1 - discount), rel=1e-11)


def test_the_two_state_example_of_puterman_has_its_published_values():
    """Puterman 2005, figure 3.1.1 and section 6.2: v*(s2) = -1/(1-l), v*(s1) = max(5 - l.., 10 - l/(1-l))."""
    discount = 0.95
    mdp = MDP(
        P=[[[0.5, 0.5], [0, 1]], [[0, 1], [0, 1]]],
        R=[[5, 10], [-1, -1]],
        discount=discount,
    )
    v2 = -1 / (1 - discount)
    stay = (5 + 0.5 * discount * v2) / (1 - 0.5 * discount)
    v1 = max(stay, 10 + discount * v2)
    policy = solve(mdp, ValueIteration()).policy
    assert [policy.value(0), policy.value(1)] == pytest.approx([v1, v2], rel=1e-10)


def test_the_gamblers_walk_reaches_the_goal_with_its_known_probability():
    """A walk on 0..N that goes up with probability p and survives each step with probability gamma.

    It reaches N with (r^i - s^i)/(r^N - s^N), where r and s solve gamma p u^2 - u + gamma (1 - p) = 0.
    """
    N, p, discount = 10, 0.6, 0.9999
    P = np.zeros((N + 1, N + 1))
    P[0, 0] = P[N, N] = 1
    R = np.zeros((N + 1, 1))
    for i in range(1, N):
        P[i, i + 1], P[i, i - 1] = p, 1 - p
    R[N - 1] = p
    r, s = np.roots([discount * p, -1, discount * (1 - p)])
    reached = [(r**i - s**i) / (r**N - s**N) for i in range(1, N)]
    table = solve(MDP([P], R, discount=discount)).policy.table[:, 0]
    assert discount * table[1:N] == pytest.approx(reached, rel=1e-9)


@given(pomdps())
def test_the_value_is_that_of_the_best_of_all_policies(pomdp):
    mdp = pomdp.mdp
    X, A = mdp.R.shape
    if A**X > 300:
        return
    dense = [p.toarray() for p in mdp.P]
    best = np.full(X, -np.inf)
    for choice in itertools.product(range(A), repeat=X):
        P = np.array([dense[a][x] for x, a in enumerate(choice)])
        r = np.array([mdp.R[x, a] for x, a in enumerate(choice)])
        best = np.maximum(best, np.linalg.solve(np.eye(X) - mdp.discount * P, r))
    solution = solve(mdp)
    scale = np.abs(best).max() + 1e-300
    assert solution.policy.table.max(axis=1) == pytest.approx(best, abs=1e-10 * scale)
    assert solution.lower - 1e-12 * scale <= mdp.start @ best <= solution.upper + 1e-12 * scale


@given(pomdps(), st.sampled_from([1e-1, 1e-3]))
def test_the_greedy_policy_is_within_epsilon(pomdp, epsilon):
    mdp = pomdp.mdp
    X = len(mdp.start)
    exact, rough = solve(mdp).policy.table.max(axis=1), solve(mdp, ValueIteration(epsilon=epsilon))
    choice = rough.policy.table.argmax(axis=1)
    P = np.array([mdp.P[a].toarray()[x] for x, a in enumerate(choice)])
    achieved = np.linalg.solve(np.eye(X) - mdp.discount * P, mdp.R[range(X), choice])
    scale = max(np.abs(exact).max(), np.abs(rough.policy.table).max())
    assert (exact - achieved).max() <= 1.2 * epsilon * scale + 1e-9
    assert rough.upper - rough.lower <= 1.2 * epsilon * scale + 1e-9


def test_actions_that_are_equally_good_tie_exactly():
    """On a ring, both ways round are equally far from the opposite cell."""
    n = 8
    left, right = np.roll(np.eye(n), -1, axis=1), np.roll(np.eye(n), 1, axis=1)
    left[0] = right[0] = np.eye(n)[0]
    R = np.full((n, 2), -1.0)
    R[0] = 0
    choices = solve(MDP([left, right], R)).policy.choices
    assert choices[n // 2].tolist() == [0.5, 0.5]
    assert choices[1].tolist() == [1, 0]


def test_a_watcher_can_stop_it_and_gets_bounds_that_hold():
    slow = MDP([[[0.0, 1.0], [1.0, 0.0]]], [[1.0], [0.0]], discount=0.9999)
    seen: list[Progress] = []
    solution = solve(slow, watch=lambda progress: seen.append(progress) or True)
    assert solution.stopped == "asked"
    assert len(seen) == 1
    exact = np.mean([1 / (1 - 0.9999**2), 0.9999 / (1 - 0.9999**2)])
    assert solution.lower <= exact <= solution.upper


def test_a_watcher_is_called_after_few_iterations_if_these_are_slow(monkeypatch):
    clock = iter(np.arange(0, 1e6, 0.03))
    monkeypatch.setattr("walkon.solvers.value_iteration.perf_counter", lambda: next(clock))
    slow = MDP([[[0.0, 1.0], [1.0, 0.0]]], [[1.0], [0.0]], discount=0.9999)
    solution = solve(slow, watch=lambda now: True)
    assert solution.iterations < 5


def test_a_bad_epsilon_is_refused():
    with pytest.raises(InputError, match="epsilon is 0"):
        ValueIteration(epsilon=0)
