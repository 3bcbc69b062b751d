import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import booleans, floats
from scipy.sparse import csr_array

from conftest import LONG, fewer
from random_models import pomdps, random_pomdp, seeds
from twins import dense
from walkon import MDP, POMDP, InputError, Perseus, ValueIteration, simulate, solve
from walkon.domains.classics import CLASSICS, tiger
from walkon.models.belief import posterior
from walkon.models.belief_kernels import predict
from walkon.models.chance_kernels import draw
from walkon.models.stacked import plain
from walkon.policies.alpha_kernels import successors
from walkon.solvers.gathering_kernels import walk
from walkon.solvers.perseus import BeliefSet, finished
from walkon.solvers.perseus_kernels import backup, plan
from walkon.solvers.score_kernels import first, in_columns, top
from walkon.solvers.upper_bounds import QMDP
from walkon.testing.problems import optimal


def test_tiger_has_its_published_value():
    """Discount 0.95, rewards -1, 10, -100, accuracy 0.85: 19.37 at the uniform belief."""
    solution = solve(tiger(), Perseus(tolerance=1e-7))
    assert solution.lower == pytest.approx(19.3714, abs=1e-3)
    assert solution.policy.probabilities(np.array([0.5, 0.5])).tolist() == [1, 0, 0]
    assert solution.policy.probabilities(np.array([0.02, 0.98])).tolist() == [0, 1, 0]
    assert solution.stopped == "converged"


@pytest.mark.parametrize("first", range(0, 300 if LONG else 100, 50))
def test_perseus_is_never_above_the_optimum_and_close_to_it(first):
    for seed in range(first, first + 50):
        pomdp = random_pomdp(seed, X=3, A=2, Z=2, discount=0.5)
        low, high = optimal(pomdp, depth=6)
        value = solve(pomdp, Perseus(beliefs=60, tolerance=1e-6), seed=seed).policy.value(pomdp.start)
        assert value <= high + 1e-9
        assert value >= low - 0.02 * (high - low) - 1e-4 * np.ptp(pomdp.R)


@given(seeds)
def test_every_vector_is_a_lower_bound_at_every_state(seed):
    """No plan without the state is better than acting on the state, wherever it starts."""
    pomdp = random_pomdp(seed)
    seen = solve(pomdp.mdp).policy.table.max(axis=1)
    assert (solve(pomdp, Perseus(beliefs=20)).policy.vectors <= seen + 1e-9).all()


@given(pomdps())
def test_a_backup_is_the_dense_formula(pomdp):
    P, O = dense(pomdp.P), dense(pomdp.O)
    X, A = pomdp.R.shape
    Z = O.shape[2]
    vectors = np.random.default_rng(0).integers(-9, 9, size=(5, X)).astype(float)
    plans = np.empty((A, X))
    for a in range(A):
        arrived = pomdp.start @ P[a]
        plans[a] = pomdp.R[:, a]
        for z in range(Z):
            scores = vectors @ (arrived * O[a][:, z])
            if not (arrived * O[a][:, z]).any():
                scores = vectors @ arrived
            plans[a] += pomdp.discount * P[a] @ (O[a][:, z] * vectors[np.argmax(scores)])
    model = pomdp.transitions, pomdp.sensor_rows, pomdp.R, pomdp.discount
    alpha, action = backup(*model, vectors, in_columns(vectors), Z, BeliefSet(pomdp).matrix(), 0)
    assert pomdp.start @ alpha == pytest.approx((plans @ pomdp.start).max(), abs=1e-5)
    if np.diff(np.sort(plans @ pomdp.start))[-1:].sum() > 1e-3:
        assert action == np.argmax(plans @ pomdp.start)


