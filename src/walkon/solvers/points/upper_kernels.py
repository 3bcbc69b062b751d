"""Kernels of the upper bounds at points: backups, the lists of points to interpolate from, and explorations."""

import numpy as np

from walkon.arrays import Ints
from walkon.compiled import kernel
from walkon.solvers.points.backup_kernels import QUICK, Branches, Model, Search, averages, backup, branch, follow_best
from walkon.solvers.points.interpolation_kernels import Uppers, interpolate
from walkon.solvers.points.point_kernels import Points, settle
from walkon.solvers.points.visible_kernels import Blocks


@kernel
def look(model: Model, blocks: Blocks, points: Points, uppers: Uppers, i: int) -> None:
    """Initialise the upper bound at a point with the fast informed bound, and list its likeliest states first."""
    if uppers.value[i] < np.inf:
        return
    begin, end = points.first[i], points.first[i + 1]
    order = np.argsort(-points.weights[begin:end], kind="mergesort")
    points.slots[begin:end], points.weights[begin:end] = (
        points.slots[begin:end][order],
        points.weights[begin:end][order],
    )
    hope = averages(blocks, points, i, model.above)
    uppers.peak[i] = hope.max()
    for a in range(hope.shape[0]):
        uppers.hope[i, a] = uppers.q[i, a] = hope[a]
    uppers.branch[i] = -1
    uppers.value[i] = uppers.peak[i]
    uppers.latest[i] = 0


@kernel
def refresh(model: Model, blocks: Blocks, points: Points, uppers: Uppers, out: Branches, i: int, a: int) -> int:
    """Bring the upper bound on an action at a point up to date; fill `out`, and return the number of observations."""
    A = model.R.shape[1]
    count = branch(model, blocks, points, i, a, out)
    fresh = uppers.branch[i, a] < 0
    if fresh:
        uppers.branch[i, a] = uppers.size[0]
        uppers.size[0] += count
    at = uppers.branch[i, a]
    hope = np.empty(A)
    total = 0.0
    for j in range(count):
        begin, end = out.first[j], out.first[j + 1]
        g = blocks.block[blocks.states[out.slots[begin]]]
        if fresh or uppers.newest[g] > uppers.stamp[at + j]:
            hope[:] = 0.0
            for k in range(begin, end):
                uppers.weights[out.slots[k]] = out.weights[k]
                x = blocks.states[out.slots[k]]
                for c in range(A):
                    hope[c] += out.weights[k] * model.above[x, c]
            peak = hope.max()
            worth, since = (peak, 0) if fresh else (min(peak, uppers.worth[at + j]), uppers.stamp[at + j])
            uppers.worth[at + j], _, _ = interpolate(model, blocks, points, uppers, g, since, worth, hope)
            uppers.stamp[at + j] = uppers.newest[g]
            blocks.work[0] += QUICK * A * (end - begin)
            for k in range(begin, end):
                uppers.weights[out.slots[k]] = 0.0
        total += uppers.worth[at + j]
    reward = 0.0
    for j in range(points.first[i], points.first[i + 1]):
        reward += points.weights[j] * model.R[blocks.states[points.slots[j]], a]
    uppers.q[i, a] = min(uppers.q[i, a], reward + model.discount * total)
    return count


@kernel
def back_up_above(
    model: Model, blocks: Blocks, points: Points, uppers: Uppers, out: Branches, i: int, least: float
) -> tuple[int, int]:
    """Lower the bound at a point; return its best action, for which `out` is filled, and the number of observations.

    Bounds on actions only fall. So only the best action is brought up to date, until it stays the best. A change
    smaller than `least` is not recorded, nor is one that other points imply, so that there are few to interpolate from.
    """
    last = -1
    count = 0
    while True:
        a = int(np.argmax(uppers.q[i]))
        if a == last:
            break
        count = refresh(model, blocks, points, uppers, out, i, a)
        last = a
    value = uppers.q[i, a]
    if value < uppers.value[i] - least:
        others = implied(model, blocks, points, uppers, i)
        uppers.value[i] = min(value, others)
        if value < others - least:
            record(uppers, i, points.block[i])
    return a, count


@kernel
def implied(model: Model, blocks: Blocks, points: Points, uppers: Uppers, i: int) -> float:
    """The bound at a point that the listed points of its block imply, itself included if it is one; at most its own."""
    begin, end = points.first[i], points.first[i + 1]
    for j in range(begin, end):
        uppers.weights[points.slots[j]] = points.weights[j]
    bound, _, _ = interpolate(model, blocks, points, uppers, points.block[i], 0, uppers.peak[i], uppers.hope[i])
    for j in range(begin, end):
        uppers.weights[points.slots[j]] = 0.0
    return float(min(bound, uppers.value[i]))


@kernel
def record(uppers: Uppers, i: int, g: int) -> None:
    """Add a change of point i to the list of its block g, and take the point's last change out of it."""
    if uppers.latest[i] > 0:
        unlist(uppers, i, g)
    change = uppers.size[1]
    uppers.size[1] += 1
    uppers.size[2] += 1
    uppers.changed[change] = i
    uppers.before[change] = uppers.newest[g]
    uppers.after[uppers.newest[g]] = change  # no list has an entry 0
    uppers.after[change] = 0
    uppers.newest[g] = change
    uppers.latest[i] = change


@kernel
def unlist(uppers: Uppers, i: int, g: int) -> None:
    """Take a point out of the list of its block."""
    old = uppers.latest[i]
    before, after = uppers.before[old], uppers.after[old]
    if after > 0:
        uppers.before[after] = before
    else:
        uppers.newest[g] = before
    if before > 0:
        uppers.after[before] = after
    uppers.latest[i] = 0
    uppers.size[2] -= 1


@kernel
def prune(model: Model, blocks: Blocks, points: Points, uppers: Uppers, least: float) -> None:
    """Take the points out of their lists whose bounds the others imply, up to `least`."""
    for g in range(uppers.newest.shape[0]):
        change = uppers.newest[g]
        while change > 0:
            i, before, after = uppers.changed[change], uppers.before[change], uppers.after[change]
            own = uppers.value[i]
            unlist(uppers, i, g)
            uppers.value[i] = uppers.peak[i]
            others = implied(model, blocks, points, uppers, i)
            uppers.value[i] = own
            if others > own + least:  # it is needed: put it back
                if after > 0:
                    uppers.before[after] = change
                else:
                    uppers.newest[g] = change
                if before > 0:
                    uppers.after[before] = change
                uppers.latest[i] = change
                uppers.size[2] += 1
            change = before


@kernel
def explore(search: Search, uppers: Uppers, aim: float, least: float, path: Ints) -> int:
    """Follow the largest distance of the bounds while it exceeds the aim; return the number of points in `path`.

    The action is the one with the highest upper bound, the observation the one with the largest excess: the distance of
    the bounds minus aim / gamma^t, times its probability.
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
