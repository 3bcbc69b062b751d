"""Alpha-vector policies in the text that zmdp, and early versions of APPL, write.

    # This file is a POMDP policy, represented as a set of "lower bound planes", ...
    {
      policyType => "MaxPlanesLowerBound",
      numPlanes => 1,
      planes => [
        { action => 0, numEntries => 2, entries => [ 0, 24.6, 1, 3.0 ] }
      ]
    }

A plane holds only for beliefs whose states are all among its entries. As a vector, it has a value far below any other
in the states that it leaves out, so that it is best at no other belief for which there is a plane.
"""

import re
from collections.abc import Iterator

import numpy as np

from walkon.arrays import Floats
from walkon.formats.files import MOST_ACTIONS, FormatError, error_at

LEFT_OUT = -1e30
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

_COMMENT = re.compile(rb"\s*(?:#.*\s*)*")
_TYPES = ('"MaxPlanesLowerBound"', '"MaxPlanesLowerBoundWithObservedState"')
_TOKEN = re.compile(r'#.*|("[^"\n]*"|=>|[][{},]|[^\s"=>\[\]{},#]+|.)', re.ASCII)


def is_text(data: bytes) -> bool:
    """Tell whether a file looks like such a policy, which begins with a brace, after comments."""
    start = _COMMENT.match(data)
    return start is not None and data[start.end() : start.end() + 1] == b"{"


def read_planes(name: str, data: bytes, most: int) -> tuple[Floats, list[int]]:
    """Read the vectors, [N, X], of which there may be `most` numbers, and their actions."""
    return _Parser(name, data.decode("latin-1"), most).parse()


class _Parser:
    """Reads one file, token by token."""

    def __init__(self, name: str, text: str, most: int) -> None:
        self.name, self.text, self.most = name, text, most
        self.tokens = self._walk()
        self.place, self.token = next(self.tokens)

    def parse(self) -> tuple[Floats, list[int]]:
        """Read the whole file."""
        self._expect("{")
        self._key("policyType")
        if self.token not in _TYPES:
            raise self._unexpected(_TYPES[0])
        self._next()
        self._expect(",")
        count = self._field("numPlanes", 1, self.most)
        self._key("planes")
        self._expect("[")
        planes: list[dict[int, float]] = []
        actions: list[int] = []
        for i in range(count):
            if i:
                self._expect(",")
            action, plane = self._plane()
            actions.append(action)
            planes.append(plane)
        for bracket in "]}":
            self._expect(bracket)
        if self.token:
            raise self._unexpected("the end of the file")
        X = max(max(plane) for plane in planes) + 1
        if count * X > self.most:
            raise self._error(
                f"{count:,} planes of {X:,} states are too many: at most {self.most:,} numbers are allowed"
            )
        vectors = np.full((count, X), LEFT_OUT)
        for vector, plane in zip(vectors, planes, strict=True):
            vector[list(plane)] = list(plane.values())
        return vectors, actions

    def _plane(self) -> tuple[int, dict[int, float]]:
        self._expect("{")
        action = self._field("action", 0, MOST_ACTIONS - 1)
        if self.token == "observed":
            for word in ("observed", "state"):
                self._expect(word)
            if self._field("val", 0, self.most):
                raise self._error(
                    "the policy is for states that are partly observed; only those of plain POMDPs can be read"
                )
        count = self._field("numEntries", 1, self.most)
        self._key("entries")
        self._expect("[")
        plane: dict[int, float] = {}
        for i in range(count):
            if i:
                self._expect(",")
            state = self._whole("the number of a state", 0, self.most - 1)
            if state in plane:
                raise self._error(f"state {state} is given a second time")
            self._expect(",")
            plane[state] = self._number()
        for bracket in "]}":
            self._expect(bracket)
        return action, plane

    def _field(self, key: str, low: int, high: int) -> int:
        """Read `key => number,`."""
        self._key(key)
        value = self._whole(key, low, high)
        self._expect(",")
        return value

    def _key(self, key: str) -> None:
        self._expect(key)
        self._expect("=>")

    def _whole(self, what: str, low: int, high: int) -> int:
        token = self.token
        if not (token.isascii() and token.isdigit() and len(token) <= 18 and low <= int(token) <= high):
            raise self._unexpected(f"{what}, from {low:,} to {high:,}")
        self._next()
        return int(token)

    def _number(self) -> float:
        value = float(self.token) if NUMBER.fullmatch(self.token) else np.nan
        if not np.isfinite(value):
            raise self._unexpected("a finite number")
        self._next()
        return value

    def _expect(self, token: str) -> None:
        if self.token != token:
            raise self._unexpected(f'"{token}"')
        self._next()

    def _next(self) -> None:
        self.place, self.token = next(self.tokens)

    def _walk(self) -> Iterator[tuple[int, str]]:
        """Yield each token with its place, and empty ones at the end of the file."""
        for found in _TOKEN.finditer(self.text):
            if found[1] and not found[1].isspace():
                yield found.start(), found[1]
        while True:
            yield len(self.text), ""

    def _unexpected(self, expected: str) -> FormatError:
        found = repr(self.token[:40]) if self.token else "the end of the file"
        return self._error(f"expected {expected}, found {found}")

    def _error(self, message: str) -> FormatError:
        line_start = self.text.rfind("\n", 0, self.place) + 1
        line = self.text.count("\n", 0, self.place) + 1
        return error_at(self.name, line, self.place - line_start + 1, message)