@given(pomdps(), seeds)
def test_a_backup_has_the_bits_of_the_plain_order_of_its_sums(pomdp, seed):
    """`successors` goes through the states one by one, with a row of scores for each observation."""
    rng, Z = np.random.default_rng(seed), pomdp.O[0].shape[1]
    X, A = pomdp.R.shape
    vectors = rng.normal(size=(rng.integers(1, 70), X)).round(rng.integers(1, 6))  # rounded, so that some tie
    belief = rng.dirichlet(np.full(X, 0.3)) * (rng.random(X) < 0.7)
    belief = belief / belief.sum() if belief.any() else np.eye(X)[0]
    model = pomdp.transitions, pomdp.sensor_rows, pomdp.R, pomdp.discount
    columns = np.ascontiguousarray(vectors.T, dtype=np.float32)
    highest = -np.inf
    for a in range(A):
        follow, future = successors(pomdp.sensor_rows, a * X, predict(pomdp.transitions, belief, a)[0], columns, Z)
        value = pomdp.discount * future
        for x in np.flatnonzero(belief):
            value += belief[x] * pomdp.R[x, a]
        if value > highest:
            highest, best, alpha = value, a, plan(*model, vectors, follow, a)
    found, action = backup(*model, vectors, in_columns(vectors), Z, plain(csr_array(belief[None])), 0)
    assert (action, found.tobytes()) == (best, alpha.tobytes())


@given(arrays(np.float32, (2, 40), elements=floats(width=32, allow_nan=False)))
def test_the_highest_score_and_its_first_place_are_those_of_numpy(scores):
    highest = np.array([top(scores.view(np.int32), 1)], dtype=np.int32).view(np.float32)[0]
    assert highest == scores[1].max()
    assert first(scores, 1, highest) == scores[1].argmax()


@given(pomdps(), seeds, booleans())
def test_a_compiled_walk_is_the_walk_step_by_step(pomdp, seed, sighted):
    """The same random numbers in the same order, the guide's first best action, and the same beliefs."""
    one, two = np.random.default_rng(seed), np.random.default_rng(seed)
    guide, over = QMDP().solve(pomdp).policy, finished(pomdp)
    X, A = pomdp.R.shape
    columns, actions, found = guide.columns.copy(), guide.actions.copy(), np.empty((9, X))
    model = pomdp.transitions, pomdp.sensor_rows, columns, actions, A, 1e-9
    count, *_ = walk(*model, 0.3, sighted, over, 0, pomdp.start.copy(), np.empty((0, 2)), one, found)
    belief, state, steps = pomdp.start, 0, 0
    for _ in range(9):
        free, action = two.random() < 0.3, int(two.integers(A))
        action = action if free else int(guide.probabilities(np.eye(X)[state] if sighted else belief).argmax())
        state = draw(pomdp.transitions, action * X + state, two.random())
        observation = draw(pomdp.sensor_rows, action * X + state, two.random())
        belief = posterior(pomdp, belief, action, observation).belief
        if belief[over].sum() > 1 - 1e-9:
            break
        assert np.array_equal(found[steps], belief)
        steps += 1
    assert count == steps
    assert one.bit_generator.state == two.bit_generator.state


def test_what_pays_only_in_rare_places_is_found():
    """Tag, where all moves cost the same and few beliefs are worth a try; the best that is known is -6.0."""
    tag = CLASSICS["tag"]()
    assert solve(tag, Perseus(beliefs=500)).policy.value(tag.start) > -7


def test_sighted_walks_find_what_all_others_miss_by_chance():
    """In Tag, a reward needs a belief that is almost sure where the opponent is; -20 is to move for ever."""
    tag = CLASSICS["tag"]()
    missed, found = (solve(tag, Perseus(beliefs=300, sighted=share), seed=7) for share in (0.0, 0.5))
    assert missed.policy.value(tag.start) == pytest.approx(-20)
    assert found.policy.value(tag.start) > -6.5


