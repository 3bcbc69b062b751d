"""Fits the tables of a model to a log: known facts are counted, unknown ones are inferred with the model.

Where states or teammates' actions are unknown, the tables are found by expectation maximisation: each round raises

    log P(log | tables) + sum_ij alpha(i, j) log p(i, j),

so that it converges. It stops when a round gains less than 1e-7 for each row of the log, or after 1,000 rounds. What
has probability 0 would keep it for ever; so where something is unknown, a share of the prior, `smoothing`, is spread
evenly over all outcomes of a row.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, diags_array, vstack

from walkon.models.dirichlet import DirichletTable
from walkon.tasks.learning.information import measure_worth
from walkon.tasks.learning.log import Hidden, Model, Rows, Sizes, expected, hidden_runs, known_counts

MOST_ENTRIES = 2 * 10**7
ROUNDS = 1000
STANDSTILL = 1e-7


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be fitted to which runs of rows."""

    rows: Rows
    sizes: Sizes
    runs: Sequence[Hidden]  # the stretches without a gap
    prior: Model
    tables: Sequence[str]  # those to learn
    strength: float
    smoothing: float
    infer: bool  # whether unknown states are inferred, with the prior

    @property
    def unknown(self) -> list[Hidden]:
        """The parts of the runs in which something has to be inferred."""
        return [part for run, first in self.runs for part in hidden_runs(self.rows, run, first)]

    @property
    def anchored(self) -> bool:
        """Whether something says which state is which: a known state, known moves or a known sensor."""
        return bool((self.rows.states >= 0).any()) or not {"transitions", "sensor"} <= set(self.tables)

    def full(self, table: str) -> bool:
        """Whether a table is small enough for probabilities of all outcomes."""
        rows, columns = self.sizes.shape(table)
        return rows * columns <= MOST_ENTRIES

    def smooth(self, table: str, weights: csr_array) -> csr_array:
        """Spread a share of the weights of each row evenly over all its outcomes, unless the table is too large."""
        if not self.smoothing or not self.full(table):
            return weights
        total = np.asarray(weights.sum(axis=1)).reshape(-1, 1)
        return csr_array((1 - self.smoothing) * weights.toarray() + self.smoothing * total / weights.shape[1])


class Fitted(NamedTuple):
    """The learned tables, and how the search for them went."""

    tables: dict[str, DirichletTable]
    unexplained: int  # parts that are impossible under the model; they are left out
    rounds: int
    converged: bool
    measured: bool  # whether the worth of inferred counts could be measured


def fit_tables(problem: Problem, *, measure: bool = True) -> Fitted:
    """Fit the tables; `measure` says whether the worth of inferred counts is wanted, which takes about as long."""
    rows, sizes, tables = problem.rows, problem.sizes, problem.tables
    known = known_counts(rows, [run for run, _ in problem.runs], [first for _, first in problem.runs], sizes)
    base = {table: problem.strength * stack_table(problem.prior, table) for table in tables}
    hidden = problem.unknown if problem.infer else []
    if not hidden:
        counted = {table: DirichletTable(base[table], known[table]) for table in tables}
        return Fitted(counted, 0, 0, converged=True, measured=True)
    before = {table: problem.smooth(table, base[table]) for table in tables}

    def weigh(means: Mapping[str, csr_array]) -> tuple[dict[str, csr_array], float, int]:
        found = expected(replace_tables(problem.prior, means, sizes), rows, hidden, sizes)
        return found.counts, found.likelihood, found.unexplained

    learned = {table: DirichletTable(before[table], known[table]) for table in tables}
    reached, rounds, unexplained, converged = -np.inf, 0, 0, False
    while not converged and rounds < ROUNDS:
        counts, likelihood, unexplained = weigh({table: each.mean for table, each in learned.items()})
        height = likelihood + sum(_height(learned[table], before[table] + known[table]) for table in tables)
        learned = {table: DirichletTable(before[table], known[table] + counts[table]) for table in tables}
        rounds, converged = rounds + 1, height - reached <= STANDSTILL * len(rows.states)
        reached = height
    for table, each in learned.items():
        still = diags_array((each.effective == 0).astype(np.float64))  # rows without counts stay as they were
        learned[table] = replace(each, prior=csr_array(before[table] + still @ (base[table] - before[table])))
    if not measure:
        return Fitted(learned, unexplained, rounds, converged, measured=False)
    worth, measured = measure_worth(learned, known, (lambda means: weigh(means)[0]) if problem.anchored else None)
    learned = {table: replace(each, worth=worth[table]) for table, each in learned.items()}
    return Fitted(learned, unexplained, rounds, converged, measured)


def _height(table: DirichletTable, weights: csr_array) -> float:
    """Compute what the prior and the known counts of a table contribute to the objective."""
    logs = table.mean.copy()
    logs.data = np.log(logs.data)
    return float(weights.multiply(logs).sum())


def stack_table(model: Model, table: str) -> csr_array:
    """Return a table of a model with one row for each distribution in it."""
    if table == "transitions":
        return vstack(model.P, format="csr")
    if table == "sensor":
        return vstack(model.O, format="csr")
    return csr_array(model.teammates if table == "teammates" else model.start[np.newaxis])


def replace_tables(model: Model, means: Mapping[str, csr_array], sizes: Sizes) -> Model:
    """Replace some tables of a model."""
    X, A, B, _ = sizes
    P, O, teammates, start = model
    if "transitions" in means:
        P = [means["transitions"][i * X : (i + 1) * X] for i in range(A * B)]
    if "sensor" in means:
        O = [means["sensor"][a * X : (a + 1) * X] for a in range(A)]
    if "start" in means:
        start = means["start"].toarray().ravel()
    return Model(P, O, means.get("teammates", teammates), start)
