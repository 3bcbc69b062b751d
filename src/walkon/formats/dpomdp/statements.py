"""The statements of a `.dpomdp` file, from text to assignments.

    T: ja : x : y : p      T: ja : x : (X numbers, uniform)      T: ja : (X x X numbers, uniform, identity)
    O: ja : y : jo : p     O: ja : y : (Z numbers, uniform)      O: ja : (X x Z numbers, uniform)
    R: ja : x : y : jo : r R: ja : x : y : (Z numbers)           R: ja : x : (X x Z numbers)

`ja` and `jo` are a joint action and a joint observation. Several of them may be meant, if some of their fields are `*`;
the statement is then an assignment for each.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from walkon.errors import InputError
from walkon.formats.cassandra.assignments import IDENTITY, MOST_FROM_WILDCARDS, Assignments
from walkon.formats.cassandra.preamble import ANY, NUMBER, UNKNOWN, Axis
from walkon.formats.cassandra.source import Source, quote
from walkon.formats.dpomdp.preamble import Joint, Preamble
from walkon.models.distributions import ROW_SUM_TOLERANCE

_HEAD = re.compile(rb"^[ \t]*([TOR])[ \t]*:", re.MULTILINE)
_KEYWORDS = (b"uniform", b"identity")


@dataclass
class _Columns:
    """Assignments to cells that are being collected."""

    fields: list[list[int]] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def add(self, cell: tuple[int, ...], time: int, value: float) -> None:
        """Add an assignment."""
        self.fields.append(list(cell))
        self.times.append(time)
        self.values.append(value)

    def assignments(self, axes: int) -> Assignments:
        """Return what was collected."""
        fields = np.array(self.fields, np.int64).reshape(-1, axes).T
        return Assignments(fields, np.array(self.times, np.int64), np.array(self.values, np.float64))


def read_statements(
    source: Source, preamble: Preamble, number: Callable[[bytes], float] = float
) -> dict[str, Assignments]:
    """Read all assignments, by letter; `number` reads the numbers."""
    x, a, z = preamble.states, preamble.actions, preamble.observations
    axes: dict[bytes, tuple[Axis | Joint, ...]] = {b"T": (a, x, x), b"O": (a, x, z), b"R": (a, x, x, z)}
    found = {letter: _Columns() for letter in axes}
    for time, (letter, first, last) in enumerate(_statements(source, preamble.end)):
        reading = _Statement(source, axes[letter], letter, number)
        for cell, later, value in reading.read(first, last):
            found[letter].add(cell, 2 * time + later, value)
        if len(found[letter].times) > MOST_FROM_WILDCARDS:
            raise InputError(f"the file stands for more than {MOST_FROM_WILDCARDS:,} entries, the most allowed")
    return {letter.decode(): found[letter].assignments(len(axes[letter])) for letter in axes}


def _statements(source: Source, offset: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield the letter of each statement, and where the text after its colon begins and ends."""
    heads = list(_HEAD.finditer(source.text, offset))
    end = len(source.text.rstrip())
    if offset < (heads[0].start() if heads else end):
        token = next(source.walk(offset))[0]
        if not heads or token < heads[0].start(1):
            raise source.unexpected(token, '"T:", "O:" or "R:" at the beginning of a line')
    for head, behind in zip(heads, [*(each.start() for each in heads[1:]), end], strict=False):  # there may be none
        yield head[1], head.end(), behind


