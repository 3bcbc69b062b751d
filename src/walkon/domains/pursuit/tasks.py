"""The tasks of Pursuit under partial observability: one for each of three teammates."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from walkon.arrays import Floats
from walkon.domains.hunting import MOVES, Cell
from walkon.domains.pursuit.world import HERE, TEAMMATES, Board, Sensor, Torus, choices, describe, matrices, rules
from walkon.models.tabulate import tabulate
from walkon.pictures.scene import Heat, Observation, Piece, Scene
from walkon.tasks import Task, TaskLibrary

HORIZON = 50
THEM = ("teammate", "prey")


@dataclass(frozen=True)
class PursuitView:
    """Draws the torus relative to the ad hoc agent."""

    board: Board
    sensor: Sensor

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: all pieces, and where the ad hoc agent observed them."""
        mate, prey = map(self._place, self.board.states[state])
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
            notes=(f"read: {describe(seen)}",) if seen else (),
        )

    def _place(self, cell: Cell) -> Cell:
        """The cell of the picture for a displacement."""
        half = (self.board.torus.size - 1) // 2
        return cell[0] + half, cell[1] + half

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where the teammate and the prey are believed to be: the marginals of the belief."""
        n = self.board.torus.size
        grids = np.zeros((2, n, n))
        for x, p in zip(self.board.states, belief, strict=True):
            for grid, cell in zip(grids, x, strict=True):
                column, row = self._place(cell)
                grid[row, column] += p
        return tuple(Heat(f"where the {kind} may be", kind, grid) for kind, grid in zip(THEM, grids, strict=True))


def library(*, size: int, capture: str, literal_noise: bool, tremble: float) -> TaskLibrary:
    """Make a library of three tasks: greedy, teammate-aware, probabilistic destinations."""
    board, sensor = Board(Torus(size), capture), Sensor(Torus(size), literal_noise)
    seen = tabulate(board.states, sensor.observations, sensor.distribution)
    solved = np.array([x in board.captured for x in board.states])
    hunt, names = rules(board), [describe(z) for z in sensor.observations]
    numbers, observations = (np.array(pairs).reshape(-1, 4) for pairs in (board.states, sensor.observations))
    return TaskLibrary(
        [
            Task.from_rules(
                hunt,
                partial(choices, kind, board, tremble),
                [seen] * len(MOVES),
                ~solved / np.count_nonzero(~solved),
                solved,
                kind,
                mmdp=matrices(board),
                observations=names,
                horizon=HORIZON,
                state_numbers=numbers,
                observation_numbers=observations,
                view=PursuitView(board, sensor),
            )
            for kind in TEAMMATES
        ],
        variants=partial(_with_other_noise, size, capture, not literal_noise, tremble),
    )


def _with_other_noise(size: int, capture: str, literal_noise: bool, tremble: float) -> list[TaskLibrary]:
    return [library(size=size, capture=capture, literal_noise=literal_noise, tremble=tremble)]
