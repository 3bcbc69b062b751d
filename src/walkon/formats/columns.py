"""Reads columns of numbers from a JSON object; an error names the place of the wrong number."""

import math
from typing import Any

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.errors import InputError

SUM_TOLERANCE = 1e-6


class Columns:
    """The fields of a JSON object, checked as they are read.

    >>> Columns({"actions": [0, 2]}).wholes("actions", 2, 3).tolist()
    [0, 2]
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def __getitem__(self, name: str) -> Any:
        """Return a field unchecked."""
        if name not in self.document:
            raise InputError(f'it has no field "{name}"')
        return self.document[name]

    def length(self, name: str, least: int, most: int) -> int:
        """Check and return the length of a column."""
        column = self[name]
        if not isinstance(column, list) or not least <= len(column) <= most:
            found = f"has {len(column):,} entries" if isinstance(column, list) else f"is {column!r:.60}"
            raise InputError(f"{name} {found}, expected a list of {least:,} to {most:,}")
        return len(column)

    def wholes(self, name: str, length: int, size: int) -> Ints:
        """Read a column of whole numbers from 0 to size - 1."""
        column = self._column(name, length)
        return np.array([whole(f"{name}[{t}]", value, 0, size - 1) for t, value in enumerate(column)], dtype=np.int64)

    def numbers(self, name: str, length: int, least: float = -math.inf) -> Floats:
        """Read a column of finite numbers."""
        column = self._column(name, length)
        return np.array([number(f"{name}[{t}]", value, least) for t, value in enumerate(column)], dtype=np.float64)

    def shares(self, name: str, length: int, size: int) -> Floats:
        """Read a column of probability distributions of the given size."""
        table = np.empty((length, size))
        for t, row in enumerate(self._column(name, length)):
            if not isinstance(row, list) or len(row) != size:
                raise InputError(f"{name}[{t}] is {row!r:.60}, expected {size} probabilities")
            table[t] = [number(f"{name}[{t}][{k}]", value, 0.0) for k, value in enumerate(row)]
            if not abs(table[t].sum() - 1) <= SUM_TOLERANCE:
                raise InputError(f"{name}[{t}] sums to {table[t].sum():.9g}, expected 1")
        return table

    def _column(self, name: str, length: int) -> list[Any]:
        self.length(name, length, length)
        column: list[Any] = self[name]
        return column


def whole(place: str, value: Any, least: int, most: int | None) -> int:
    """Check that a value is a whole number within limits."""
    if type(value) is not int or value < least or (most is not None and value > most):
        upper = "on" if most is None else f"to {most:,}"
        raise InputError(f"{place} is {value!r:.60}, expected a whole number from {least:,} {upper}")
    return value


def number(place: str, value: Any, least: float) -> float:
    """Check that a value is a finite number."""
    try:
        found = float(value) if type(value) in (int, float) else math.nan
    except OverflowError:  # a whole number with hundreds of digits
        found = math.nan
    if not (math.isfinite(found) and found >= least):
        raise InputError(f"{place} is {value!r:.60}, expected a finite number{'' if least < 0 else ', 0 or more'}")
    return found
