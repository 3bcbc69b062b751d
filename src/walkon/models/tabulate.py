"""From rules to matrices.

A world is written once, as rules over plain (named) tuples: which states may come next, and with which
probability; which observations may be made. `tabulate` walks over the rows, asks the rule for each row's outcomes and
keeps only those, so the work and the memory grow with the non-zeros and never with |X|^2.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
from scipy.sparse import csr_array

from walkon.errors import InputError

Row = TypeVar("Row")
Outcome = TypeVar("Outcome", bound=Hashable)


def tabulate(
    rows: Sequence[Row],
    columns: Sequence[Outcome],
    rule: Callable[[Row], Iterable[tuple[Outcome, float]]],
) -> csr_array:
    """The matrix of a rule that gives each row's outcomes with their probabilities.

    Outcomes that a rule names more than once are added up.

    >>> def walk(cell):
    ...     yield min(cell + 1, 2), 0.7
    ...     yield cell, 0.3
    >>> tabulate(range(3), range(3), walk).toarray()
    array([[0.3, 0.7, 0. ],
           [0. , 0.3, 0.7],
           [0. , 0. , 1. ]])
    """
    builder = RowBuilder(numbered(columns))
    for row in rows:
        for outcome, probability in rule(row):
            builder.add(row, outcome, probability)
        builder.end_row()
    return builder.matrix()


def numbered(outcomes: Sequence[Outcome]) -> dict[Outcome, int]:
    """The place of each outcome in the list."""
    index = {outcome: j for j, outcome in enumerate(outcomes)}
    if len(index) < len(outcomes):
        twice = next(outcome for j, outcome in enumerate(outcomes) if index[outcome] != j)
        raise InputError(f"{twice} is in the list twice")
    return index


class RowBuilder(Generic[Outcome]):
    """A matrix that is written row by row."""

    def __init__(self, index: Mapping[Outcome, int]) -> None:
        self._index = index
        self._ends, self._indices, self._data = array("q", [0]), array("i"), array("d")

    def add(self, row: object, outcome: Outcome, probability: float) -> None:
        """Put an outcome into the row that is being written."""
        try:
            self._indices.append(self._index[outcome])
        except KeyError:
            raise InputError(f"the rule leads from {row} to {outcome}, which is not in the list") from None
        self._data.append(probability)

    def end_row(self) -> None:
        """Go on to the next row."""
        self._ends.append(len(self._data))

    def matrix(self) -> csr_array:
        """All rows."""
        entries = np.array(self._data), np.array(self._indices, dtype=np.int32), np.array(self._ends)
        matrix = csr_array(entries, shape=(len(self._ends) - 1, len(self._index)))
        matrix.sum_duplicates()
        return matrix
