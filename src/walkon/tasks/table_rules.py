"""A task with tables as rules that compile, so that one search serves tasks with tables and without."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.tasks import table_rules_kernels as rules
from walkon.tasks.compiled_rules import CompiledRules, functions_of
from walkon.tasks.task import Task


def table_rules(task: Task, q: Floats) -> CompiledRules:
    """Make rules of a task's matrices and of the values [X, A] for a helper who observes the state."""
    pomdp, (X, A) = task.pomdp, task.pomdp.R.shape
    stays = np.all([p.diagonal() == 1 for p in pomdp.P], axis=0) & (pomdp.R == 0).all(axis=1)
    P_rows, P_columns, P = _cumulative(pomdp.P)
    O_rows, O_columns, O = _cumulative(pomdp.O)
    reals = [P, O, pomdp.R.ravel(), q.ravel(), np.cumsum(pomdp.start)]
    R_at, Q_at, start_at = np.cumsum(list(map(len, reals)))[1:4]
    parts = [stays.astype(np.int64), P_rows, P_columns, O_rows + len(P), O_columns]
    ends = rules.HEAD + np.cumsum(list(map(len, parts)))
    places = [*ends[:3], ends[3] - len(P)]  # rows of P, its columns, rows of O, its columns less where O begins
    return CompiledRules(
        **functions_of(rules),
        facts=np.concatenate([[X, A, *places, R_at, Q_at, start_at], *parts]).astype(np.int64),
        reals=np.concatenate(reals),
        state_size=1,
        observation_size=1,
        action_count=A,
        discount=task.discount,
        bundle=1,
    )


def _cumulative(matrices: Sequence[csr_array]) -> tuple[Ints, Ints, Floats]:
    """Stack matrices: where each row begins, the columns, and the cumulative probabilities within each row."""
    sizes = np.concatenate([np.diff(each.indptr) for each in matrices])
    data = np.concatenate([each.data for each in matrices])
    rows = np.concatenate([[0], np.cumsum(sizes)])
    upto = np.cumsum(data)
    before = np.concatenate([[0.0], upto])[rows[:-1]]
    return rows, np.concatenate([each.indices for each in matrices]).astype(np.int64), upto - np.repeat(before, sizes)
