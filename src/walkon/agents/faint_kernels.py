"""`posterior` for beliefs in which some weights are too small for floats. Kernels: plain arrays in, plain arrays out.

It takes the same beliefs and gives the same, in the arithmetic of `walkon.models.faint_kernels`: a task or a state is
at 0 only where what was read is impossible. It is a few times slower, so the fast kernel calls it when it needs to.
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.faint_kernels import exact_pairs, exactly, follow, packed
from walkon.models.scaled_kernels import FAINT, Scaled, over, plus, times
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
