"""A task with tables as rules that compile, so that one search serves tasks with tables and without."""

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.arrays import Floats, Ints
from walkon.tasks import table_rules_kernels as rules
from walkon.tasks.compiled_rules import CompiledRules, functions_of
from walkon.tasks.task import Task


def table_rules(task: Task, q: Floats) -> CompiledRules:
    """Make rules of a task's matrices and of the values [X, A] for a helper who observes the state."""
    pomdp, (X, A) = task.pomdp, task.pomdp.R.shape
    stays = np.all([p.diagonal() == 1 for p in pomdp.P], axis=0) & (pomdp.R == 0).all(axis=1)
    different, which = _different(pomdp.O)
    P = _rows(vstack(pomdp.P, format="csr"), pomdp.R.T.ravel(), 0)
    O = _rows(vstack(different, format="csr"), np.zeros(X * len(different)), len(P))
    Q_at = len(P) + len(O)
    head = [X, A, 0, Q_at, Q_at + X * A, *(len(P) + rules.ROW * X * which)]
    return CompiledRules(
        **functions_of(rules),
        facts=np.concatenate([head, stays]).astype(np.int64),
        reals=np.concatenate([P, O, q.ravel(), np.cumsum(pomdp.start)]),
        state_size=1,
        observation_size=1,
        action_count=A,
        discount=task.discount,
        bundle=1,
    )


def _different(matrices: tuple[csr_array, ...]) -> tuple[list[csr_array], Ints]:
    """The matrices that differ from all before, and which of them each one is."""
    kept, which = list[csr_array](), list[int]()
    for each in matrices:
        same = (i for i, other in enumerate(kept) if (each != other).nnz == 0)
        which.append(next(same, len(kept)))
        if which[-1] == len(kept):
            kept.append(each)
    return kept, np.array(which)


def _rows(matrix: csr_array, rewards: Floats, at: int) -> Floats:
    """The rows of a matrix as the rules read them, from a place on; the likeliest entry of each comes first."""
    sizes, n = np.diff(matrix.indptr), matrix.shape[0]
    row, first = np.repeat(np.arange(n), sizes), matrix.indptr[:-1]
    order = np.lexsort((-matrix.data, row))
    upto = np.cumsum(matrix.data[order])
    upto -= np.repeat(np.concatenate([[0.0], upto])[first], sizes)
    upto[matrix.indptr[1:] - 1] = np.inf
    pairs = np.stack([upto, matrix.indices[order]], axis=1)
    others = at + rules.ROW * n + 2 * (first - np.arange(n))  # without the first entries of the rows before
    heads = np.column_stack([pairs[first], others, rewards])
    return np.concatenate([heads.ravel(), np.delete(pairs, first, axis=0).ravel()])
