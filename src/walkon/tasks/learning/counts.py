"""Counts of what happened in a log: known ones, and expected ones where states are not known.

In a run of rows with unknown states, the counts are expectations under a model, by the forward-backward recursion
(Baum and others 1970):

    alpha_t+1(y) = sum_x alpha_t(x) W_t(x, y) e_t+1(y)          beta_t(x) = sum_y W_t(x, y) e_t+1(y) beta_t+1(y)

where W_t(x, y) is the probability of the step, including the teammates' action where it is known, and e_t+1(y) that of
the observation; where the state is known, it is 1 for that state and 0 for others. Known facts are counted as they are,
even if the model finds them unlikely.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.models.stacked import Stacked, stack
from walkon.tasks.learning.smoothing_kernels import smooth

LONGEST = 2**27  # rows of a run times states: 1 GiB


class Sizes(NamedTuple):
    """The number of states, actions, joint actions of the teammates (1 where they are folded in) and observations."""

    X: int
    A: int
    B: int
    Z: int

    def shape(self, table: str) -> tuple[int, int]:
        """The shape of a table: one row for each distribution in it."""
        X, A, B, Z = self
        return {"transitions": (A * B * X, X), "sensor": (A * X, Z), "teammates": (X, B), "start": (1, X)}[table]


class Rows(NamedTuple):
    """The rows of a log as numbers; -1 where something is not known."""

    states: Ints  # [N]
    actions: Ints  # [N]
    teammate_actions: Ints  # [N]; 0 where the teammates are folded in
    observations: Ints  # [N]


class Model(NamedTuple):
    """The model under which expectations are taken."""

    P: Sequence[csr_array]  # [A * B] of [X, X]
    O: Sequence[csr_array]  # [A] of [X, Z]
    teammates: csr_array  # [X, B]
    start: Floats  # [X]


class Hidden(NamedTuple):
    """A run of rows in which only the first and the last state may be known; all rows but the last have an action."""

    rows: range
    first: bool  # whether an episode begins with it


class Expected(NamedTuple):
    """The expectations over some runs."""

    counts: dict[str, csr_array]
    likelihood: float  # the logarithm
    unexplained: int  # runs that are impossible under the model; they are left out


def known_counts(rows: Rows, runs: Sequence[range], firsts: Sequence[bool], sizes: Sizes) -> dict[str, csr_array]:
    """Count every move, observation, choice and start with known states; `firsts` marks the begin of an episode."""
    X, B = sizes.X, sizes.B
    inner = np.concatenate([np.arange(run.start, run.stop - 1) for run in runs])
    x, a, b, z = (column[inner] for column in rows)
    y = rows.states[inner + 1]
    step = (x >= 0) & (y >= 0) & (a >= 0) & (b >= 0)
    seen = (y >= 0) & (a >= 0) & (z >= 0)
    chose = (rows.states >= 0) & (rows.teammate_actions >= 0) & (rows.actions >= 0)
    begun = np.array([rows.states[run.start] for run, first in zip(runs, firsts, strict=True) if first], dtype=np.int64)
    begun = begun[begun >= 0]
    places = {
        "transitions": (((a * B + b) * X + x)[step], y[step]),
        "sensor": ((a * X + y)[seen], z[seen]),
        "teammates": (rows.states[chose], rows.teammate_actions[chose]),
        "start": (np.zeros_like(begun), begun),
    }
    return {table: csr_array((np.ones(len(at[0])), at), shape=sizes.shape(table)) for table, at in places.items()}


def hidden_runs(rows: Rows, run: range, first: bool) -> list[Hidden]:
    """Find the parts of a run in which something has to be inferred, each from one known state to the next."""
    found: list[Hidden] = []
    begin = run.start
    for i in run:
        silent = rows.actions[i] < 0
        if i > begin and (rows.states[i] >= 0 or silent or i == run[-1]):
            both = rows.states[begin] >= 0 and rows.states[i] >= 0 and i == begin + 1
            if not (both and rows.teammate_actions[begin] >= 0):
                found.append(Hidden(range(begin, i + 1), first and begin == run.start))
            begin = i
        if silent:
            begin = i + 1
    return found


def expected(model: Model, rows: Rows, runs: Sequence[Hidden], sizes: Sizes) -> Expected:
    """Add up the expectations under a model over some runs."""
    moves, sensor = stack(model.P), stack(model.O)
    policy = model.teammates.toarray()
    moved, seen = np.zeros_like(moves.data), np.zeros_like(sensor.data)
    chosen, begun = np.zeros((sizes.X, sizes.B)), np.zeros(sizes.X)
    likelihood, unexplained = 0.0, 0
    for run, first in runs:
        if len(run) * sizes.X > LONGEST:
            raise InputError(
                f"{len(run):,} rows without a known state are too many for {sizes.X:,} states: split the episode"
            )
        x, a, b, z = (column[run.start : run.stop] for column in rows)
        begin = model.start if first else np.full(sizes.X, 1 / sizes.X)
        if x[0] >= 0:
            begin = np.eye(1, sizes.X, int(x[0])).ravel()
        there = begun if first else np.zeros(sizes.X)  # only the first run of an episode says something about the start
        height = smooth(moves, sensor, policy, begin, x, a, b, z, moved, seen, chosen, there)
        if np.isnan(height):
            unexplained += 1
        else:
            likelihood += height
    tables = {
        "transitions": _table(moves, moved, sizes.shape("transitions")),
        "sensor": _table(sensor, seen, sizes.shape("sensor")),
        "teammates": csr_array(chosen),
        "start": csr_array(begun[np.newaxis]),
    }
    return Expected(tables, likelihood, unexplained)


def _table(pattern: Stacked, often: Floats, shape: tuple[int, int]) -> csr_array:
    counts = csr_array((often, pattern.indices, pattern.indptr), shape=shape)
    counts.eliminate_zeros()
    return counts
