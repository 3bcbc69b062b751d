"""A belief over K tasks and one over the states of each, packed into one array, which is the fastest form for kernels.

- p(k), [K];
- 1 for refuted tasks and 0 for others, [K];
- the index at which each task's pairs end, [K];
- pairs, [S, 2]: a possible state and its weight. The pairs of one task follow those of another.

After a few observations most states are impossible. They are left out, which saves time and memory.

If a weight is below 1e-250 (that of a task, or of a state of a task that is not refuted), all exact weights follow the
pairs in a tail: the mantissa and exponent of each, m 2^e, those of tasks and then those of pairs, [K + S, 2]. Before
the tail, such a weight is the nearest float that is not 0. So 0 means impossible.
"""

from collections.abc import Sequence

import numpy as np

from walkon.arrays import Floats
from walkon.models.faint_kernels import split_weights, with_exact_tasks, with_tasks
from walkon.models.scaled import logarithms


def pack(tasks: Floats, refuted: Floats, states: Sequence[Floats]) -> Floats:
    """Pack the belief over tasks [K], which are refuted [K], and the beliefs over states, [K] of [X_k].

    >>> pack(np.array([1.0]), np.array([0.0]), [np.array([0.0, 0.25, 0.75])])
    array([1.  , 0.  , 2.  , 1.  , 0.25, 2.  , 0.75])
    """
    pairs = [np.column_stack([np.flatnonzero(belief), belief[belief != 0.0]]) for belief in states]
    return np.concatenate([tasks, refuted, np.cumsum([len(each) for each in pairs]), *(each.ravel() for each in pairs)])


def unpack_states(packed: Floats, sizes: Sequence[int]) -> tuple[Floats, ...]:
    """Return the beliefs over states in full, [K] of [X_k].

    >>> unpack_states(np.array([1.0, 0.0, 2.0, 1.0, 0.25, 2.0, 0.75]), [3])
    (array([0.  , 0.25, 0.75]),)
    """
    K = len(sizes)
    ends, pairs = packed[2 * K : 3 * K].astype(np.int64), packed[3 * K :].reshape(-1, 2)
    states = tuple(map(np.zeros, sizes))
    for belief, own in zip(states, np.split(pairs, ends), strict=False):
        belief[own[:, 0].astype(np.int64)] = own[:, 1]
    return states


def has_tail(packed: Floats, K: int) -> bool:
    """Return whether packed beliefs over K tasks have a tail of exact weights."""
    return len(packed) > 3 * K + 2 * int(packed[3 * K - 1])


def believing(packed: Floats, tasks: Floats, exact: Floats | None = None) -> Floats:
    """Replace the belief over tasks; its exact weights are those of the packed beliefs `exact`, if these have a tail.

    >>> believing(np.array([1.0, 0.0, 2.0, 1.0, 0.25, 2.0, 0.75]), np.array([0.5]))
    array([0.5 , 0.  , 2.  , 1.  , 0.25, 2.  , 0.75])
    """
    K = len(tasks)
    if exact is not None and has_tail(exact, K):
        return with_exact_tasks(packed, split_weights(exact, K)[:K])
    if has_tail(packed, K):
        return with_tasks(packed, tasks)
    return np.concatenate([tasks, packed[K:]])


def log_weights(packed: Floats, K: int) -> Floats:
    """Return the exact natural logarithm of every weight: tasks, then pairs, [K + S].

    >>> log_weights(np.array([1.0, 0.0, 2.0, 1.0, 0.25, 2.0, 0.75]), 1).round(2).tolist()
    [0.0, -1.39, -0.29]
    """
    return logarithms(split_weights(packed, K))
