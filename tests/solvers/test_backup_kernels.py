"""Backups against dense formulas."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lower_bounds import belief_of, dot, lower_bound, vectors_of, walked
from random_models import pomdps
from twins import dense
from walkon import POMDP
from walkon.solvers.points.backup_kernels import averages, backup, branch, follow_best, plan
from walkon.solvers.points.vector_kernels import add_vector, best_vector


@given(pomdps())
def test_a_branch_holds_what_each_observation_leaves(pomdp):
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
                    found[bound.blocks.states[out.slots[k]], out.observation[j]] += out.weights[k]
            assert found == pytest.approx(joint, abs=1e-12)
            assert sorted(out.observation[:count]) == np.flatnonzero(joint.any(axis=0)).tolist()
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
        gain = backup(bound.search, i, above, 1e-9)
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
def test_after_each_observation_the_best_vector_is_followed(pomdp, full):
    """However much is remembered from before, and where there is no room to remember anything."""
    bound = walked(pomdp)
    if full:
        bound.findings.first[:] = -1
        bound.findings.size[0] = len(bound.findings.worth)
    Z = pomdp.O[0].shape[1]
    follow, out = np.zeros(Z, np.int64), bound.branches
    scale = 1e-5 * np.abs(pomdp.R).max() / (1 - pomdp.discount)
    vectors = [np.nan_to_num(vectors_of(bound, g)) for g in range(len(bound.vectors.held))]
    for i in range(bound.points.size[0]):
        for a in range(len(pomdp.P)):
            count = branch(bound.model, bound.blocks, bound.points, i, a, out)
            first, total = follow_best(bound.blocks, bound.vectors, out, count, bound.findings, i, a, follow)
            worth = bound.findings.worth[first : first + count]
            for j in range(count):
                at = slice(out.first[j], out.first[j + 1])
                after = np.zeros(len(pomdp.start))
                after[bound.blocks.states[out.slots[at]]] = out.weights[at]
                worths = vectors[bound.blocks.block[np.argmax(after)]] @ after
                assert abs(worth[j] - worths.max()) <= scale
                assert abs(worth[j] - worths[follow[out.observation[j]]]) <= 1e-9 * scale + 1e-12
            assert total == pytest.approx(worth.sum())


def test_the_best_vector_is_sought_among_the_newer_ones_only_if_asked():
    pomdp = POMDP([np.eye(2)], [np.ones((2, 1))], R=[[0.0], [0.0]])
    bound = lower_bound(pomdp)
    bound.make_room()
    for alpha in ([5.0, 0.0], [0.0, 5.0], [3.0, 3.0]):
        add_vector(bound.blocks, bound.vectors, 0, np.array(alpha), 0)
    held = bound.vectors.held[0]
    slots = np.array([0, 1], np.int32)
    for weights, since, best in [((1, 0), 0, held - 3), ((0, 1), 0, held - 2), ((1, 0), held - 2, held - 1)]:
        found = best_vector(bound.blocks, bound.vectors, 0, slots, np.array(weights, float), 0, 2, since)
        assert found == best
