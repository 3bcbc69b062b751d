"""Builds matrices from rules.

A world is defined by rules over plain (named) tuples, which give the possible next states or observations with their
probabilities. `tabulate` evaluates the rule for each row and stores only its outcomes, so time and memory grow with the
number of non-zeros and not with |X|^2.
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
    rows: Sequence[Row], columns: Sequence[Outcome], rule: Callable[[Row], Iterable[tuple[Outcome, float]]]
) -> csr_array:
    """Build the matrix of a rule that gives each row's outcomes with their probabilities.

    The probabilities of an outcome that appears more than once in a row are added up.

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
    """Return the index of each outcome in the list."""
    index = {outcome: j for j, outcome in enumerate(outcomes)}
    if len(index) < len(outcomes):
        twice = next(outcome for j, outcome in enumerate(outcomes) if index[outcome] != j)
        raise InputError(f"{twice} is in the list twice")
    return index


class RowBuilder(Generic[Outcome]):
    """Builds a matrix row by row."""

    def __init__(self, index: Mapping[Outcome, int]) -> None:
        self._index = index
        self._ends, self._indices, self._data = array("q", [0]), array("i"), array("d")

    def add(self, row: object, outcome: Outcome, probability: float) -> None:
        """Add an outcome to the current row."""
        try:
            self._indices.append(self._index[outcome])
        except KeyError:
            raise InputError(f"the rule leads from {row} to {outcome}, which is not in the list") from None
        self._data.append(probability)

    def end_row(self) -> None:
        """Finish the current row."""
        self._ends.append(len(self._data))

    def matrix(self) -> csr_array:
        """Return the matrix of all rows."""
        entries = np.array(self._data), np.array(self._indices, dtype=np.int32), np.array(self._ends)
        matrix = csr_array(entries, shape=(len(self._ends) - 1, len(self._index)))
        matrix.sum_duplicates()
        return matrix
