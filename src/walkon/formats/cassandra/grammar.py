"""The forms of the three statements: the axes of their fields, what may follow the last one, and their assignments.

    T: a : x : y p      T: a : x  (X numbers, uniform, reset)      T: a  (X x X numbers, uniform, identity)
    O: a : y : z p      O: a : y  (Z numbers, uniform)             O: a  (X x Z numbers, uniform)
    R: a : x : y : z r  R: a : x : y  (Z numbers)                  R: a : x  (X x Z numbers)

Numbers fill the axes that have no field, row by row. In a file without observations R has one axis less; `: *` may
be written for it. Numbers that fill a row or a matrix become an assignment of 0 to all of it, followed by the non-zeros
one tick later. So zeros cost nothing, and still override earlier values.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.formats.cassandra.assignments import IDENTITY, RESET, Assignments
from walkon.formats.cassandra.preamble import ANY, KEYWORDS, NUMBER, UNKNOWN, Axis, Preamble
from walkon.formats.cassandra.source import Source, quote
from walkon.formats.files import FormatError
from walkon.models.distributions import ROW_SUM_TOLERANCE

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


def find_mistake(source: Source, offset: int, grammar: dict[int, Statement]) -> FormatError:
    """Return the error for the first mistake in the statement that begins at an offset.

    The reader parses thousands of statements at once and finds only that one of them is wrong. This slow parser goes
    through that one token by token. It must refuse whatever the fast parser refuses.
    """
    tokens = source.walk(offset)
    place, token = next(tokens)
    if len(token) != 1 or token not in LETTERS:
        return _after(source, place, token, "the preamble")
    if ord(token) not in grammar:
        return source.error(place, 'an "O:" statement needs "observations:" in the preamble')
    return _in_statement(source, tokens, grammar[ord(token)])


def _in_statement(source: Source, tokens: Iterator[tuple[int, bytes]], statement: Statement) -> FormatError:
    fields = 0
    place, token = next(tokens)
    while token == b":" and fields < len(statement.axes):
        place, token = next(tokens)
        axis = statement.axes[fields]
        if token == b":" or axis.index[token] == UNKNOWN:
            return source.unexpected(place, axis.expected)
        fields += 1
        place, token = next(tokens)
    form = f"{statement.letter}: with {fields} field{'s' * (fields != 1)}"
    count = statement.count(fields)
    if not count:
        then = f": and {statement.axes[fields].expected}" if fields else "a colon"
        return source.unexpected(place, then)
    words = statement.words.get(fields, ())
    if token in words:
        place, token = next(tokens)
        return _after(source, place, token, f"{form}, which is complete")
    for i in range(count):
        if not NUMBER.fullmatch(token):
            which = "a number" if count == 1 else f"number {i + 1} of {count}"
            others = "".join(f" or {word.decode()}" for word in words) if not i else ""
            return source.unexpected(place, f"{which}{others} for {form}")
        value = float(token)
        if not np.isfinite(value):
            return source.error(place, f"{quote(token)} is too large a number")
        if statement.is_probability and not 0 <= value <= 1 + ROW_SUM_TOLERANCE:
            return source.error(place, f"{quote(token)} is not a probability: expected a number from 0 to 1")
        place, token = next(tokens)
    return _after(source, place, token, f"{form}, which is complete")


def _after(source: Source, place: int, token: bytes, complete: str) -> FormatError:
    """Return the error for a token that does not begin a statement where one should begin."""
    if token in KEYWORDS:
        return source.error(place, f"{quote(token)} must come before the first T, O or R")
    return source.unexpected(place, f"T, O or R after {complete}")
