"""Problems with a part of the state that is seen: bounds against all histories, whatever room their blocks have."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.sparse import csr_array

from random_models import rows
from walkon import POMDP, Ascent, InputError, Perseus, Sarsop, look_first, simulate, solve
from walkon.domains.classics import tiger
from walkon.models.factored import Axis, Factor, FactoredPOMDP, Variable
from walkon.solvers.points import lower_bound
from walkon.solvers.points.visible import find_blocks
from walkon.testing.problems import earned, optimal

SEEN, HIDDEN, SENSED, ACTIONS = 3, 2, 2, 2
SOLVERS = [Sarsop(backups=200), Sarsop(backups=20, gap=0), Ascent(backups=200)]


def problem(seed, discount=0.5, certain=False):
    """A place that is seen and a secret that is not, each of which depends on both, and a sensor for the secret.

    If all but the start is certain, there are few beliefs.
    """
    rng = np.random.default_rng(seed)
    sparsity = (0.0, 0.5, 0.9)[seed % 3]
    place, secret, sensed = Axis("before", 0), Axis("before", 1), Axis("observed", 0)
    place_after, secret_after = Axis("after", 0), Axis("after", 1)
    sizes = {place: SEEN, secret: HIDDEN, place_after: SEEN, secret_after: HIDDEN, sensed: SENSED}

    def factor(*axes):
        lengths = tuple(sizes[axis] for axis in axes)
        shape = int(np.prod(lengths[:-1])), lengths[-1]
        some = certain and axes[-1].layer != "before"
        return Factor(
            axes,
            lengths,
            csr_array(np.eye(shape[1])[rng.integers(shape[1], size=shape[0])] if some else rows(rng, shape, sparsity)),
        )

    def reward(*axes):
        lengths = tuple(sizes[axis] for axis in axes)
        return Factor(axes, lengths, csr_array(rng.normal(size=(int(np.prod(lengths[:-1])), lengths[-1]))))

    moves = [
        (factor(place, secret, place_after), factor(place, secret, place_after, secret_after)) for _ in range(ACTIONS)
    ]
    return POMDP.from_factors(
        FactoredPOMDP(
            states=(Variable("place", ("a", "b", "c"), "place2", seen=True), Variable("secret", ("x", "y"), "secret2")),
            actions=(Variable("action", ("left", "right")),),
            observations=(Variable("sensor", ("low", "high")),),
            start=(factor(place), factor(place, secret)),
            transitions=tuple(moves),
            sensors=tuple((factor(place_after, secret_after, sensed),) for _ in range(ACTIONS)),
            rewards=tuple((reward(place, secret), reward(secret, place_after)) for _ in range(ACTIONS)),
            discount=discount,
        )
    )


@pytest.fixture(params=["room in all blocks", "room where paths lead"])
def room(request, monkeypatch):
    if request.param == "room where paths lead":
        monkeypatch.setattr(lower_bound, "ROOMY", 0)


@cache
def all_histories(seed):
    return optimal(problem(seed), depth=4)


@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
@pytest.mark.usefixtures("room")
def test_the_optimum_lies_between_the_bounds(solver):
    for seed in range(9):
        low, high = all_histories(seed)
        solution = solve(problem(seed), solver, seed=seed)
        assert solution.lower <= high + 1e-9
        assert solution.upper is None or solution.upper >= low - 1e-9


@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
@pytest.mark.usefixtures("room")
def test_the_policy_earns_its_lower_bound(solver):
    for seed in range(12):
        pomdp = problem(seed, discount=0.8, certain=True)
        solution = solve(pomdp, solver, seed=seed)
        assert earned(pomdp, solution.policy) >= solution.lower - 2e-6


def test_a_problem_made_of_factors_is_solved_like_the_flat_one():
    for seed in range(3):
        pomdp = problem(seed, discount=0.9)
        flat = POMDP(pomdp.P, pomdp.O, pomdp.R, pomdp.start, pomdp.discount)
        for solver in (Sarsop(backups=300), Ascent(backups=300), Perseus(beliefs=50, backups=300)):
            one, other = solve(pomdp, solver), solve(flat, solver)
            assert (one.lower, one.upper) == (other.lower, other.upper)
            assert one.policy.vectors.tobytes() == other.policy.vectors.tobytes()


def test_where_room_is_made_on_the_way_the_bounds_close_as_far(monkeypatch):
    """Vectors are left out at other times, which changes single plans but not what they are worth."""
    pomdp = problem(1, discount=0.9)
    roomy = solve(pomdp, Sarsop(gap=1e-2, backups=3_000))
    monkeypatch.setattr(lower_bound, "ROOMY", 0)
    lean = solve(pomdp, Sarsop(gap=1e-2, backups=3_000))
    assert roomy.stopped == lean.stopped == "converged"
    assert lean.lower == pytest.approx(roomy.lower, abs=1e-2)


def test_where_vectors_fill_the_memory_points_go_and_the_bound_stays(monkeypatch):
    pomdp = problem(2, discount=0.9)
    best = solve(pomdp, Sarsop(gap=1e-2, backups=3_000))
    monkeypatch.setattr(lower_bound, "ROOMY", 0)
    monkeypatch.setattr(lower_bound, "MOST", 40)
    monkeypatch.setattr(lower_bound, "FULL", 40)
    few = solve(pomdp, Sarsop(backups=500, gap=0))
    assert few.lower <= best.upper
    assert few.upper >= best.lower
    assert few.lower == pytest.approx(best.lower, abs=0.05)


def test_a_first_look_is_worth_the_mean_over_what_is_seen():
    """Oracle: all histories from the start belief of each place, weighted by its probability."""
    for seed in range(6):
        pomdp = problem(seed)
        place = np.arange(len(pomdp.start)) // HIDDEN
        low = high = 0.0
        for g in range(SEEN):
            here = np.where(place == g, pomdp.start, 0.0)
            if here.any():
                below, above = optimal(replace(pomdp, start=here / here.sum()), depth=3)
                low, high = low + here.sum() * below, high + here.sum() * above
        told = look_first(pomdp)
        solution = solve(told, Sarsop(gap=1e-2, backups=1_000))
        assert solution.lower <= high + 1e-9
        assert solution.upper >= low - 1e-9
        assert solution.upper - solution.lower < 0.1
        assert solution.upper >= solve(pomdp, Ascent(backups=300)).lower
        assert look_first(POMDP(pomdp.P, pomdp.O, pomdp.R, pomdp.start, 0.5), place).hash == told.hash


def test_after_a_first_look_the_seen_part_is_known():
    pomdp = problem(0)
    told = look_first(pomdp)
    places = len(np.unique(np.flatnonzero(pomdp.start) // HIDDEN))
    blocks = find_blocks(told)
    X = len(pomdp.start)
    assert len(np.unique(blocks.block[X + 1 :])) == places
    assert told.states[:X] == pomdp.states
    assert told.observations[: pomdp.O[0].shape[1]] == pomdp.observations
    policy = solve(told, Sarsop(gap=1e-3, backups=1_000)).policy
    played = simulate(told, policy, episodes=2_000)
    margin = 4 * played.std() / np.sqrt(len(played))
    assert played.mean() == pytest.approx(policy.value(told.start), abs=margin + 1e-3)


def test_what_a_first_look_shows_has_to_be_known():
    with pytest.raises(InputError, match="nothing says which part of the state is seen: give `known`"):
        look_first(tiger())
    with pytest.raises(InputError, match=r"known has shape \(3,\), expected a number for each of the 2 states"):
        look_first(tiger(), [0, 1, 2])
    with pytest.raises(InputError, match="the discount is 0"):
        look_first(problem(0, discount=0.0))
