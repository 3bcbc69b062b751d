"""The upper bound: its interpolation against the formula written out, and its values against trees of histories."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_models import pomdps, random_pomdp, rows, seeds
from twins import dense
from walkon import POMDP, Ascent, FastInformedBound, solve
from walkon.domains.classics import tag, tiger
from walkon.solvers.points import lower_bound, upper_bound
from walkon.solvers.points.interpolation_kernels import interpolate
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.sweep_kernels import no_anchors, sweep, sweep_again
from walkon.solvers.points.upper_bound import UpperBound
from walkon.solvers.points.upper_kernels import back_up_above, look, prune, refresh
from walkon.solvers.solution import Budget
from walkon.testing.problems import optimal


def bounds(pomdp, explorations=12, least=1e-9):
    """Both bounds after a few explorations."""
    below = LowerBound(pomdp, Budget(None, None, None))
    above = UpperBound(below)
    for _ in range(explorations):
        above.make_room()
        aim = 0.5 * (above.value - below.value)
        above.back_up(above.explore(aim, least), least, Budget(None, None, None))
    above.make_room()
    return below, above


def nodes(below, above):
    """The points with a value from above, written out: beliefs [N, X], values [N], blocks [N]."""
    points = below.points
    found = np.flatnonzero(above.uppers.latest[: points.size[0]] > 0)
    beliefs = np.zeros((len(found), below.model.R.shape[0]))
    for row, begin, end in zip(beliefs, points.first[found], points.first[found + 1], strict=True):
        row[below.blocks.states[points.slots[begin:end]]] = points.weights[begin:end]
    return beliefs, above.uppers.value[found], points.block[found]


def written_out(below, found, belief, g):
    """The interpolation at a belief of block g: the best of all nodes of the block, and of none."""
    q, low = below.model.above, below.worst
    beliefs, values, blocks = found
    best = int(np.argmax(belief @ q))
    bounds = [(belief @ q).max()]
    for node, value in zip(beliefs[blocks == g], values[blocks == g], strict=True):
        seen = np.flatnonzero(node)
        each = belief[seen] / node[seen]
        order = np.argsort(each)
        reached = np.cumsum((node[seen] * (q[seen, best] - low[seen]))[order]) >= node @ q[:, best] - value
        for phi in (each.min(), each[order][np.argmax(reached)] if reached.any() else each.max()):
            rest = belief - phi * node
            bounds.append(phi * value + (np.maximum(rest, 0) @ q).max() - np.maximum(-rest, 0) @ low)
    return min(bounds)


def ratios(belief, nodes):
    """How much of each node a belief holds: the least ratio over the states of the node, [N]."""
    return np.divide(belief, nodes, out=np.full(nodes.shape, np.inf), where=nodes > 0).min(axis=1)


def interpolated(below, above, belief, g):
    slots = below.blocks.slot[np.flatnonzero(belief)]
    above.uppers.weights[slots] = belief[belief > 0]
    hope = belief @ below.model.above
    at = below.model, below.blocks, below.points, above.uppers
    found, _, _ = interpolate(*at, g, 0, hope.max(), hope)
    above.uppers.weights[:] = 0
    return found


def beliefs_of(below, rng, count=5):
    """Random beliefs within random blocks."""
    for _ in range(count):
        g = int(rng.integers(below.blocks.block.max() + 1))
        states = below.blocks.states[below.blocks.first[g] : below.blocks.first[g + 1]]
        belief = np.zeros(below.model.R.shape[0])
        belief[states] = rows(rng, (len(states),), 0.2)
        yield g, belief


@given(pomdps(), seeds)
def test_the_interpolation_is_its_formula(pomdp, seed):
    below, above = bounds(pomdp, explorations=4)
    scale = np.abs(below.model.above).max() + 1e-300
    found = nodes(below, above)
    for g, belief in beliefs_of(below, np.random.default_rng(seed)):
        expected = written_out(below, found, belief, g)
        assert interpolated(below, above, belief, g) == pytest.approx(expected, abs=1e-9 * scale)


@given(seeds, st.sampled_from([0.0, 0.5, 0.9]))
def test_it_is_nowhere_below_the_optimum_nor_above_the_bound_that_it_starts_from(seed, sparsity):
    pomdp = random_pomdp(seed, X=4, A=2, Z=2, discount=0.5, sparsity=sparsity)
    below, above = bounds(pomdp)
    for g, belief in beliefs_of(below, np.random.default_rng(seed)):
        low, _ = optimal(POMDP(pomdp.P, pomdp.O, pomdp.R, belief, 0.5), depth=5)
        value = interpolated(below, above, belief, g)
        assert low - 1e-9 <= value <= (belief @ below.model.above).max() + 1e-9


@given(seeds)
def test_it_is_nowhere_above_the_sawtooth(seed):
    """Hauskrecht's sawtooth takes the values of the states, where this takes the vectors of the fast informed bound."""
    pomdp = random_pomdp(seed, X=4, A=3, Z=2, discount=0.9, sparsity=0.0)
    below, above = bounds(pomdp)
    corners = below.model.above.max(axis=1)
    found, values, _ = nodes(below, above)
    for g, belief in beliefs_of(below, np.random.default_rng(seed)):
        each = belief @ corners + ratios(belief, found) * (values - found @ corners)
        sawtooth = min([belief @ corners, *each])
        assert interpolated(below, above, belief, g) <= sawtooth + 1e-9


