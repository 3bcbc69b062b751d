"""What is to be expected where states are not known.

In a run of rows with unknown states, the counts are expectations under a model, by the forward-backward recursion
(Baum and others 1970):

    alpha_t+1(y) = sum_x alpha_t(x) W_t(x, y) e_t+1(y)          beta_t(x) = sum_y W_t(x, y) e_t+1(y) beta_t+1(y)

where W_t(x, y) is the probability of the step, the teammates' action included where it is known, and e_t+1(y) that of
the observation, or 1 for the state that is known and 0 for others. What is known is never weighed against the model: it
happened, and is counted as it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.stacked import Stacked, stack
from walkon.tasks.learning.counts import Rows, Sizes
from walkon.tasks.learning.smoothing_kernels import smooth

LONGEST = 2**27  # rows of a run times states: 1 GiB


class Model(NamedTuple):
    """What the expectations are taken under."""

    P: Sequence[csr_array]  # [A * B] of [X, X]
    O: Sequence[csr_array]  # [A] of [X, Z]
    teammates: csr_array  # [X, B]
    start: Floats  # [X]


class Hidden(NamedTuple):
    """A run of rows in which only the first and the last state may be known; all rows but the last have an action."""

    rows: range
    first: bool  # whether an episode begins with it


class Expected(NamedTuple):
    """What is to be expected of some runs."""

    counts: dict[str, csr_array]
    likelihood: float  # the logarithm
    unexplained: int  # runs that the model rules out; they are left out


def hidden_runs(rows: Rows, run: range, first: bool) -> list[Hidden]:
    """The parts of a run in which something has to be guessed, each from one known state to the next."""
    found: list[Hidden] = []
    begin = run.start
    for i in run:
        silent = rows.actions[i] < 0
        if i > begin and (rows.states[i] >= 0 or silent or i == run[-1]):
            known = (
                rows.states[begin] >= 0 and rows.states[i] >= 0 and i == begin + 1 and rows.teammate_actions[begin] >= 0
            )
            if not known:
                found.append(Hidden(range(begin, i + 1), first and begin == run.start))
            begin = i
        if silent:
            begin = i + 1
    return found


def expected(model: Model, rows: Rows, runs: Sequence[Hidden], sizes: Sizes) -> Expected:
    """Expectations under a model, added up over runs."""
    moves, sensor = stack(model.P), stack(model.O)
    policy = model.teammates.toarray()
    moved, read = np.zeros_like(moves.data), np.zeros_like(sensor.data)
    chosen, begun = np.zeros((sizes.X, sizes.B)), np.zeros(sizes.X)
    likelihood, unexplained = 0.0, 0
    for run, first in runs:
        if len(run) * sizes.X > LONGEST:
            raise InputError(
                f"{len(run):,} rows without a known state are too many for {sizes.X:,} states: split the episode"
            )
        states, actions, teammate_actions, observations = (column[run.start : run.stop] for column in rows)
        x = int(states[0])
        begin = np.eye(1, sizes.X, x).ravel() if x >= 0 else model.start if first else np.full(sizes.X, 1 / sizes.X)
        there = begun if first else np.zeros(sizes.X)  # a run that only goes on tells nothing about the start
        height = smooth(
            moves, sensor, policy, begin, states, actions, teammate_actions, observations, moved, read, chosen, there
        )  # fmt: skip
        if np.isnan(height):
            unexplained += 1
        else:
            likelihood += height
    tables = {
        "transitions": _counted(moves, moved, sizes.shape("transitions")),
        "sensor": _counted(sensor, read, sizes.shape("sensor")),
        "teammates": csr_array(chosen),
        "start": csr_array(begun[np.newaxis]),
    }
    return Expected(tables, likelihood, unexplained)


def _counted(pattern: Stacked, often: Floats, shape: tuple[int, int]) -> csr_array:
    counts = csr_array((often, pattern.indices, pattern.indptr), shape=shape)
    counts.eliminate_zeros()
    return counts
