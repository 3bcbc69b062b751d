"""Fitting tables to a log: counted at once where all states are known, else improved in turn with what is expected.

Expectation maximisation with the tables' means: each round raises

    log P(log | tables) + sum_ij alpha(i, j) log p(i, j),

so that it comes to rest. It stops when a round brings less than 1e-7 for each row of the log, or after 200 rounds.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.models.dirichlet import DirichletTable
from walkon.tasks.learning.counts import Rows, Sizes, known_counts
from walkon.tasks.learning.log import Log
from walkon.tasks.learning.smoothing import Model, expected, hidden_runs

ROUNDS = 200
STANDSTILL = 1e-7


class Fit(NamedTuple):
    """Tables that were fitted to a log."""

    tables: dict[str, DirichletTable]
    unexplained: int  # runs of rows that the model rules out
    rounds: int


def fitted(
    log: Log, rows: Rows, sizes: Sizes, prior: Model, tables: Sequence[str], strength: float, guess: bool
) -> Fit:
    """The tables that a log teaches.

    Args:
        log: The log.
        rows: Its rows as numbers.
        sizes: How many things there are.
        prior: What is held before.
        tables: What to learn.
        strength: How many observations the prior weighs, for each row of a table.
        guess: Whether to take expectations where states are unknown; else such rows are left out.
    """
    runs = log.runs()
    firsts = [int(log.steps[run.start]) == 0 for run in runs]
    known = known_counts(rows, runs, firsts, sizes)
    held = {table: strength * _stacked(prior, table) for table in tables}
    learned = {table: DirichletTable(held[table], known[table]) for table in tables}
    begun = zip(runs, firsts, strict=True)
    hidden = [part for run, first in begun for part in hidden_runs(rows, run, first)] if guess else []
    if not hidden:
        return Fit(learned, 0, 0)
    reached, rounds, unexplained = -np.inf, 0, 0
    while rounds < ROUNDS:
        found = expected(assembled(prior, learned, sizes), rows, hidden, sizes)
        height = found.likelihood + sum(_height(learned[table], held[table] + known[table]) for table in tables)
        learned = {table: DirichletTable(held[table], known[table] + found.counts[table]) for table in tables}
        rounds, unexplained = rounds + 1, found.unexplained
        if height - reached <= STANDSTILL * len(log):
            break
        reached = height
    return Fit(learned, unexplained, rounds)


def _height(table: DirichletTable, weights: csr_array) -> float:
    """What the prior and the known counts of a table add to what each round raises."""
    logs = table.mean.copy()
    logs.data = np.log(logs.data)
    return float(weights.multiply(logs).sum())


def _stacked(model: Model, table: str) -> csr_array:
    """A table of a model as one matrix."""
    if table in ("transitions", "sensor"):
        return vstack(model.P if table == "transitions" else model.O, format="csr")
    return csr_array(model.teammates if table == "teammates" else model.start[np.newaxis])


def assembled(prior: Model, learned: dict[str, DirichletTable], sizes: Sizes) -> Model:
    """The model with what was learned in the place of what was held before."""
    X, A, B, _ = sizes
    P, O, teammates, start = prior
    if "transitions" in learned:
        P = [learned["transitions"].mean[i * X : (i + 1) * X] for i in range(A * B)]
    if "sensor" in learned:
        O = [learned["sensor"].mean[a * X : (a + 1) * X] for a in range(A)]
    if "teammates" in learned:
        teammates = learned["teammates"].mean
    if "start" in learned:
        start = learned["start"].mean.toarray().ravel()
    return Model(P, O, teammates, start)
