"""The picture of a moment of HOTSPOT: the five places, so that cells which touch have a way between them."""

from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats
from walkon.domains.hotspot.sensor import NOTHING, OBSERVATIONS, Sensor
from walkon.domains.hotspot.world import HELD, LIES, PLACES, Room
from walkon.pictures import palette
from walkon.pictures.scene import AGENT, TEAMMATE, WALL, Cell, Circle, Heat, Observation, Piece, Scene, Shape, Tile

CELLS: tuple[Cell, ...] = ((0, 0), (1, 0), (2, 0), (1, 1), (1, 2))  # of the places
WALLS = tuple(Tile(WALL, cell) for cell in ((0, 1), (2, 1), (0, 2), (2, 2)))
WHO = ("robot", "person")
PIECES = dict(zip(WHO, (AGENT, TEAMMATE), strict=True))
WHERE = "top row: door, middle, station; below: bench 3, bench 4"


@dataclass(frozen=True)
class RoomView:
    """Draws the room."""

    room: Room
    sensor: Sensor

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: robot, person and balls, and what the robot read."""
        x = self.room.states[state]
        held = "ball" if self.room.where(x, HELD) else ""
        seen = (NOTHING, NOTHING) if observation is None else OBSERVATIONS[observation]
        read = () if observation is None else (f"observed: {self.sensor.name(seen)}",)
        return Scene(
            title="HOTSPOT",
            columns=3,
            rows=3,
            pieces=(
                Piece(TEAMMATE, CELLS[x.person], held),
                *(Piece("ball", CELLS[place]) for place in self.room.where(x, LIES)),
                Piece(AGENT, CELLS[x.robot]),
            ),
            tiles=WALLS,
            names=dict(zip(CELLS, PLACES, strict=True)),
            visible=frozenset({CELLS[x.robot]}),
            observations=tuple(
                Observation(PIECES[who], CELLS[place]) for who, place in zip(WHO, seen, strict=True) if place != NOTHING
            ),
            beliefs=() if belief is None else self._beliefs(np.asarray(belief)),
            notes=(WHERE, *read),
            sketches={"ball": _ball},
        )

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where the robot and the person are believed to be: the marginals of the belief."""
        grids = np.zeros((2, 3, 3))
        for x, p in zip(self.room.states, belief, strict=True):
            for grid, place in zip(grids, (x.robot, x.person), strict=True):
                column, row = CELLS[place]
                grid[row, column] += p
        return tuple(Heat(f"where the {who} may be", PIECES[who], grid) for who, grid in zip(WHO, grids, strict=True))


def _ball(_: str, x: float, y: float, size: float) -> list[Shape]:
    return [Circle(x, y, 0.4 * size, palette.OTHER, palette.INK, line=max(1.0, size / 16))]