def test_the_simulated_return_agrees_with_the_value():
    for pomdp in (tiger(), random_pomdp(7, X=6, A=3, Z=3, discount=0.9)):
        solution = solve(pomdp, Perseus(tolerance=1e-6))
        earned = simulate(pomdp, solution.policy, episodes=4000, seed=1)
        error = earned.std(ddof=1) / np.sqrt(len(earned))
        assert abs(earned.mean() - solution.policy.value(pomdp.start)) < 4 * error + 1e-3 * np.abs(pomdp.R).max()


@fewer(15)
@given(seeds)
def test_relabelling_changes_nothing_but_labels(seed):
    rng, pomdp = np.random.default_rng(seed), random_pomdp(seed, X=3, A=2, Z=2, discount=0.5)
    s, a, z = rng.permutation(3), rng.permutation(2), rng.permutation(2)
    P, O = dense(pomdp.P)[a], dense(pomdp.O)[a]
    other = POMDP(P[:, s][:, :, s], O[:, s][:, :, z], pomdp.R[s][:, a], pomdp.start[s], pomdp.discount)
    one, two = (solve(p, Perseus(beliefs=200, tolerance=1e-7)).policy.value(p.start) for p in (pomdp, other))
    assert one == pytest.approx(two, abs=2e-3 * np.ptp(pomdp.R))  # walks differ with the labels


def test_the_same_seed_gives_the_same_vectors_to_the_last_bit():
    pomdp = random_pomdp(11, X=8, A=3, Z=4, discount=0.9)
    one, two, three = (solve(pomdp, Perseus(beliefs=50), seed=s).policy for s in (5, 5, 6))
    assert one.vectors.tobytes() == two.vectors.tobytes()
    assert one.vectors.tobytes() != three.vectors.tobytes()


def test_budgets_stop_it_in_the_middle_of_a_stage_with_values_that_hold():
    pomdp = random_pomdp(3, X=8, A=3, Z=4, discount=0.9)
    best = solve(pomdp, Perseus(tolerance=1e-7)).policy.value(pomdp.start)
    last = -np.inf
    for backups in (1, 2, 5, 20, 100):
        solution = solve(pomdp, Perseus(backups=backups))
        assert solution.stopped == "backups"
        value = solution.policy.value(pomdp.start)
        assert last - 1e-9 <= value <= best + 1e-3
        assert solution.lower is None or solution.lower <= value
        last = value
    assert solve(pomdp, Perseus(seconds=1e-9)).stopped == "seconds"


def test_values_at_the_beliefs_never_fall_when_more_backups_are_made():
    pomdp = random_pomdp(4, X=8, A=3, Z=4, discount=0.95)
    beliefs = [pomdp.start, *np.eye(8)]
    few, many = (solve(pomdp, Perseus(beliefs=1, backups=n)).policy for n in (10, 200))
    assert few.value(beliefs[0]) <= many.value(beliefs[0]) + 1e-9


def test_a_watcher_sees_the_bound_rise_and_can_stop_it():
    pomdp = random_pomdp(5, X=30, A=4, Z=4, discount=0.99)
    seen = []
    solution = solve(pomdp, Perseus(), watch=lambda progress: seen.append(progress) or len(seen) == 3)
    assert solution.stopped == "asked"
    assert len(seen) == 3
    assert seen[0].lower <= seen[1].lower <= seen[2].lower
    assert all(0 <= progress.done <= 1 for progress in seen)


def test_a_walk_goes_on_through_a_self_loop_that_only_one_action_has():
    """Waiting costs nothing and changes nothing, but it is not the end: a push opens the door."""
    wait, push = np.eye(2), np.array([[0.0, 1.0], [0.0, 1.0]])
    blind = np.ones((2, 1))
    pomdp = POMDP([wait, push], [blind, blind], R=[[0, -1], [0, 0]], start=[1, 0])
    assert finished(pomdp).tolist() == [False, True]
    pays_later = POMDP([wait, push], [blind, blind], R=[[0, -1], [1, 0]], start=[1, 0])
    assert not finished(pays_later).any()
    assert solve(pays_later, Perseus(tolerance=1e-7)).lower == pytest.approx(-1 + 0.95 / 0.05, rel=1e-3)


