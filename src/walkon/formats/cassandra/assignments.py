"""Assignments to cells, of which the last one wins, and the sparse matrices that they define.

A field is a number, or -1 for `*`. Wildcards are not expanded before they must be: in the matrix of one action an
assignment sets one cell, a column, a row or everything, and a cell's value is the latest of the assignments at these
levels. Only the winners that are not zero are turned into cells, so the work is proportional to the entries in the file
and the non-zeros of the model. The value of a row may also be one of the markers `IDENTITY` and `RESET`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.errors import InputError

MOST_FROM_WILDCARDS = 20_000_000  # entries of T, of O and of R that the file does not list one by one

IDENTITY = np.inf  # the row is 1 on the diagonal
RESET = np.nan  # the row is the start distribution


@dataclass(frozen=True)
class Assignments:
    """Values for cells, in the order of their times."""

    fields: npt.NDArray[np.signedinteger[Any]]  # [D, N]
    times: Ints  # [N]
    values: Floats  # [N]

    def __getitem__(self, chosen: slice | Ints) -> "Assignments":
        return Assignments(self.fields[:, chosen], self.times[chosen], self.values[chosen])

    def per_action(self, actions: int) -> Iterator["Assignments"]:
        """Yield the assignments for each action: its own and those for all actions, without the field of the action.

        Actions that have none of their own get the same object.
        """
        ordered = self[np.argsort(self.fields[0], kind="stable")]
        bounds = np.searchsorted(ordered.fields[0], np.arange(-1, actions + 1))

        def part(first: int, last: int) -> Assignments:
            fields = ordered.fields[1:, first:last].astype(np.int64)  # so wide that they can be multiplied into keys
            return Assignments(fields, ordered.times[first:last], ordered.values[first:last])

        for_all = part(0, bounds[1])
        if actions * len(for_all.times) > MOST_FROM_WILDCARDS:
            raise _too_many()
        for first, last in pairwise(bounds[1:]):
            yield join([for_all, part(first, last)]) if first < last else for_all


def join(parts: list[Assignments]) -> Assignments:
    """Join some parts in the order of their times."""
    fields, times, values = zip(*((part.fields, part.times, part.values) for part in parts), strict=True)
    together = Assignments(np.concatenate(fields, axis=1), np.concatenate(times), np.concatenate(values))
    return together if (np.diff(together.times) >= 0).all() else together[np.argsort(together.times, kind="stable")]


def _too_many() -> InputError:
    most = f"{MOST_FROM_WILDCARDS:,} entries, the most allowed: list the entries that the model needs"
    return InputError(f"the wildcards and keywords stand for more than {most}")


class Latest(NamedTuple):
    """The last assignment at each place of an axis: time -1 and value 0 where there is none."""

    times: Ints
    values: Floats


def latest(places: Ints, times: Ints, values: Floats, size: int) -> Latest:
    """Return the last assignment at each place; place -1 stands for all. The times must be in order."""
    to_all = np.flatnonzero(places < 0)
    since = to_all[-1] if len(to_all) else -1
    time, value = (times[since], values[since]) if len(to_all) else (-1, 0.0)
    result = Latest(np.full(size, time), np.full(size, value))
    last = last_of_each(places[since + 1 :]) + since + 1
    result.times[places[last]] = times[last]
    result.values[places[last]] = values[last]
    return result


def last_of_each(keys: Ints) -> Ints:
    """Return the last position of each distinct key, in the order of the keys.

    >>> last_of_each(np.array([7, 5, 7, 5, 9]))
    array([3, 2, 4])
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    is_last = np.append(ordered[1:] != ordered[:-1], np.ones(min(len(keys), 1), bool))
    last: Ints = order[is_last]
    return last


