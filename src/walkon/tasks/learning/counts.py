"""How often each thing happened in a log, as far as it is known."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Ints


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
    """The rows of a log as numbers; -1 where it is not known."""

    states: Ints  # [N]
    actions: Ints  # [N]
    teammate_actions: Ints  # [N]; 0 where the teammates are folded in
    observations: Ints  # [N]


def known_counts(rows: Rows, runs: Sequence[range], firsts: Sequence[bool], sizes: Sizes) -> dict[str, csr_array]:
    """Count every move, observation, choice and start whose states are known.

    Args:
        rows: The log.
        runs: The rows that follow one another without a gap.
        firsts: Whether an episode begins with a run.
        sizes: How many things there are.
    """
    X, B = sizes.X, sizes.B
    inner = np.concatenate([np.arange(run.start, run.stop - 1) for run in runs])
    x, a, b, z = (column[inner] for column in rows)
    y = rows.states[inner + 1]
    step = (x >= 0) & (y >= 0) & (a >= 0) & (b >= 0)
    read = (y >= 0) & (a >= 0) & (z >= 0)
    chose = (rows.states >= 0) & (rows.teammate_actions >= 0) & (rows.actions >= 0)
    begun = np.array([rows.states[run.start] for run, first in zip(runs, firsts, strict=True) if first], dtype=np.int64)
    begun = begun[begun >= 0]
    places = {
        "transitions": (((a * B + b) * X + x)[step], y[step]),
        "sensor": ((a * X + y)[read], z[read]),
        "teammates": (rows.states[chose], rows.teammate_actions[chose]),
        "start": (np.zeros_like(begun), begun),
    }
    return {table: csr_array((np.ones(len(at[0])), at), shape=sizes.shape(table)) for table, at in places.items()}
