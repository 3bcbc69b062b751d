"""The forms of the three statements: the axes of their fields, what may follow the last one, and their assignments.

    T: a : x : y p      T: a : x  (X numbers, uniform, reset)      T: a  (X x X numbers, uniform, identity)
    O: a : y : z p      O: a : y  (Z numbers, uniform)             O: a  (X x Z numbers, uniform)
    R: a : x : y : z r  R: a : x : y  (Z numbers)                  R: a : x  (X x Z numbers)

Numbers fill the axes that have no field, row by row. In a file without observations R has one axis less; `: *` may
be written for it. Numbers that fill a row or a matrix become an assignment of 0 to all of it, followed by the non-zeros
one tick later. So zeros cost nothing, and still override earlier values.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.formats.cassandra.assignments import IDENTITY, RESET, Assignments
from walkon.formats.cassandra.preamble import ANY, Axis, Preamble

LETTERS = b"TOR"
WORDS = (b"uniform", b"identity", b"reset")


@dataclass(frozen=True)
class Statement:
    """The grammar of one letter."""

    letter: str
    axes: tuple[Axis, ...]
    words: dict[int, tuple[bytes, ...]]  # by the number of fields
    fewest: int  # fields
    optional: int = 0  # axes at the end that need no field and take no numbers

    @property
    def is_probability(self) -> bool:
        """Whether the numbers are probabilities."""
        return self.letter != "R"

    def rest(self, fields: int) -> tuple[int, ...]:
        """Return the sizes of the axes that the numbers after so many fields fill."""
        return tuple(axis.size for axis in self.axes[fields : len(self.axes) - self.optional])

    def count(self, fields: int) -> int:
        """Return how many numbers follow so many fields; 0 where there is no such form."""
        return prod(self.rest(fields)) if self.fewest <= fields <= len(self.axes) else 0


def grammar(preamble: Preamble) -> dict[int, Statement]:
    """Return the statements that a file with this preamble may have, by their letter's byte."""
    x, a, z = preamble.states, preamble.actions, preamble.observations
    statements = [Statement("T", (a, x, x), {1: (b"uniform", b"identity"), 2: (b"uniform", b"reset")}, 1)]
    if z.size:
        statements.append(Statement("O", (a, x, z), {1: (b"uniform",), 2: (b"uniform",)}, 1))
        statements.append(Statement("R", (a, x, x, z), {}, 2))
    else:
        statements.append(Statement("R", (a, x, x, z), {}, 1, optional=1))
    return {ord(statement.letter): statement for statement in statements}


@dataclass(frozen=True)
class Form:
    """S statements with the same letter and equally many fields."""

    statement: Statement
    fields: list[Ints]  # each [S]
    times: Ints  # [S]

    @property
    def count(self) -> int:
        """The number of numbers in each statement."""
        return self.statement.count(len(self.fields))

    def numbers(self, values: Floats) -> list[Assignments]:
        """Assign all numbers of the statements, [S * count]."""
        if self.count == 1:
            return [self.everywhere(values)]
        return [self.everywhere(np.zeros(len(self.times))), self.non_zeros(values, 0)]

    def words(self, words: Ints) -> Assignments:
        """Assign one of `WORDS` to each statement in place of numbers."""
        return self.everywhere(np.array([1 / self.statement.axes[-1].size, IDENTITY, RESET])[words])

    def everywhere(self, values: Floats) -> Assignments:
        """Assign one value to all cells that a statement's fields match."""
        return self._assign(self.fields, self.times, values)

    def non_zeros(self, values: Floats, first: int) -> Assignments:
        """Assign the non-zeros among consecutive numbers, the first of which has the given place."""
        filled = np.flatnonzero(values)
        statement, cell = np.divmod(filled + first, self.count)
        inner = np.unravel_index(cell, self.statement.rest(len(self.fields)))
        fields = [*(field[statement] for field in self.fields), *inner]
        return self._assign(fields, self.times[statement] + 1, values[filled])

    def _assign(self, fields: list[Ints], times: Ints, values: Floats) -> Assignments:
        table = np.full((len(self.statement.axes), len(times)), ANY, np.int32)
        for row, field in zip(table, fields, strict=False):
            row[:] = field
        return Assignments(table, times, values)
