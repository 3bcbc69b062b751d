"""Explorations towards what is still uncertain, backed up in reverse. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.arrays import Ints
from walkon.compiled import kernel
from walkon.solvers.points.backup_kernels import Search, backup, follow_best
from walkon.solvers.points.point_kernels import settle
from walkon.solvers.points.upper_kernels import Uppers, back_up_above, look


@kernel
def explore(search: Search, uppers: Uppers, aim: float, least: float, path: Ints) -> int:
    """Go where the bounds are furthest apart, as long as that is worth it; returns the number of points in `path`.

    The action is the one whose upper bound is highest, the observation the one with the largest excess: the distance of
    the bounds above aim / gamma^t, times its probability.
    """
    model, blocks, vectors, points, findings, out = search
    Z = out.observation.shape[0]
    follow = np.empty(Z, np.int64)
    at, length = int(np.int64(0)), 0
    look(model, blocks, points, uppers, at)
    while length < path.shape[0]:
        path[length] = at
        length += 1
        aim /= model.discount
        a, count = back_up_above(model, blocks, points, uppers, out, at, least)
        first, _ = follow_best(blocks, vectors, out, count, findings, at, a, follow)
        best, chosen = 0.0, -1
        for j in range(count):
            probability = 0.0
            for k in range(out.first[j], out.first[j + 1]):
                probability += out.weights[k]
            excess = uppers.worth[uppers.branch[at, a] + j] - findings.worth[first + j] - aim * probability
            if excess > best:
                best, chosen = excess, j
        if chosen < 0:
            break
        begin, end = out.first[chosen], out.first[chosen + 1]
        at = settle(blocks, vectors, points, out.slots[begin:end], out.weights[begin:end])
        look(model, blocks, points, uppers, at)
    return length


@kernel
def back_up_both(search: Search, uppers: Uppers, path: Ints, least: float) -> None:
    """Back up both bounds at the points of a path, from its end to its beginning."""
    for t in range(path.shape[0] - 1, -1, -1):
        back_up_above(search.model, search.blocks, search.points, uppers, search.branches, path[t], least)
        backup(search, path[t], uppers.q[path[t]], least)
