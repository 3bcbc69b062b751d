"""Statements of one form, and the assignments that they are.

Numbers that fill a row or a matrix are one assignment of 0 to all of it and then, one moment later, the non-zeros. So
zeros cost nothing, and still override what stood there before.
"""

from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.formats.cassandra.assignments import IDENTITY, RESET, Assignments
from walkon.formats.cassandra.axis import ANY
from walkon.formats.cassandra.grammar import Statement

WORDS = (b"uniform", b"identity", b"reset")


@dataclass(frozen=True)
class Form:
    """S statements with the same letter and equally many fields."""

    statement: Statement
    fields: list[Ints]  # each [S]
    times: Ints  # [S]

    @property
    def count(self) -> int:
        """How many numbers each statement has."""
        return self.statement.count(len(self.fields))

    def numbers(self, values: Floats) -> list[Assignments]:
        """The statements with all their numbers, [S * count]."""
        if self.count == 1:
            return [self.everywhere(values)]
        return [self.everywhere(np.zeros(len(self.times))), self.non_zeros(values, 0)]

    def words(self, words: Ints) -> Assignments:
        """The statements with one of `WORDS` each in place of numbers."""
        return self.everywhere(np.array([1 / self.statement.axes[-1].size, IDENTITY, RESET])[words])

    def everywhere(self, values: Floats) -> Assignments:
        """One value for each statement, at all cells that its fields leave open."""
        return self._assigned(self.fields, self.times, values)

    def non_zeros(self, values: Floats, first: int) -> Assignments:
        """The non-zeros among a stretch of the numbers, of which the first has the given place."""
        filled = np.flatnonzero(values)
        statement, cell = np.divmod(filled + first, self.count)
        inner = np.unravel_index(cell, self.statement.rest(len(self.fields)))
        fields = [*(field[statement] for field in self.fields), *inner]
        return self._assigned(fields, self.times[statement] + 1, values[filled])

    def _assigned(self, fields: list[Ints], times: Ints, values: Floats) -> Assignments:
        table = np.full((len(self.statement.axes), len(times)), ANY, np.int32)
        for row, field in zip(table, fields, strict=False):
            row[:] = field
        return Assignments(table, times, values)
