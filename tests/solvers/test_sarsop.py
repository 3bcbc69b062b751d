"""Both bounds of the solvers that walk: they hold, they close, they depend on nothing but the seed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import random_pomdp, rows, seeds
from twins import dense
from walkon import POMDP, Ascent, InputError, Perseus, Sarsop, load, save, simulate, solve
from walkon.domains.classics import hallway, rock_sample, tag, tiger
from walkon.testing.problems import optimal


def test_tiger_has_its_published_value():
    """Discount 0.95, rewards -1, 10, -100, accuracy 0.85: 19.3714. More digits: value iteration, what was heard."""
    both = solve(tiger(), Sarsop())
    assert both.lower <= 19.3713683748 <= both.upper
    assert both.upper - both.lower <= 1e-3
    assert both.stopped == "converged"
    assert both.policy.probabilities(np.array([0.5, 0.5])).tolist() == [1, 0, 0]
    assert both.policy.probabilities(np.array([0.02, 0.98])).tolist() == [0, 1, 0]
    below = solve(tiger(), Ascent(tolerance=1e-6))
    assert below.lower == pytest.approx(19.37137, abs=1e-3)
    assert below.upper is None


def test_rock_sample_has_its_published_value():
    """RockSample[4,4], with nothing to gain or lose after the mission: 17.92."""
    both = solve(rock_sample(), Sarsop())
    assert both.stopped == "converged"
    assert both.lower == pytest.approx(17.9245, abs=1e-3)
    assert both.upper == pytest.approx(17.9245, abs=1e-3)


@pytest.mark.parametrize("first", range(0, 200, 50))
@pytest.mark.parametrize("solver", [Sarsop(backups=200), Sarsop(backups=20, gap=0), Ascent(backups=200)])
def test_the_optimum_lies_between_the_bounds(first, solver):
    for seed in range(first, first + 50):
        pomdp = random_pomdp(seed, X=3, A=2, Z=2, discount=0.5, sparsity=(0.0, 0.5, 0.9)[seed % 3])
        low, high = optimal(pomdp, depth=6)
        solution = solve(pomdp, solver, seed=seed)
        assert solution.lower <= high + 1e-9
        assert solution.upper is None or solution.upper >= low - 1e-9
        assert solution.upper is None or solution.lower <= solution.upper


@given(seeds, st.sampled_from([0.0, 0.5, 0.8]), st.sampled_from([0.0, -50.0, 1000.0]))
def test_the_gap_closes_on_small_problems(seed, sparsity, offset):
    """Without states that end it, with rewards of either sign, from a belief or from one state."""
    rng = np.random.default_rng(seed)
    X, A, Z = 3, 2, 2
    start = rows(rng, (X,), 0.9 if seed % 2 else 0.0)
    R = rng.normal(size=(X, A)) + offset
    pomdp = POMDP(rows(rng, (A, X, X), sparsity), rows(rng, (A, X, Z), sparsity), R, start, 0.7)
    solution = solve(pomdp, Sarsop(gap=0.01, backups=20_000))
    assert solution.stopped == "converged"
    assert solution.upper - solution.lower <= 0.01


@given(seeds)
def test_ascent_comes_close_to_the_upper_bound(seed):
    pomdp = random_pomdp(seed, X=3, A=2, Z=2, discount=0.7)
    both, below = solve(pomdp, Sarsop(gap=1e-3, backups=20_000)), solve(pomdp, Ascent())
    assert below.stopped == "converged"
    assert both.lower - 0.01 <= below.lower <= both.upper


def test_many_observations_and_dense_transitions():
    pomdp = random_pomdp(5, X=30, A=3, Z=200, discount=0.9, sparsity=0.0)
    solution = solve(pomdp, Sarsop(backups=300))
    assert solution.lower < solution.upper
    assert solution.upper - solution.lower < 0.2 * np.ptp(pomdp.R) / (1 - pomdp.discount)
    assert solve(pomdp, Perseus(beliefs=30, backups=200)).lower <= solution.upper


def test_a_discount_close_to_one_leaves_bounds_that_hold():
    """One step in a hundred may be paid: worth 10 a step for one who waits for it, without any uncertainty."""
    wait = POMDP([[[0.99, 0.01], [1.0, 0.0]]] * 2, [np.eye(2)] * 2, R=[[0, -1], [1000, -1]], discount=0.999)
    exact = wait.start @ solve(wait.mdp).policy.table.max(axis=1)
    for solver in (Sarsop(backups=500), Ascent(backups=500)):
        solution = solve(wait, solver)
        assert solution.lower <= exact + 1e-6
        assert solution.lower == pytest.approx(exact, rel=1e-4)
        assert solution.upper is None or solution.upper >= exact - 1e-6


@given(seeds)
def test_where_the_state_is_seen_the_bounds_meet_at_the_mdp(seed):
    model = random_pomdp(seed, X=5, A=3, Z=5, discount=0.9)
    pomdp = POMDP(model.P, [np.eye(5)] * 3, model.R, np.eye(5)[0], 0.9)
    exact = solve(pomdp.mdp).policy.table.max(axis=1)[0]
    solution = solve(pomdp, Sarsop(gap=0.01))
    assert solution.lower - 1e-9 <= exact <= solution.upper + 1e-9
    assert solution.stopped == "converged"


@given(seeds)
def test_relabelling_changes_nothing_but_labels(seed):
    rng, pomdp = np.random.default_rng(seed), random_pomdp(seed, X=3, A=2, Z=2, discount=0.5)
    s, a, z = rng.permutation(3), rng.permutation(2), rng.permutation(2)
    P, O = dense(pomdp.P)[a], dense(pomdp.O)[a]
    other = POMDP(P[:, s][:, :, s], O[:, s][:, :, z], pomdp.R[s][:, a], pomdp.start[s], pomdp.discount)
    one, two = (solve(p, Sarsop(gap=0.01)) for p in (pomdp, other))
    assert one.lower <= two.upper + 1e-9
    assert two.lower <= one.upper + 1e-9


@pytest.mark.parametrize("solver", [Ascent, Sarsop])
def test_more_backups_never_make_a_bound_worse(solver):
    pomdp = hallway()
    lower, upper = -np.inf, np.inf
    for backups in (1, 10, 100, 300, 1000):
        solution = solve(pomdp, solver(backups=backups), seed=4)
        assert solution.stopped == "backups"
        assert solution.lower >= lower - 1e-9
        lower = solution.lower
        if solution.upper is not None:
            assert solution.upper <= upper + 1e-9
            upper = solution.upper
    assert lower > 0.5


@pytest.mark.parametrize("solver", [Ascent, Sarsop])
def test_the_same_seed_gives_the_same_vectors_to_the_last_bit(solver):
    pomdp = random_pomdp(11, X=8, A=3, Z=4, discount=0.9)
    one, two, three = (solve(pomdp, solver(backups=400), seed=s).policy for s in (5, 5, 6))
    assert one.vectors.tobytes() == two.vectors.tobytes()
    assert one.vectors.tobytes() != three.vectors.tobytes()


@pytest.mark.parametrize("solver", [Ascent, Sarsop])
def test_a_clock_stops_it_with_bounds_that_hold(solver):
    solution = solve(tag(), solver(seconds=1e-9))
    assert solution.stopped == "seconds"
    assert solution.lower <= -5.9
    assert solution.upper is None or solution.upper >= -5.99


@pytest.mark.parametrize("solver", [Ascent, Sarsop])
def test_a_watcher_sees_the_bounds_close_in_and_can_stop_it(solver):
    seen = []
    solution = solve(hallway(), solver(backups=100_000), watch=lambda progress: seen.append(progress) or len(seen) == 4)
    assert solution.stopped == "asked"
    assert len(seen) == 4
    told = [progress for progress in seen if progress.lower is not None]
    for before, after in pairwise(told):
        assert before.lower <= after.lower
        assert before.upper is None or before.upper >= after.upper
    assert all(0 <= progress.done <= 1 for progress in seen)


@pytest.mark.parametrize("solver", [Ascent(backups=8000), Sarsop(backups=4000)])
def test_the_simulated_return_agrees_with_the_lower_bound(solver):
    for pomdp in (tiger(), tag(), random_pomdp(7, X=6, A=3, Z=3, discount=0.9)):
        solution = solve(pomdp, solver)
        earned = simulate(pomdp, solution.policy, episodes=2000, seed=1)
        error = earned.std(ddof=1) / np.sqrt(len(earned))
        assert abs(earned.mean() - solution.lower) < 4 * error + 5e-3 * np.abs(pomdp.R).max()


def test_its_solution_can_be_saved_and_loaded(tmp_path):
    solution = solve(tag(), Sarsop(backups=200))
    save(solution, tmp_path / "tag.safetensors")
    again = load(tmp_path / "tag.safetensors")
    assert (again.lower, again.upper, again.stopped) == (solution.lower, solution.upper, "backups")
    assert again.policy.vectors.tobytes() == solution.policy.vectors.tobytes()


@pytest.mark.parametrize(
    ("solver", "options", "message"),
    [
        (Sarsop, {"gap": -1}, "gap is -1"),
        (Sarsop, {"gap": float("nan")}, "gap is nan"),
        (Sarsop, {"backups": 0}, "backups is 0"),
        (Sarsop, {"seconds": -1}, "seconds is -1"),
        (Ascent, {"tolerance": 0}, "tolerance is 0"),
        (Ascent, {"backups": 0}, "backups is 0"),
    ],
)
def test_bad_options_are_refused(solver, options, message):
    with pytest.raises(InputError, match=message):
        solver(**options)
