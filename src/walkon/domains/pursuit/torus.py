"""A square board whose edges are joined, and the way from one cell to another on it."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

from walkon.domains.compass import MOVES_AND_STAY, STEPS, Cell, Move


@dataclass(frozen=True)
class Torus:
    """An n x n torus. Cells are written as displacements from the ad hoc agent: 0 is its own, + is right and down.

    >>> Torus(5).wrap((3, -1)), Torus(4).wrap((2, 3))
    ((-2, -1), (2, -1))
    """

    size: int

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All displacements: from -floor((n-1)/2) to floor(n/2) on each axis."""
        span = range(-((self.size - 1) // 2), self.size // 2 + 1)
        return tuple(product(span, span))

    def wrap(self, offset: Cell) -> Cell:
        """The shortest displacement that leads to the same cell; half-way round counts as +."""
        half = (self.size - 1) // 2
        return (offset[0] + half) % self.size - half, (offset[1] + half) % self.size - half

    def distance(self, start: Cell, end: Cell) -> int:
        """The number of moves between two cells on an empty board."""
        across, down = self.between[start][end]
        return abs(across) + abs(down)

    @cached_property
    def between(self) -> dict[Cell, dict[Cell, Cell]]:
        """The shortest displacement from one cell to another."""
        return {s: {e: self.wrap((e[0] - s[0], e[1] - s[1])) for e in self.cells} for s in self.cells}

    @cached_property
    def beside(self) -> dict[Cell, dict[Move, Cell]]:
        """The cell that a move leads to."""
        return {
            (c, r): {move: self.wrap((c + STEPS[move][0], r + STEPS[move][1])) for move in MOVES_AND_STAY}
            for c, r in self.cells
        }
