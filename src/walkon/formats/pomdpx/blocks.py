"""What one entry of a table sets: the cells that its fields match, each with a number.

A field is the number of a value, `ANY` for `*`, which all cells share, or `EACH` for `-`, along which the numbers run.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.formats.cassandra.rounding import least

ANY, EACH = -1, -2

Tokens: TypeAlias = npt.NDArray[np.bytes_]


@dataclass(frozen=True, slots=True)
class Block:
    """A number for each cell that the fields match."""

    fields: tuple[int, ...]
    tokens: Tokens | None = None  # the numbers as they are printed, with one axis for each EACH
    value: float = 0.0  # in place of tokens: the number of all cells, or of the diagonal
    diagonal: bool = False  # whether all cells are 0 but those in which both EACH have the same value

    def fix(self, axis: int, value: int, size: int) -> "Block | None":
        """Return the part at one of the values of an axis; None where there is none."""
        field = self.fields[axis]
        if field >= 0:
            return self if field == value else None
        fields = (*self.fields[:axis], value, *self.fields[axis + 1 :])
        if field == ANY:
            return replace(self, fields=fields)
        if self.diagonal:
            return Block(fields, np.where(np.arange(size) == value, b"1", b"0"))
        assert self.tokens is not None  # EACH always has tokens
        return Block(fields, np.asarray(self.tokens.take(value, axis=self.fields[:axis].count(EACH))))

    def without(self, axes: list[int]) -> "Block":
        """Return the block without some axes."""
        return replace(self, fields=tuple(each for i, each in enumerate(self.fields) if i not in axes))

    def non_zeros(self, sizes: tuple[int, ...], lowest: bool) -> tuple[list[Ints], Floats]:
        """Return the places along each EACH axis, and the numbers there, or the least that are printed like them."""
        if self.diagonal:
            size = sizes[self.fields.index(EACH)]
            return [np.arange(size)] * 2, np.full(size, self.value)
        if self.tokens is None:
            return [], np.full(1, self.value) if self.value else np.empty(0)
        read: Any = least if lowest else float
        values = np.fromiter(map(read, self.tokens.ravel().tolist()), np.float64, self.tokens.size)
        filled = np.flatnonzero(values)
        places = np.unravel_index(filled, self.tokens.shape) if self.tokens.ndim else ()
        return [np.asarray(place) for place in places], values[filled]
