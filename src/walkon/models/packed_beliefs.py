"""A belief over K tasks and one over the states of each, packed into one array: so they pass to a kernel the fastest.

- p(k), [K];
- 1 for tasks that are refuted and 0 for others, [K];
- how many pairs there are up to the end of each task's, [K];
- pairs, [S, 2]: a state that has belief, and how much. Those of all tasks stand behind one another.

After a few observations most states have no belief. They are left out, so what is done with beliefs costs what is left
of them.

Where a weight is below 1e-250 (a task's, or that of a state of a task that is not refuted), all are held exactly in a
tail behind the pairs: the mantissa and the exponent of each, m 2^e, those of tasks and then those of pairs, [K + S, 2].
What stands before the tail is what readers look at: such a weight as the nearest float that is not 0. So 0 says
impossible.
"""

from collections.abc import Sequence

import numpy as np

from walkon.arrays import Floats
from walkon.models.faint_kernels import exactly, retold, with_tasks
from walkon.models.scaled import logarithms


def pack(tasks: Floats, refuted: Floats, states: Sequence[Floats]) -> Floats:
    """Pack the belief over tasks [K], which are refuted [K], and the beliefs over states, [K] of [X_k].

    >>> pack(np.array([1.0]), np.array([0.0]), [np.array([0.0, 0.25, 0.75])])
    array([1.  , 0.  , 2.  , 1.  , 0.25, 2.  , 0.75])
    """
    pairs = [np.column_stack([np.flatnonzero(belief), belief[belief != 0.0]]) for belief in states]
    return np.concatenate([tasks, refuted, np.cumsum([len(each) for each in pairs]), *(each.ravel() for each in pairs)])


def unpack_states(packed: Floats, sizes: Sequence[int]) -> tuple[Floats, ...]:
    """The beliefs over states in full, [K] of [X_k].

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
    """Whether exact weights stand behind packed beliefs over K tasks."""
    return len(packed) > 3 * K + 2 * int(packed[3 * K - 1])


def believing(packed: Floats, tasks: Floats, exact: Floats | None = None) -> Floats:
    """The same with another belief over tasks.

    Args:
        packed: Beliefs.
        tasks: The belief over tasks, [K].
        exact: Packed beliefs that hold it exactly, in case they have a tail.

    >>> believing(np.array([1.0, 0.0, 2.0, 1.0, 0.25, 2.0, 0.75]), np.array([0.5]))
    array([0.5 , 0.  , 2.  , 1.  , 0.25, 2.  , 0.75])
    """
    K = len(tasks)
    if exact is not None and has_tail(exact, K):
        return retold(packed, exactly(exact, K)[:K])
    if has_tail(packed, K):
        return with_tasks(packed, tasks)
    return np.concatenate([tasks, packed[K:]])


def log_weights(packed: Floats, K: int) -> Floats:
    """The natural logarithm of every weight, exact where that is too small for a float: tasks, then pairs, [K + S].

    >>> log_weights(np.array([1.0, 0.0, 2.0, 1.0, 0.25, 2.0, 0.75]), 1).round(2).tolist()
    [0.0, -1.39, -0.29]
    """
    return logarithms(exactly(packed, K))