class _Statement:
    """Reads one statement."""

    def __init__(
        self, source: Source, axes: tuple[Axis | Joint, ...], letter: bytes, number: Callable[[bytes], float]
    ) -> None:
        self.source, self.axes, self.letter, self.number = source, axes, letter, number

    def read(self, first: int, last: int) -> Iterator[tuple[tuple[int, ...], int, float]]:
        """Yield cells, with 1 where they override what the statement sets everywhere, and their values."""
        *parts, (given, tokens) = _parts(self.source.text, first, last)
        if tokens and tokens[-1] in _KEYWORDS and len(tokens) > 1:  # a keyword without a colon before it
            parts, tokens = [*parts, (given, tokens[:-1])], tokens[-1:]
        fewest = 2 if self.letter == b"R" else 1
        if not fewest <= len(parts) <= len(self.axes):
            form = f"from {fewest} to {len(self.axes)} fields and a colon before the numbers"
            raise self.source.error(first, f"expected {form}, found {len(parts)} fields")
        choices = [self._field(place, words, axis) for (place, words), axis in zip(parts, self.axes, strict=False)]
        rest = self.axes[len(parts) :]
        cells = [(*cell, *(ANY for _ in rest)) for cell in product(*choices)]
        if tokens in ([b"uniform"], [b"identity"]):
            yield from ((cell, 0, self._keyword(given, tokens[0], len(parts))) for cell in cells)
            return
        sizes = tuple(axis.size for axis in rest)
        if len(tokens) != prod(sizes):
            raise self.source.unexpected(
                self._place(given, last, min(len(tokens), prod(sizes))),
                f"{prod(sizes):,} number{'s' * (prod(sizes) != 1)} after {len(parts)} fields",
            )
        values = np.array([self._value(given, last, i, token) for i, token in enumerate(tokens)])
        if not sizes:
            yield from ((cell, 0, float(values[0])) for cell in cells)
            return
        filled = np.flatnonzero(values)
        if len(cells) * len(filled) > MOST_FROM_WILDCARDS:
            raise self.source.error(first, f"it stands for more than {MOST_FROM_WILDCARDS:,} entries: list them")
        inner = list(zip(*(axis.tolist() for axis in np.unravel_index(filled, sizes)), strict=True))
        for cell in cells:
            yield cell, 0, 0.0
            for place, value in zip(inner, values[filled].tolist(), strict=True):
                yield (*cell[: len(parts)], *place), 1, value

    def _field(self, place: int, tokens: list[bytes], axis: Axis | Joint) -> list[int]:
        if isinstance(axis, Joint):
            found = axis.find(tokens)
        else:
            found = [axis.index[tokens[0]]] if len(tokens) == 1 else [UNKNOWN]
        if not found or UNKNOWN in found:
            raise self.source.error(place, f"expected {axis.expected}, found {quote(b' '.join(tokens)) or 'nothing'}")
        return found

    def _keyword(self, place: int, word: bytes, fields: int) -> float:
        allowed = self.letter != b"R" and fields < 3 if word == b"uniform" else self.letter == b"T" and fields == 1
        if not allowed:
            raise self.source.error(place, f'{quote(word)} cannot follow {fields} fields of "{self.letter.decode()}:"')
        return IDENTITY if word == b"identity" else 1 / self.axes[-1].size

    def _value(self, given: int, last: int, i: int, token: bytes) -> float:
        value = self.number(token) if NUMBER.fullmatch(token) else np.nan
        probability = self.letter != b"R"
        if not np.isfinite(value) or (probability and not 0 <= float(token) <= 1 + ROW_SUM_TOLERANCE):
            what = "a probability from 0 to 1" if probability else "a finite number"
            raise self.source.unexpected(self._place(given, last, i), f"{what} after the last colon")
        return value

    def _place(self, given: int, last: int, i: int) -> int:
        """Return the place of the i-th token of the numbers, or the end of the statement if there is none."""
        for k, (place, _) in enumerate(self.source.walk(given)):
            if k == i or place >= last:
                return min(place, last)
        return last


def _parts(text: bytes, first: int, last: int) -> list[tuple[int, list[bytes]]]:
    """Split a statement at its colons: the place and the tokens of each part."""
    parts = []
    for part in text[first:last].split(b":"):
        parts.append((first + len(part) - len(part.lstrip()), part.split()))
        first += len(part) + 1
    return parts
