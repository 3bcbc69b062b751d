"""Kernels of the interpolation between upper bounds at points.

Let alpha be the vector of a plan that is optimal at b, so V(b) = alpha . b; v_i an upper bound at b_i; q_a the vectors
of the fast informed bound, whose maximum lies above V everywhere; and l(x) the value of the worst policy that knows the
state, which no plan falls below. Then alpha . b_i <= v_i, and for any phi >= 0, with r = b - phi b_i in its positive
and negative parts,

    V(b) = phi alpha . b_i + alpha . r <= phi v_i + max_a r+ . q_a - r- . l
         = phi v_i + max_a [b . q_a - phi b_i . q_a + sum_x (phi b_i(x) - b(x))+ (q_a(x) - l(x))]

(The sawtooth bound of Hauskrecht 2000 is this with the largest phi for which r has no negative part, and with the
values of the states in place of the vectors, so it is never tighter.) For one action, this is convex in phi, and least
where the b_i(x) (q_a(x) - l(x)) of the states with phi b_i(x) > b(x) add up to b_i . q_a - v_i. All terms are
proportional to b, so weights need not sum to one.
"""

from typing import NamedTuple

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.policies.alpha_kernels import highest
from walkon.solvers.points.backup_kernels import Model
from walkon.solvers.points.point_kernels import Points
from walkon.solvers.points.visible_kernels import Blocks


class Uppers(NamedTuple):
    """The upper bounds at points, for their actions, and after each observation."""

    value: Floats  # [points]: an upper bound, inf for points without one
    q: Floats  # [points, A]: upper bounds on the actions
    hope: Floats  # [points, A]: b . q_a of the fast informed bound
    peak: Floats  # [points]: the largest of these
    branch: Ints  # [points, A]: the first entry of the action's observations in `worth` and `stamp`, -1 for none
    worth: Floats  # for each observation: an upper bound times the observation's probability
    stamp: Ints  # for each observation: the newest change that is taken into account
    changed: Ints  # [changes]: the point whose value changed
    before: Ints  # [changes]: the previous change in the same block that is still the newest of its point, 0 for none
    after: Ints  # [changes]: the next such change, 0 for none
    newest: Ints  # [blocks]: the newest change in the block, 0 for none
    latest: Ints  # [points]: the point's newest change, 0 for none
    size: Ints  # [3]: the number of entries of worth, of changes, and of changes that are listed
    weights: Floats  # [slots], zero between calls
    low: Floats  # [slots]: the value of the worst policy that knows the state
    ratios: Floats  # [states of the largest block]: a buffer
    costs: Floats  # the same


@kernel
def interpolate(
    model: Model, blocks: Blocks, points: Points, uppers: Uppers, g: int, since: int, worth: float, hope: Floats
) -> tuple[float, int, float]:
    """Lower `worth`, a bound at uppers.weights, by the changes in block g after change `since`.

    `hope` holds b . q_a at these weights. Returns the bound, and the point and the phi that give it, -1 for none.
    """
    best, found, share, rest = highest(hope), int(np.int64(-1)), 0.0, np.empty(hope.shape[0])
    change = uppers.newest[g]
    while change > since:
        i = uppers.changed[change]
        slack = uppers.hope[i, best] - uppers.value[i]
        least = (hope[best] - worth) / slack if slack > 0.0 else np.inf  # phi must be larger to be of use
        begin, end = points.first[i], points.first[i + 1]
        less, j = slack, begin
        blocks.work[0] += 1
        while less > 0.0 and j < end:  # most points are of no use, which their likeliest states show
            slot = points.slots[j]
            if uppers.weights[slot] <= least * points.weights[j]:
                less -= points.weights[j] * (model.above[blocks.states[slot], best] - uppers.low[slot])
            j += 1
        blocks.work[0] += j - begin
        if less > 0.0:
            n, lowest = 0, np.inf
            blocks.work[0] += end - begin
            for j in range(begin, end):
                slot = points.slots[j]
                ratio = uppers.weights[slot] / points.weights[j]
                lowest = min(lowest, ratio)
                if ratio > least:
                    uppers.ratios[n] = ratio
                    uppers.costs[n] = points.weights[j] * (model.above[blocks.states[slot], best] - uppers.low[slot])
                    n += 1
            if n > 0:
                if lowest > least:
                    bound = bound_by(model, blocks, points, uppers, i, lowest, lowest, hope, rest)
                    if bound < worth:
                        worth, found, share = bound, i, lowest
                phi = quantile(uppers.ratios, uppers.costs, n, less)
                bound = bound_by(model, blocks, points, uppers, i, phi, lowest, hope, rest)
                if bound < worth:
                    worth, found, share = bound, i, phi
        change = uppers.before[change]
    return worth, found, share


@kernel
def bound_by(
    model: Model,
    blocks: Blocks,
    points: Points,
    uppers: Uppers,
    i: int,
    phi: float,
    lowest: float,
    hope: Floats,
    rest: Floats,
) -> float:
    """Return the bound at uppers.weights by point i and phi; up to `lowest`, nothing negative is left.

    `rest` [A] is a buffer.
    """
    for a in range(rest.shape[0]):
        rest[a] = hope[a] - phi * uppers.hope[i, a]
    if phi > lowest:
        blocks.work[0] += points.first[i + 1] - points.first[i]
        for j in range(points.first[i], points.first[i + 1]):
            slot = points.slots[j]
            over = phi * points.weights[j] - uppers.weights[slot]
            if over > 0.0:
                x = blocks.states[slot]
                for a in range(rest.shape[0]):
                    rest[a] += over * (model.above[x, a] - uppers.low[slot])
    return float(phi * uppers.value[i] + rest[highest(rest)])


@kernel
def quantile(ratios: Floats, costs: Floats, n: int, wanted: float) -> float:
    """Return the first of n ratios, in rising order, at which the sum of their costs reaches `wanted`, or the last.

    Both arrays are rearranged.
    """
    begin, end = 0, n
    pivot = ratios[0]
    while begin < end:
        pivot = ratios[(begin + end) // 2]
        middle, total = begin, 0.0
        for k in range(begin, end):
            if ratios[k] < pivot:
                total += costs[k]
                ratios[k], ratios[middle] = ratios[middle], ratios[k]
                costs[k], costs[middle] = costs[middle], costs[k]
                middle += 1
        if total >= wanted:
            end = middle
            continue
        wanted -= total
        begin = middle
        for k in range(middle, end):
            if ratios[k] == pivot:
                wanted -= costs[k]
                ratios[k], ratios[begin] = ratios[begin], ratios[k]
                costs[k], costs[begin] = costs[begin], costs[k]
                begin += 1
        if wanted <= 0.0:
            break
    return float(pivot)