@given(seeds, st.sampled_from([0.0, 0.5, 0.9]))
def test_the_values_at_its_beliefs_are_above_the_optimum(seed, sparsity):
    pomdp = random_pomdp(seed, X=3, A=2, Z=2, discount=0.5, sparsity=sparsity)
    below, above = bounds(pomdp, explorations=5)
    found, values, _ = nodes(below, above)
    for belief, value in list(zip(found, values, strict=True))[:5]:
        low, high = optimal(POMDP(pomdp.P, pomdp.O, pomdp.R, belief, 0.5), depth=5)
        assert value >= low - 1e-9
        assert value <= high + 0.5 * (above.uppers.hope.max() - low) + 1e-9


@given(pomdps())
def test_an_action_is_worth_its_reward_and_the_interpolation_after_each_observation(pomdp):
    below, above = bounds(pomdp, explorations=3)
    P, O = dense(pomdp.P), dense(pomdp.O)
    i = int(np.flatnonzero(np.isfinite(above.uppers.value[: below.points.size[0]]))[-1])
    at = slice(below.points.first[i], below.points.first[i + 1])
    belief = np.zeros(len(pomdp.start))
    belief[below.blocks.states[below.points.slots[at]]] = below.points.weights[at]
    scale = np.abs(below.model.above).max() + np.abs(pomdp.R).max()
    for a in range(len(P)):
        expected, found = belief @ pomdp.R[:, a], nodes(below, above)
        for z in range(O.shape[2]):
            after = (belief @ P[a]) * O[a][:, z]
            if after.any():
                g = below.blocks.block[np.argmax(after)]
                expected += pomdp.discount * written_out(below, found, after, g)
        before = above.uppers.q[i, a]
        refresh(below.model, below.blocks, below.points, above.uppers, below.branches, i, a)
        assert above.uppers.q[i, a] == pytest.approx(min(before, expected), abs=1e-9 * scale)


@given(pomdps())
def test_a_backup_takes_the_best_action_after_bringing_it_up_to_date(pomdp):
    below, above = bounds(pomdp, explorations=2)
    uppers = above.uppers
    before = uppers.value[0]
    a, count = back_up_above(below.model, below.blocks, below.points, uppers, below.branches, 0, 0.0)
    assert uppers.q[0, a] == uppers.q[0].max()
    assert uppers.value[0] == min(before, uppers.q[0, a])
    assert count >= 1
    again, _ = back_up_above(below.model, below.blocks, below.points, uppers, below.branches, 0, 0.0)
    assert uppers.value[0] <= before
    assert again in range(len(pomdp.P))


@given(pomdps())
def test_pruning_leaves_exactly_points_that_no_others_imply(pomdp):
    below, above = bounds(pomdp)
    before = len(nodes(below, above)[0])
    prune(below.model, below.blocks, below.points, above.uppers, 0.0)
    beliefs, values, blocks = nodes(below, above)
    assert above.uppers.size[2] == len(beliefs) <= before
    for i, (belief, value, g) in enumerate(zip(beliefs, values, blocks, strict=True)):
        if g == below.blocks.start > below.blocks.block.max():
            continue  # the start across blocks is the only point of its own
        others = [np.delete(each, i, axis=0) for each in (beliefs, values, blocks)]
        assert written_out(below, others, belief, g) > value - 1e-9
        assert interpolated(below, above, belief, g) <= value + 1e-9


def test_a_point_that_is_new_to_it_starts_from_the_fast_informed_bound():
    pomdp = tiger()
    below = LowerBound(pomdp, Budget(None, None, None))
    above = UpperBound(below)
    exact = solve(pomdp, FastInformedBound(epsilon=1e-9)).upper
    assert above.value == pytest.approx(exact, abs=1e-3 * (exact - below.value))
    above.uppers.value[0] = 50.0
    look(below.model, below.blocks, below.points, above.uppers, 0)
    assert above.value == 50.0  # it is not new any more


def test_it_keeps_its_points_when_others_are_thinned_out(monkeypatch):
    monkeypatch.setattr(lower_bound, "MANY", 2)
    pomdp = tag()
    below = LowerBound(pomdp, Budget(None, None, None))
    above, rng, thinned = UpperBound(below), np.random.default_rng(0), 0
    for i in range(300):
        known = np.sort(above.uppers.value[above.uppers.latest > 0])
        before = below.points.size[0]
        above.make_room()
        if below.points.size[0] < before:
            thinned += 1
            assert np.sort(above.uppers.value[above.uppers.latest > 0]).tolist() == known.tolist()
            beliefs, values, blocks = nodes(below, above)
            for node, value, g in list(zip(beliefs, values, blocks, strict=True))[:50]:
                if g != below.blocks.start:
                    assert interpolated(below, above, node, g) <= value + 1e-9
        if i % 9 == 0:
            path = above.explore(0.5 * (above.value - below.value), 0.5)
            above.back_up(path, 0.5, Budget(None, None, None))
        else:
            below.back_up(below.walk(i % 3, 0.5, rng), 0.5, Budget(None, None, None))
    assert thinned > 0


