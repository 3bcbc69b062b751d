"""Kernels of sweeps: the upper bounds at many beliefs, each backed up from all the others."""

from typing import NamedTuple

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.policies.alpha_kernels import highest
from walkon.solvers.points.backup_kernels import QUICK, Search, averages, branch
from walkon.solvers.points.interpolation_kernels import Uppers, bound_by, interpolate
from walkon.solvers.points.point_kernels import Points
from walkon.solvers.points.upper_kernels import record


class Anchors(NamedTuple):
    """The point that the bound was interpolated from after each observation, and its phi: see `interpolate`."""

    first: Ints  # [chosen, A]: the first entry of an action's observations in the others, -1 for none
    point: Ints  # -1 for the fast informed bound
    share: Floats


def no_anchors(beliefs: int, A: int) -> Anchors:
    """Return the anchors of so many beliefs before any sweep."""
    return Anchors(np.full((beliefs, A), -1), np.empty(64, np.int64), np.empty(64))


@kernel
def sweep(
    search: Search, uppers: Uppers, beliefs: Points, chosen: Ints, skip: Floats, anchors: Anchors, q: Floats
) -> Anchors:
    """Bound each action at the chosen beliefs by the interpolation after each observation, without what is remembered.

    An action with an upper bound of at most skip[i] at belief i, if there are such bounds, is not looked at and gets
    -inf in q [chosen, A]. Returns the anchors of these interpolations.
    """
    A = search.model.R.shape[1]
    first, point, share = anchors
    hope, rest = np.empty(A), np.empty(A)
    size = 0
    for n in range(chosen.shape[0]):
        i = chosen[n]
        for a in range(A):
            q[n, a], first[n, a] = -np.inf, -1
            if skip.shape[0] == 0 or uppers.q[i, a] > skip[n]:
                while size + search.branches.observation.shape[0] > point.shape[0]:
                    point, share = np.append(point, point), np.append(share, share)
                first[n, a] = size
                q[n, a], size = worth_of(search, uppers, beliefs, i, a, size, True, point, share, hope, rest)
    return Anchors(first, point, share)


@kernel
def sweep_again(search: Search, uppers: Uppers, beliefs: Points, chosen: Ints, anchors: Anchors, q: Floats) -> None:
    """Do the same from the same anchors with their present values, without looking for better ones.

    That bounds the actions too, since every point gives a bound, and costs a small share of the time.
    """
    first, point, share = anchors
    hope, rest = np.empty(q.shape[1]), np.empty(q.shape[1])
    for n in range(chosen.shape[0]):
        for a in range(q.shape[1]):
            at = first[n, a]
            if at >= 0:
                q[n, a], _ = worth_of(search, uppers, beliefs, chosen[n], a, at, False, point, share, hope, rest)


@kernel
def worth_of(
    search: Search,
    uppers: Uppers,
    beliefs: Points,
    i: int,
    a: int,
    at: int,
    anew: bool,
    point: Ints,
    share: Floats,
    hope: Floats,
    rest: Floats,
) -> tuple[float, int]:
    """Bound action a at belief i; return the bound and the entry after its anchors, which begin at entry `at`.

    If `anew`, the anchors are looked for and written; otherwise they are read. `hope` and `rest` [A] are
    buffers.
    """
    model, blocks, _, points, _, out = search
    total, A = 0.0, hope.shape[0]
    for j in range(branch(model, blocks, beliefs, i, a, out)):
        begin, end = out.first[j], out.first[j + 1]
        hope[:] = 0.0
        for k in range(begin, end):
            uppers.weights[out.slots[k]] = out.weights[k]
            y = blocks.states[out.slots[k]]
            for c in range(hope.shape[0]):
                hope[c] += out.weights[k] * model.above[y, c]
        worth = hope[highest(hope)]
        if anew:
            g = blocks.block[blocks.states[out.slots[begin]]]
            worth, point[at], share[at] = interpolate(model, blocks, points, uppers, g, 0, worth, hope)
        elif point[at] >= 0:
            worth = min(worth, bound_by(model, blocks, points, uppers, point[at], share[at], 0.0, hope, rest))
        blocks.work[0] += QUICK * A * (end - begin)
        at += 1
        total += worth
        for k in range(begin, end):
            uppers.weights[out.slots[k]] = 0.0
    reward = 0.0
    for j in range(beliefs.first[i], beliefs.first[i + 1]):
        reward += beliefs.weights[j] * model.R[blocks.states[beliefs.slots[j]], a]
    return float(reward + model.discount * total), at


@kernel
def hope_again(search: Search, uppers: Uppers, chosen: Ints) -> None:
    """Average the fast informed bound, which has changed, over the chosen points."""
    for i in chosen:
        hope = averages(search.blocks, search.points, i, search.model.above)
        uppers.peak[i] = hope.max()
        for a in range(hope.shape[0]):
            uppers.hope[i, a] = hope[a]


@kernel
def record_all(points: Points, uppers: Uppers, chosen: Ints) -> None:
    """Record that the bounds at the chosen points have changed."""
    for i in chosen:
        record(uppers, i, points.block[i])