def test_the_belief_set_holds_each_belief_once_and_stops_when_there_are_no_more():
    pomdp = POMDP([np.eye(3)], [np.eye(3)], R=np.zeros((3, 1)))  # seen at once: start and the three corners
    beliefs = BeliefSet(pomdp)
    beliefs.grow(50, QMDP().solve(pomdp).policy, np.random.default_rng(0))
    assert len(beliefs) == 1  # every corner is finished: nothing is left to decide there
    moving = POMDP([np.roll(np.eye(3), 1, axis=1)], [np.eye(3)], R=np.zeros((3, 1)))
    beliefs = BeliefSet(moving)
    beliefs.grow(50, QMDP().solve(moving).policy, np.random.default_rng(0))
    assert len(beliefs) == 4
    points = beliefs.matrix()
    assert points.indptr.tolist() == [0, 3, 4, 5, 6]
    assert points.data[:3].tolist() == moving.start.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beliefs": 0}, "beliefs is 0"),
        ({"backups": 0}, "backups is 0"),
        ({"seconds": -1}, "seconds is -1"),
        ({"tolerance": 0}, "tolerance is 0"),
        ({"sighted": 2}, "sighted is 2"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        Perseus(**options)


def test_a_solver_for_another_kind_of_problem_is_refused_with_the_remedy():
    with pytest.raises(InputError, match=r"ValueIteration solves MDPs, but this is a POMDP: give it problem.mdp"):
        solve(tiger(), ValueIteration())
    with pytest.raises(InputError, match="Perseus solves POMDPs, but this is an MDP: use ValueIteration"):
        solve(tiger().mdp, Perseus())
    with pytest.raises(InputError, match="Perseus is not a solver with its options"):
        solve(tiger(), Perseus)
    with pytest.raises(InputError, match="cannot solve a str"):
        solve("tiger")
    assert isinstance(tiger(), MDP)


def test_the_clock_and_the_watcher_are_looked_at_while_beliefs_are_gathered(monkeypatch):
    """With a discount of 0.9999 a walk has 30,000 steps and finds next to no new beliefs. A step takes 1 ms here."""
    clock, calls = [0.0], []

    def slow(*arguments):
        clock[0] += 0.001 * len(arguments[-1])
        return walk(*arguments)

    monkeypatch.setattr("walkon.solvers.perseus.walk", slow)
    monkeypatch.setattr("walkon.solvers.solution.perf_counter", lambda: clock[0])
    patient = POMDP(tiger().P, tiger().O, tiger().R, tiger().start, 0.9999)
    solution = solve(patient, Perseus(seconds=3, backups=500), watch=lambda now: calls.append(now) and None)
    assert solution.seconds <= 3.02
    assert solution.iterations > 0  # gathering left some time to the backups
    assert max(np.diff([0.0, *(now.seconds for now in calls), solution.seconds])) <= 0.07
    assert all(np.isfinite(now.lower) for now in calls)
    stopped = solve(patient, Perseus(), watch=lambda now: now.seconds > 1)
    assert (stopped.stopped, stopped.seconds < 1.1) == ("asked", True)


def test_watching_and_a_distant_time_limit_change_nothing():
    pomdp = random_pomdp(5, X=10, A=3, Z=3, discount=0.9)
    options = {"beliefs": 100, "backups": 200}
    alone = solve(pomdp, Perseus(**options), seed=3)
    watched = solve(pomdp, Perseus(**options, seconds=1e6), seed=3, watch=lambda now: None)
    assert alone.policy.vectors.tolist() == watched.policy.vectors.tolist()


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, None])
def test_the_seed_of_a_solver_is_a_whole_number(seed):
    with pytest.raises(InputError, match=r"seed is .*, expected a whole number from 0 on"):
        solve(tiger(), Perseus(backups=1), seed=seed)
