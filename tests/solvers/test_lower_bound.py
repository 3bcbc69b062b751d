"""The points and walks of the lower bound, and the bound itself against trees over all histories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lower_bounds import belief_of, dot, lower_bound, vectors_of, walked
from random_models import pomdps, random_pomdp, rows, seeds
from twins import dense, dense_update
from walkon import POMDP, Ascent, InputError, Perseus, Sarsop
from walkon.domains.classics import tag
from walkon.solvers.points.backup_kernels import averages, backup
from walkon.solvers.points.closing import close
from walkon.solvers.points.point_kernels import catch_up, count_wins, find_or_add, newest_of_each_winner
from walkon.solvers.points.visible import find_blocks, simple_plans
from walkon.solvers.points.walk_kernels import GUIDES, arrive, back_up_in_reverse, plausible, walk
from walkon.solvers.solution import Budget
from walkon.testing.problems import optimal


@given(pomdps(), seeds)
def test_a_point_is_the_belief_that_bayes_rule_gives(pomdp, seed):
    bound, rng = lower_bound(pomdp), np.random.default_rng(seed)
    bound.make_room()
    a, z = rng.integers(len(pomdp.P)), rng.integers(pomdp.O[0].shape[1])
    belief, likelihood = dense_update(pomdp, pomdp.start, a, z)
    i = arrive(bound.model, bound.blocks, bound.vectors, bound.points, 0, a, z, bound.branches)
    assert (i < 0) == (likelihood == 0)
    if i >= 0:
        assert belief_of(bound, i) == pytest.approx(belief, abs=1e-8)
    assert not bound.branches.predicted.any()


def test_a_belief_is_one_point_regardless_of_the_order_of_its_states():
    pomdp = random_pomdp(0, X=6, sparsity=0.0)
    bound = lower_bound(pomdp)
    bound.make_room(50)
    slots, weights = np.arange(6, dtype=np.int32), np.array([0.1, 0.2, 0.3, 0.2, 0.1, 0.1])

    def number(order, weights):
        return find_or_add(bound.blocks, bound.vectors, bound.points, 0, slots[order], weights[order])

    turned = np.array([3, 1, 5, 0, 2, 4])
    one = number(np.arange(6), weights)
    assert number(turned, weights) == one
    assert number(turned, weights + 1e-12 * np.array([1, -1, 0, 0, 0, 0])) == one
    assert number(turned, weights + 1e-6 * np.array([1, -1, 0, 0, 0, 0])) == one + 1
    assert number(np.arange(6), weights[::-1].copy()) == one + 2


@given(pomdps())
def test_points_know_their_best_vector_however_late_they_look(pomdp):
    bound = walked(pomdp)
    for i in range(bound.points.size[0]):
        catch_up(bound.blocks, bound.vectors, bound.points, i)
        values = dot(belief_of(bound, i), vectors_of(bound, bound.points.block[i]))
        assert bound.points.value[i] == pytest.approx(values.max(), abs=1e-5 * np.abs(values).max() + 1e-12)
        assert values[bound.points.winner[i]] == pytest.approx(bound.points.value[i], abs=1e-9)
    count_wins(bound.blocks, bound.vectors, bound.points)
    assert bound.vectors.wins.sum() == bound.points.size[0]


def test_leaving_vectors_and_points_behind_lowers_no_point_that_stays():
    bound = walked(tag(), walks=60, least=1e-4)
    count_wins(bound.blocks, bound.vectors, bound.points)
    size = int(bound.points.size[0])
    before = {bytes(belief_of(bound, i)): bound.points.value[i] for i in range(size)}
    always = np.zeros(size, bool)
    always[[3, 50]] = True
    kept = newest_of_each_winner(bound.vectors, bound.points, 4, always)
    assert {0, 3, 50} <= set(kept.tolist())
    number = bound.vectors.first[bound.points.block[:size]] + bound.points.winner[:size]
    for winner in np.unique(number):
        points = np.flatnonzero(number == winner)
        assert set(points[-4:].tolist()) <= set(kept.tolist())
        assert len(set(points[:-4].tolist()) & set(kept.tolist()) - {0, 3, 50}) == 0
    vectors = bound.size
    bound.make_room(size)  # so many points that few are left, and so much room that vectors have to move
    assert bound.size < vectors
    for i in range(bound.points.size[0]):
        catch_up(bound.blocks, bound.vectors, bound.points, i)
        assert bound.points.value[i] == before[bytes(belief_of(bound, i))]


def test_many_points_are_thinned_out_and_the_start_stays(monkeypatch):
    monkeypatch.setattr("walkon.solvers.points.lower_bound.MANY", 2)
    pomdp = tag()
    bound, rng, most = lower_bound(pomdp), np.random.default_rng(0), 0
    for i in range(200):
        before = bound.points.size[0]
        kept = bound.make_room()
        if kept is not None:
            assert len(kept) == bound.points.size[0] < before
            assert kept[0] == 0
            most += 1
        bound.back_up(bound.walk(i % GUIDES, 0.5, rng), 0.5, Budget(None, None, None))
    assert most > 0
    assert belief_of(bound, 0) == pytest.approx(pomdp.start)


def test_where_vectors_fill_the_memory_the_older_points_go_and_the_bound_at_the_start_stays(monkeypatch):
    bound, rng = lower_bound(tag()), np.random.default_rng(0)
    monkeypatch.setattr("walkon.solvers.points.lower_bound.MOST", 5_000)
    dropped, value = 0, -np.inf
    for i in range(150):
        kept = bound.make_room()
        if kept is not None:
            dropped += 1
            assert kept[0] == 0
            assert (np.diff(kept[1:]) == 1).all()
        bound.back_up(bound.walk(i % GUIDES, 1e-3, rng), 1e-3, Budget(None, None, None))
        assert bound.value >= value
        value = bound.value
    assert dropped > 1
    assert value > -8


@given(pomdps())
def test_the_simplest_plans_are_worth_what_their_linear_equations_say(pomdp):
    found = find_blocks(pomdp)
    X, A = pomdp.R.shape
    P = dense(pomdp.P)
    plans = list(simple_plans(pomdp, found, pomdp.R, lambda: False))
    assert len(plans) == A + (found.block.max() > 0)
    for value, action in plans:
        transitions = np.array([P[action[x], x] for x in range(X)])
        exact = np.linalg.solve(np.eye(X) - pomdp.discount * transitions, pomdp.R[np.arange(X), action])
        scale = np.abs(pomdp.R).max() / (1 - pomdp.discount)
        assert value == pytest.approx(exact, abs=1e-8 * scale + 1e-12)
        assert (value <= exact + 1e-11 * scale).all()
        assert all(len(set(action[found.block == g])) == 1 for g in set(found.block))


@given(seeds)
def test_where_the_state_is_seen_the_plan_of_the_blocks_is_the_best_there_is(seed):
    model = random_pomdp(seed, X=5, A=3, Z=5, discount=0.9)
    pomdp = POMDP(model.P, [np.eye(5)] * 3, model.R, model.start, 0.9)
    from walkon import solve

    value, _ = next(simple_plans(pomdp, find_blocks(pomdp), pomdp.R, lambda: False))
    assert value == pytest.approx(solve(pomdp.mdp).policy.table.max(axis=1), abs=1e-6)


@given(seeds, st.sampled_from([0.0, 0.5, 0.9]))
def test_at_every_belief_the_vectors_are_below_the_optimum(seed, sparsity):
    pomdp = random_pomdp(seed, X=4, A=2, Z=2, discount=0.5, sparsity=sparsity)
    policy = close(walked(pomdp), 1e-9, 0.0)
    rng = np.random.default_rng(seed)
    for belief in [pomdp.start, *np.eye(4), *rows(rng, (4, 4), 0.3)]:
        _, high = optimal(POMDP(pomdp.P, pomdp.O, pomdp.R, belief, 0.5), depth=5)
        assert policy.value(belief) <= high + 1e-9


def test_the_policy_has_the_bound_of_the_solver_at_the_start():
    for pomdp in (tag(), random_pomdp(3, X=6, discount=0.95)):
        bound = walked(pomdp)
        value = bound.value
        found = close(bound, 1e-9, 0.0).value(pomdp.start)
        assert found == pytest.approx(bound.value - bound.margin, abs=1e-9)
        assert found >= value - bound.margin - 1e-9


def test_backups_in_reverse_are_backups_one_by_one():
    pomdp = random_pomdp(8, X=6, A=3, Z=3, discount=0.9)
    bounds = [lower_bound(pomdp) for _ in range(2)]
    paths = []
    for bound in bounds:
        bound.make_room()
        paths.append(bound.walk(1, 1e-9, np.random.default_rng(5)))
    one, other = bounds
    total = back_up_in_reverse(one.search, paths[0], 1e-9)
    gains = 0.0
    for i in paths[1][::-1]:
        above = averages(other.blocks, other.points, i, other.model.above)
        gains += backup(other.search, i, above, 1e-9)
    assert paths[0].tolist() == paths[1].tolist()
    assert total == gains > 0
    assert one.value == other.value


def test_a_walk_follows_its_guide_and_the_uniform_numbers():
    """Two rooms, told apart; pushing in the first leads to the second, which has nothing to offer."""
    stay, push = np.eye(2), np.array([[0.0, 1.0], [0.0, 1.0]])
    pomdp = POMDP([stay, push], [np.eye(2)] * 2, R=[[0, 5], [0, 0]], start=[1, 0], discount=0.9)
    bound = lower_bound(pomdp)
    bound.make_room()
    path, luck = np.empty(bound.steps, np.int64), np.full((bound.steps, 4), 0.5)
    for guide in range(GUIDES):
        length = walk(bound.search, 0, guide, 1e-9, luck, path)
        assert path[:length].tolist() == [0]  # nothing is left to gain in the second room, nor a reason to stay


def test_wide_walks_begin_anywhere_and_the_bound_stays_at_the_start():
    """The start is known; wide walks begin in every block, with all of its states equally probable."""
    pomdp = tag()
    bound, rng = lower_bound(POMDP(pomdp.P, pomdp.O, pomdp.R, np.eye(870)[0], pomdp.discount)), np.random.default_rng(0)
    begun = set()
    for guide in range(200):
        bound.make_room()
        path = bound.walk(guide % GUIDES, 1e-9, rng, wide=0.5)
        belief = belief_of(bound, path[0])
        block = bound.points.block[path[0]]
        if path[0] != 0:
            states = bound.blocks.states[bound.blocks.first[block] : bound.blocks.first[block + 1]]
            assert sorted(np.flatnonzero(belief)) == sorted(states)
            assert np.ptp(belief[states]) < 1e-12
        begun.add(int(block))
    assert len(begun) > 20
    assert belief_of(bound, 0) == pytest.approx(np.eye(870)[0])


@pytest.mark.parametrize("solver", [Ascent, Sarsop, Perseus])
def test_a_share_of_wide_walks_is_a_share(solver):
    with pytest.raises(InputError, match=r"wide is 1.5, expected a number from 0 to 1"):
        solver(wide=1.5)


def test_a_random_step_takes_an_action_that_may_still_be_the_best():
    hope = np.array([3.0, 1.0, 2.0])
    assert [plausible(hope, 1.5, u) for u in (0.0, 0.49, 0.5, 0.99)] == [0, 0, 2, 2]
    assert [plausible(hope, 9.0, u) for u in (0.0, 0.34, 0.99)] == [0, 1, 2]


def test_simple_plans_that_another_is_nowhere_worse_than_are_left_out_of_the_policy():
    """Waiting pays 1 for ever, sleeping 0, and resting as much as waiting."""
    pomdp = POMDP([np.eye(2)] * 3, [np.ones((2, 1))] * 3, R=[[1, 0, 1], [1, 0, 1]])
    policy = close(lower_bound(pomdp), 1e-9, 0.0)
    assert policy.actions.tolist() == [0]
    assert policy.vectors == pytest.approx(np.full((1, 2), 20.0))