def matrices(given: Assignments, shape: tuple[int, int, int], start: Floats) -> list[csr_array]:
    """Build one sparse matrix for each action from assignments to (action, row, column); `RESET` rows are the start."""
    actions, *size = shape
    made: list[csr_array] = []
    room = MOST_FROM_WILDCARDS + len(given.times)
    before: Assignments | None = None
    for own in given.per_action(actions):
        if own is not before:
            levels = _Levels(own, size[0], size[1], start)
        room -= levels.wide + len(levels.cells)
        if room < 0:
            raise _too_many()
        made.append(made[-1] if own is before else levels.matrix())
        before = own
    return made


class _Levels:
    """The assignments to one matrix: to rows, to columns and to cells."""

    def __init__(self, given: Assignments, X: int, Y: int, start: Floats) -> None:
        (x, y), t, v = given.fields, given.times, given.values
        self.shape = (X, Y)
        self.start = start
        wide, tall = y < 0, (x < 0) & (y >= 0)
        self.rows = latest(x[wide], t[wide], v[wide], X)
        self.columns = latest(y[tall], t[tall], v[tall], Y)
        cells = np.flatnonzero((x >= 0) & (y >= 0))
        cells = cells[last_of_each(x[cells] * Y + y[cells])]
        cells = cells[(t[cells] > self.rows.times[x[cells]]) & (t[cells] > self.columns.times[y[cells]])]
        self.cells = x[cells] * Y + y[cells]
        self.cell_values = v[cells]
        self.uniform_rows = np.flatnonzero(np.isfinite(self.rows.values) & (self.rows.values != 0))
        self.identity_rows = np.flatnonzero(np.isposinf(self.rows.values))
        self.reset_rows = np.flatnonzero(np.isnan(self.rows.values))
        self.full_columns = np.flatnonzero(self.columns.values)
        # The number of columns that were assigned before each row, and the other way round: the later assignment wins.
        self.across = np.searchsorted(np.sort(self.columns.times), self.rows.times[self.uniform_rows])
        self.down = np.searchsorted(np.sort(self.rows.times), self.columns.times[self.full_columns])

    @property
    def wide(self) -> int:
        """The number of cells that assignments to rows and columns stand for."""
        resets = len(self.reset_rows) * int(np.count_nonzero(self.start))
        return int(self.across.sum() + self.down.sum()) + len(self.identity_rows) + resets

    def matrix(self) -> csr_array:
        """Build the matrix of the non-zeros."""
        X, Y = self.shape
        wide = [*self._wide()]
        keys = np.concatenate([rows * Y + columns for rows, columns, _ in wide])
        values = np.concatenate([value for _, _, value in wide])
        if len(self.cells):
            at = np.minimum(np.searchsorted(self.cells, keys), len(self.cells) - 1)
            older = self.cells[at] != keys
            keys, values = keys[older], values[older]
        keys, values = np.append(self.cells, keys), np.append(self.cell_values, values)
        order = np.flatnonzero(values)
        order = order[np.argsort(keys[order], kind="stable")]
        rows, columns = np.divmod(keys[order], Y)
        indptr = np.append(0, np.cumsum(np.bincount(rows, minlength=X)))
        return csr_array((values[order], columns, indptr), shape=(X, Y))

    def _wide(self) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Yield rows, columns and values of the cells that assignments to rows and columns stand for."""
        rows, columns = self.rows, self.columns
        x = np.repeat(self.uniform_rows, self.across)
        yield x, np.argsort(columns.times, kind="stable")[count_up(self.across)], rows.values[x]
        y = np.repeat(self.full_columns, self.down)
        yield np.argsort(rows.times, kind="stable")[count_up(self.down)], y, columns.values[y]
        support = np.flatnonzero(self.start)
        x, y = np.repeat(self.reset_rows, len(support)), np.tile(support, len(self.reset_rows))
        newer = rows.times[x] > columns.times[y]
        yield x[newer], y[newer], self.start[y[newer]]
        x = self.identity_rows[rows.times[self.identity_rows] > columns.times[self.identity_rows]]
        yield x, x, np.ones(len(x))


def count_up(lengths: Ints) -> Ints:
    """Count 0, 1, 2, ... up to each of some lengths in turn.

    >>> count_up(np.array([2, 0, 3]))
    array([0, 1, 0, 1, 2])
    """
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
