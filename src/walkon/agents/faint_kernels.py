"""The kernel of the posterior with weights that are too small for floats.

It does the same as `posterior`, in the arithmetic of `walkon.models.faint_kernels`: the weight of a task or a state is
0 only if the observation is impossible there. It is a few times slower, so the fast kernel calls it only if necessary.
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.faint_kernels import copy_rows, exact_pairs, follow, pack_exactly, split_weights
from walkon.models.scaled_kernels import FAINT, Scaled, over, plus, times
from walkon.models.stacked import Places, Stacked


@kernel
def faint_posterior(
    indptr: Places,
    indices: Places,
    data: Floats,
    offsets: Ints,
    beliefs: Floats,  # packed
    action: int,
    taken: Floats,  # a factor for each state before the step, of all tasks in turn; empty for 1
    weights: Floats,  # of the observations, 0 beyond the end; a single observation has weight 1
) -> tuple[Floats, Scaled, bool]:
    """Return packed beliefs after an action and an observation; its probability; whether any weight was faint.

    The first four arguments are the models, as in `posterior`.
    """
    rows = Stacked(indptr, indices, data)
    K = offsets.shape[0] - 1
    half = (indptr.shape[0] - 1) // 2
    A = half // offsets[K]
    before, tasks = exact_pairs(beliefs, K), split_weights(beliefs, K)[:K]
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
        copy_rows(found, 0, after, size, size + found.shape[0])
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
    return pack_exactly(tasks, refuted, ends, after[:size]), total, faint