@given(seeds, st.sampled_from([0.0, 0.8]))
def test_sweeps_lower_the_bound_but_never_below_the_optimum(seed, sparsity):
    """Where every state is left again and again, a sweep lowers all values at once, by far more than each one gains."""
    pomdp = random_pomdp(seed, X=3, A=2, Z=2, discount=0.9, sparsity=sparsity)
    below, above = bounds(pomdp, explorations=3)
    known = np.flatnonzero(np.isfinite(above.uppers.value[: below.points.size[0]]))
    values, table = above.uppers.value[known].copy(), below.model.above.copy()
    above.sweep(0.0, above.value - below.value)
    assert (above.uppers.value[known] <= values).all()
    assert (below.model.above <= table).all()
    assert above.value >= solve(pomdp, Ascent(backups=300)).lower - 1e-9
    for g, belief in beliefs_of(below, np.random.default_rng(seed), count=2):
        there = solve(POMDP(pomdp.P, pomdp.O, pomdp.R, belief, 0.9), Ascent(backups=200))
        assert interpolated(below, above, belief, g) >= there.lower - 1e-9


@given(pomdps())
def test_a_sweep_from_its_own_anchors_changes_nothing_and_with_other_values_is_nowhere_below_a_new_one(pomdp):
    below, above = bounds(pomdp, explorations=3)
    uppers, A = above.uppers, len(pomdp.P)
    chosen = np.flatnonzero(np.isfinite(uppers.value[: below.points.size[0]]))
    skip = uppers.value[chosen] - 0.5 * (above.value - below.value)
    first, again, anew = (np.empty((len(chosen), A)) for _ in range(3))
    scale = np.abs(below.model.above).max() + np.abs(pomdp.R).max()
    anchors = sweep(below.search, uppers, below.points, chosen, skip, no_anchors(len(chosen), A), first)
    again[:] = first
    sweep_again(below.search, uppers, below.points, chosen, anchors, again)
    assert again == pytest.approx(first, abs=1e-9 * scale)
    uppers.value[chosen] -= np.linspace(0, 0.1 * (above.value - below.value), len(chosen))
    sweep_again(below.search, uppers, below.points, chosen, anchors, again)
    sweep(below.search, uppers, below.points, chosen, skip, no_anchors(len(chosen), A), anew)
    assert (anew <= again + 1e-9 * scale).all()
    assert (again <= first + 1e-9 * scale).all()


@given(pomdps())
def test_a_sweep_bounds_an_action_by_its_reward_and_the_interpolation_after_each_observation(pomdp):
    below, above = bounds(pomdp, explorations=3)
    P, O, X = dense(pomdp.P), dense(pomdp.O), len(pomdp.start)
    q, none = np.empty((X, len(P))), np.empty(0)
    sweep(below.search, above.uppers, above._states, np.arange(X), none, no_anchors(X, len(P)), q)
    found, scale = nodes(below, above), np.abs(below.model.above).max() + np.abs(pomdp.R).max()
    for x in range(X):
        for a in range(len(P)):
            expected = pomdp.R[x, a]
            for z in range(O.shape[2]):
                after = P[a][x] * O[a][:, z]
                if after.any():
                    g = below.blocks.block[np.argmax(after)]
                    expected += pomdp.discount * written_out(below, found, after, g)
            assert q[x, a] == pytest.approx(expected, abs=1e-9 * scale)


@pytest.mark.parametrize("discount", [0.9, 0.99])
@pytest.mark.parametrize("seed", range(8))
def test_sweeps_that_leave_out_actions_still_bound_the_optimum(seed, discount, monkeypatch):
    """All but the best are left out, so that what a sweep takes off has to be cut."""
    monkeypatch.setattr(upper_bound, "SPARED", 1e-6)
    monkeypatch.setattr(upper_bound, "AHEAD", seed % 2)
    pomdp = random_pomdp(seed, X=3, A=4, Z=2, discount=discount, sparsity=(0.0, 0.8)[seed % 2])
    below, above = bounds(pomdp, explorations=3)
    for _ in range(4):
        above.sweep(0.0, above.value - below.value)
    assert above.value >= solve(pomdp, Ascent(backups=2000)).lower - 1e-9
    for g, belief in beliefs_of(below, np.random.default_rng(seed), count=3):
        there = solve(POMDP(pomdp.P, pomdp.O, pomdp.R, belief, discount), Ascent(backups=1000))
        assert interpolated(below, above, belief, g) >= there.lower - 1e-9


def test_a_few_sweeps_do_what_takes_thousands_of_backups():
    pomdp = random_pomdp(0, X=4, A=2, Z=2, discount=0.999, sparsity=0.0)
    below, above = bounds(pomdp, explorations=6)
    before, sure = above.value, solve(pomdp, Ascent(backups=2000)).lower
    above.sweep(0.0, above.value - below.value)
    assert sure <= above.value < before - 0.2 * (before - sure)
