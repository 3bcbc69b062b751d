"""Kernels of sweeps: the upper bounds at many beliefs, each backed up from all the others."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.solvers.points.backup_kernels import Search, averages, branch
from walkon.solvers.points.interpolation_kernels import Uppers, interpolate
from walkon.solvers.points.point_kernels import Points
from walkon.solvers.points.upper_kernels import record


@kernel
def sweep(search: Search, uppers: Uppers, beliefs: Points, chosen: Ints, skip: Floats, q: Floats) -> None:
    """Bound each action at the chosen beliefs by the interpolation after each observation, without what is remembered.

    An action with an upper bound of at most skip[i] at belief i, if there are such bounds, is not looked at and gets
    -inf in q [chosen, A].
    """
    model, blocks, _, points, _, out = search
    A = model.R.shape[1]
    hope = np.empty(A)
    for n in range(chosen.shape[0]):
        i = chosen[n]
        for a in range(A):
            q[n, a] = -np.inf
            if skip.shape[0] > 0 and uppers.q[i, a] <= skip[n]:
                continue
            total = 0.0
            for j in range(branch(model, blocks, beliefs, i, a, out)):
                begin, end = out.first[j], out.first[j + 1]
                hope[:] = 0.0
                for k in range(begin, end):
                    uppers.weights[out.slots[k]] = out.weights[k]
                    y = blocks.states[out.slots[k]]
                    for c in range(A):
                        hope[c] += out.weights[k] * model.above[y, c]
                g = blocks.block[blocks.states[out.slots[begin]]]
                total += interpolate(model, blocks, points, uppers, g, 0, hope.max(), hope)
                for k in range(begin, end):
                    uppers.weights[out.slots[k]] = 0.0
            reward = 0.0
            for j in range(beliefs.first[i], beliefs.first[i + 1]):
                reward += beliefs.weights[j] * model.R[blocks.states[beliefs.slots[j]], a]
            q[n, a] = reward + model.discount * total


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
