"""`posterior` and `switch` for beliefs in which some weights are too small for floats. Kernels: plain arrays.

They take the same beliefs and give the same, in the arithmetic of `walkon.models.faint_kernels`: a task or a state is
at 0 only where what was read is impossible. They are a few times slower, so the fast kernels call them when they need
to.
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.faint_kernels import exact_pairs, exactly, follow, packed
from walkon.models.scaled_kernels import FAINT, Scaled, over, plus, split, times
from walkon.models.stacked import Places, Stacked


@kernel
def faint_posterior(
    indptr: Places,
    indices: Places,
    data: Floats,
    offsets: Ints,
    beliefs: Floats,
    action: int,
    taken: Floats,
    weights: Floats,
) -> tuple[Floats, Scaled, bool]:
    """Packed beliefs after an action and what was read; its probability; whether anything on the way was faint.

    Args:
        indptr: The models, as `posterior` takes them.
        indices: Likewise.
        data: Likewise.
        offsets: Likewise.
        beliefs: Packed.
        action: The one that was executed.
        taken: A factor for each state left, of all tasks behind one another; empty where it is 1.
        weights: How much each observation counts; those past the end do not. One that was read alone has 1.
    """
    rows = Stacked(indptr, indices, data)
    K = offsets.shape[0] - 1
    half = (indptr.shape[0] - 1) // 2
    A = half // offsets[K]
    before, tasks = exact_pairs(beliefs, K), exactly(beliefs, K)[:K]
    after = np.empty((offsets[K], 3))
    refuted, ends = np.zeros(K), np.empty(K)
    total, faint = (0.0, 0.0), False
    begin = size = 0
    for k in range(K):
        end, rho = int(beliefs[2 * K + k]), (0.0, 0.0)
        found = before[begin:end]
        if beliefs[K + k] == 0.0:
            X = offsets[k + 1] - offsets[k]
            first = A * offsets[k] + action * X
            factors = taken[offsets[k] : offsets[k + 1]]
            arrived, rho, low = follow(rows, rows, (first, half + first), X, found, factors, weights)
            faint |= low
            if rho[0] > 0.0:
                found = arrived
        refuted[k] = 1.0 if rho[0] == 0.0 else 0.0
        after[size : size + found.shape[0]] = found
        size += found.shape[0]
        ends[k] = size
        share = times((tasks[k, 0], tasks[k, 1]), rho)
        faint |= share[0] > 0.0 and share[1] <= FAINT
        tasks[k, 0], tasks[k, 1] = share
        total = plus(total, share)
        begin = end
    if total[0] > 0.0:
        for k in range(K):
            share = over((tasks[k, 0], tasks[k, 1]), total)
            faint |= share[0] > 0.0 and share[1] <= FAINT
            tasks[k, 0], tasks[k, 1] = share
    return packed(tasks, refuted, ends, after[:size]), total, faint


@kernel
def faint_switch(beliefs: Floats, first: Floats, sizes: Ints, hazard: float, shared: bool) -> Floats:
    """Packed beliefs when each task may have become any other one. All as `switch` takes it.

    What the other tasks have together is summed, for 1 - p(k) may round to 0.
    """
    K = sizes.shape[0]
    other, same = over(split(hazard), split(K - 1.0)), split(1.0 - hazard)
    before, tasks, starts = exact_pairs(beliefs, K), exactly(beliefs, K)[:K], exact_pairs(first, K)
    after = np.empty((sizes.sum(), 3))
    became, refuted, ends = np.empty((K, 2)), np.zeros(K), np.empty(K)
    size = 0
    for k in range(K):
        weights = np.zeros((sizes[k], 2))
        if not shared:
            rest = (0.0, 0.0)
            for i in range(K):
                if i != k:
                    rest = plus(rest, (tasks[i, 0], tasks[i, 1]))
            share = times(other, rest)
            for j in range(0 if k == 0 else int(first[2 * K + k - 1]), int(first[2 * K + k])):
                x = int(starts[j, 0])
                weights[x, 0], weights[x, 1] = times(share, (starts[j, 1], starts[j, 2]))
        for i in range(K):
            if shared or i == k:
                share = times((tasks[i, 0], tasks[i, 1]), same if i == k else other)
                for j in range(0 if i == 0 else int(beliefs[2 * K + i - 1]), int(beliefs[2 * K + i])):
                    x = int(before[j, 0])
                    more = times(share, (before[j, 1], before[j, 2]))
                    weights[x, 0], weights[x, 1] = plus((weights[x, 0], weights[x, 1]), more)
        total, kept = (0.0, 0.0), size
        for x in range(sizes[k]):
            if weights[x, 0] > 0.0:
                after[kept, 0], after[kept, 1], after[kept, 2] = x, weights[x, 0], weights[x, 1]
                total = plus(total, (weights[x, 0], weights[x, 1]))
                kept += 1
        for j in range(size, kept):
            after[j, 1], after[j, 2] = over((after[j, 1], after[j, 2]), total)
        became[k, 0], became[k, 1] = total
        if total[0] == 0.0:
            refuted[k] = beliefs[K + k]
            begin, end = 0 if k == 0 else int(beliefs[2 * K + k - 1]), int(beliefs[2 * K + k])
            kept = size + end - begin
            after[size:kept] = before[begin:end]
        ends[k] = size = kept
    return packed(became, refuted, ends, after[:size])
