"""The kernels of the lower bound against dense formulas, and the bound itself against trees over all histories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import pomdps, random_pomdp, rows, seeds
from twins import dense, dense_update, expectimax
from walkon import POMDP
from walkon.domains.tag import tag
from walkon.solvers.backup_kernels import averages, backup, branch, follow_best, plan
from walkon.solvers.budget import Budget
from walkon.solvers.lower_bound import LowerBound
from walkon.solvers.point_kernels import catch_up, count_wins, find_or_add, newest_of_each_winner
from walkon.solvers.simple_plans import simple_plans
from walkon.solvers.vector_kernels import add_vector, best_vector, rows_of
from walkon.solvers.visible import blocks
from walkon.solvers.walk_kernels import GUIDES, arrive, back_up_in_reverse, plausible, walk


def lower_bound(pomdp):
    return LowerBound(pomdp, Budget(None, None, None))


def walked(pomdp, walks=12, seed=0, least=1e-9):
    """A lower bound after a few walks."""
    bound, rng = lower_bound(pomdp), np.random.default_rng(seed)
    for i in range(walks):
        bound.make_room()
        bound.back_up(bound.walk(i % GUIDES, least, rng), least, Budget(None, None, None))
    bound.make_room()
    return bound


def belief_of(bound, i):
    """A point, written out."""
    belief = np.zeros(bound.model.R.shape[0])
    at = slice(bound.points.first[i], bound.points.first[i + 1])
    belief[bound.blocks.states[bound.points.slots[at]]] = bound.points.weights[at]
    return belief


def vectors_of(bound, g):
    """The vectors of a block, written out; NaN outside the block."""
    whole = np.full((bound.vectors.held[g], bound.model.R.shape[0]), np.nan)
    states = bound.blocks.states[bound.blocks.first[g] : bound.blocks.first[g + 1]]
    whole[:, states] = rows_of(bound.blocks, bound.vectors, g)[: bound.vectors.held[g]]
    return whole


def dot(belief, vectors):
    """Beliefs lie within a block: what is not in it has no weight."""
    return np.where(belief > 0, belief * vectors, 0).sum(axis=-1)


@given(pomdps())
def test_a_branch_holds_what_each_reading_leaves(pomdp):
    bound = walked(pomdp)
    P, O = dense(pomdp.P), dense(pomdp.O)
    for i in range(min(5, bound.points.size[0])):
        for a in range(len(P)):
            joint = (belief_of(bound, i) @ P[a])[:, None] * O[a]  # [X, Z]
            found = np.zeros_like(joint)
            count = branch(bound.model, bound.blocks, bound.points, i, a, bound.branches)
            out = bound.branches
            for j in range(count):
                for k in range(out.first[j], out.first[j + 1]):
                    found[bound.blocks.states[out.slots[k]], out.reading[j]] += out.weights[k]
            assert found == pytest.approx(joint, abs=1e-12)
            assert sorted(out.reading[:count]) == np.flatnonzero(joint.any(axis=0)).tolist()
            assert not out.predicted.any()
            assert not out.seen.any()


@given(pomdps())
def test_a_backup_adds_the_best_plan_of_the_dense_formula(pomdp):
    bound = walked(pomdp, walks=3)
    P, O, R = dense(pomdp.P), dense(pomdp.O), pomdp.R
    for i in range(min(4, bound.points.size[0])):
        belief, g = belief_of(bound, i), bound.points.block[i]
        plans = np.empty(len(P))
        for a in range(len(P)):
            arrived = belief @ P[a]
            plans[a] = belief @ R[:, a]
            for z in range(O.shape[2]):
                after = arrived * O[a][:, z]
                if after.any():
                    h = bound.blocks.block[np.argmax(after)]
                    plans[a] += pomdp.discount * dot(after, vectors_of(bound, h)).max()
        before = dot(belief, vectors_of(bound, g)).max()
        bound.make_room()
        above = averages(bound.blocks, bound.points, i, bound.model.above)
        kernels = (bound.model, bound.blocks, bound.vectors, bound.points, bound.findings)
        gain = backup(*kernels, i, above, bound.branches, 1e-9)
        scale = 1e-5 * np.abs(pomdp.R).max() / (1 - pomdp.discount)
        assert before + gain == pytest.approx(max(before, plans.max()), abs=scale)
        assert bound.points.value[i] == pytest.approx(dot(belief, vectors_of(bound, g)).max(), abs=scale)


@given(pomdps())
def test_a_plan_is_worth_its_reward_and_what_it_follows(pomdp):
    bound = walked(pomdp, walks=3)
    P, O, R = dense(pomdp.P), dense(pomdp.O), pomdp.R
    a, Z = 0, O.shape[2]
    follow = np.zeros(Z, np.int64)  # the first vector of whichever block
    g = bound.points.block[0]
    alpha = plan(bound.model, bound.blocks, bound.vectors, g, a, follow)
    first = np.empty(len(R))
    for x in range(len(R)):
        first[x] = vectors_of(bound, bound.blocks.block[x])[0, x]
    states = bound.blocks.states[bound.blocks.first[g] : bound.blocks.first[g + 1]]
    assert alpha == pytest.approx((R[:, a] + pomdp.discount * P[a] @ first)[states], rel=1e-9, abs=1e-9)


@given(pomdps(), st.booleans())
def test_after_each_reading_the_best_vector_is_followed(pomdp, full):
    """However much is remembered from before, and where there is no room to remember anything."""
    bound = walked(pomdp)
    if full:
        bound.findings.first[:] = -1
        bound.findings.size[0] = len(bound.findings.worth)
    Z = pomdp.O[0].shape[1]
    follow, out = np.zeros(Z, np.int64), bound.branches
    scale = 1e-5 * np.abs(pomdp.R).max() / (1 - pomdp.discount)
    for i in range(bound.points.size[0]):
        for a in range(len(pomdp.P)):
            count = branch(bound.model, bound.blocks, bound.points, i, a, out)
            first, total = follow_best(bound.blocks, bound.vectors, out, count, bound.findings, i, a, follow)
            worth = bound.findings.worth[first : first + count]
            for j in range(count):
                at = slice(out.first[j], out.first[j + 1])
                after = np.zeros(len(pomdp.start))
                after[bound.blocks.states[out.slots[at]]] = out.weights[at]
                vectors = vectors_of(bound, bound.blocks.block[np.argmax(after)])
                assert worth[j] == pytest.approx(dot(after, vectors).max(), abs=scale)
                chosen = vectors[follow[out.reading[j]]]
                assert worth[j] == pytest.approx(dot(after, chosen), abs=1e-9 * scale + 1e-12)
            assert total == pytest.approx(worth.sum())


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


def test_a_belief_is_one_point_in_whatever_order_its_states_stand():
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
    number = bound.vectors.seat[bound.points.block[:size]] + bound.points.winner[:size]
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
    monkeypatch.setattr("walkon.solvers.lower_bound.MANY", 2)
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
    monkeypatch.setattr("walkon.solvers.lower_bound.MOST", 5_000)
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
    found = blocks(pomdp)
    X, A = pomdp.R.shape
    P = dense(pomdp.P)
    plans = list(simple_plans(pomdp, found, pomdp.R))
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

    value, _ = next(simple_plans(pomdp, blocks(pomdp), pomdp.R))
    assert value == pytest.approx(solve(pomdp.mdp).policy.table.max(axis=1), abs=1e-6)


@given(seeds, st.sampled_from([0.0, 0.5, 0.9]))
def test_at_every_belief_the_vectors_are_below_the_optimum(seed, sparsity):
    pomdp = random_pomdp(seed, X=4, A=2, Z=2, discount=0.5, sparsity=sparsity)
    policy = walked(pomdp).policy()
    rng = np.random.default_rng(seed)
    for belief in [pomdp.start, *np.eye(4), *rows(rng, (4, 4), 0.3)]:
        _, high = expectimax(POMDP(pomdp.P, pomdp.O, pomdp.R, belief, 0.5), depth=5)
        assert policy.value(belief) <= high + 1e-9


def test_the_policy_has_the_bound_of_the_solver_at_the_start():
    for pomdp in (tag(), random_pomdp(3, X=6, discount=0.95)):
        bound = walked(pomdp)
        assert bound.policy().value(pomdp.start) == pytest.approx(bound.value, abs=1e-9)


def test_backups_in_reverse_are_backups_one_by_one():
    pomdp = random_pomdp(8, X=6, A=3, Z=3, discount=0.9)
    bounds = [lower_bound(pomdp) for _ in range(2)]
    paths = []
    for bound in bounds:
        bound.make_room()
        paths.append(bound.walk(1, 1e-9, np.random.default_rng(5)))
    one, other = bounds
    kernels = (one.model, one.blocks, one.vectors, one.points, one.findings, one.branches)
    total = back_up_in_reverse(*kernels, paths[0], 1e-9)
    gains = 0.0
    for i in paths[1][::-1]:
        above = averages(other.blocks, other.points, i, other.model.above)
        kernels = (other.model, other.blocks, other.vectors, other.points, other.findings)
        gains += backup(*kernels, i, above, other.branches, 1e-9)
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
    arguments = (bound.model, bound.blocks, bound.vectors, bound.points, bound.branches)
    for guide in range(GUIDES):
        length = walk(*arguments, guide, 1e-9, luck, path)
        assert path[:length].tolist() == [0]  # nothing is left to gain in the second room, nor a reason to stay


def test_a_random_step_takes_an_action_that_may_still_be_the_best():
    hope = np.array([3.0, 1.0, 2.0])
    assert [plausible(hope, 1.5, u) for u in (0.0, 0.49, 0.5, 0.99)] == [0, 0, 2, 2]
    assert [plausible(hope, 9.0, u) for u in (0.0, 0.34, 0.99)] == [0, 1, 2]


def test_the_best_vector_is_sought_among_the_newer_ones_only_if_asked():
    pomdp = POMDP([np.eye(2)], [np.ones((2, 1))], R=[[0.0], [0.0]])
    bound = lower_bound(pomdp)
    bound.make_room()
    for alpha in ([5.0, 0.0], [0.0, 5.0], [3.0, 3.0]):
        add_vector(bound.blocks, bound.vectors, 0, np.array(alpha), 0)
    held = bound.vectors.held[0]
    slots = np.array([0, 1], np.int32)
    for weights, since, best in [((1, 0), 0, held - 3), ((0, 1), 0, held - 2), ((1, 0), held - 2, held - 1)]:
        found = best_vector(bound.blocks, bound.vectors, 0, slots, np.array(weights, float), since)
        assert found == best


def test_simple_plans_that_another_is_nowhere_worse_than_are_left_out_of_the_policy():
    """Waiting pays 1 for ever, sleeping 0, and resting as much as waiting."""
    pomdp = POMDP([np.eye(2)] * 3, [np.ones((2, 1))] * 3, R=[[1, 0, 1], [1, 0, 1]])
    policy = lower_bound(pomdp).policy()
    assert policy.actions.tolist() == [0]
    assert policy.vectors == pytest.approx(np.full((1, 2), 20.0))
