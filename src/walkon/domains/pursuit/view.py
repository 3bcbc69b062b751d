"""The picture of a moment of Pursuit: the torus, with the ad hoc agent in the middle."""

from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats
from walkon.domains.hunting import Cell
from walkon.domains.pursuit.sensor import Sensor
from walkon.domains.pursuit.world import HERE, Board, describe
from walkon.pictures.scene import Heat, Observation, Piece, Scene

THEM = ("teammate", "prey")


@dataclass(frozen=True)
class PursuitView:
    """Draws the torus relative to the ad hoc agent."""

    board: Board
    sensor: Sensor

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: all pieces, and where the ad hoc agent observed them."""
        mate, prey = map(self._place, self.board.positions[state % len(self.board.positions)])
        seen = () if observation is None else self.sensor.observations[observation]
        n = self.board.torus.size
        return Scene(
            title=f"Pursuit, {n} x {n} torus",
            columns=n,
            rows=n,
            pieces=(Piece("prey", prey), Piece("teammate", mate), Piece("agent", self._place(HERE))),
            visible=frozenset(map(self._place, self.board.torus.cells)),
            observations=tuple(Observation(kind, self._place(cell)) for cell, kind in zip(seen, THEM, strict=False)),
            beliefs=() if belief is None else self._beliefs(np.asarray(belief)),
            torus=True,
            notes=(f"observed: {describe(seen)}",) if seen else (),
        )

    def _place(self, cell: Cell) -> Cell:
        """The cell of the picture for a displacement."""
        half = (self.board.torus.size - 1) // 2
        return cell[0] + half, cell[1] + half

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where the teammate and the prey are believed to be: the marginals of the belief."""
        n = self.board.torus.size
        grids = np.zeros((2, n, n))
        positions = self.board.positions
        over_both = belief.reshape(-1, len(positions)).sum(axis=0)  # both copies of the positions, if there are two
        for x, p in zip(positions, over_both, strict=True):
            for grid, cell in zip(grids, x, strict=True):
                column, row = self._place(cell)
                grid[row, column] += p
        return tuple(Heat(f"where the {kind} may be", kind, grid) for kind, grid in zip(THEM, grids, strict=True))
