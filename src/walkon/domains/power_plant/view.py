"""The picture of a moment in the power plant: its rooms, joined where they touch."""

from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats
from walkon.domains.power_plant.world import ROOMS, Job
from walkon.pictures.scene import Cell, Heat, Piece, Scene, Tile

COLUMNS, ROWS = 3, 3
PLACES: tuple[Cell, ...] = ((0, 0), (1, 0), (2, 0), (1, 1), (1, 2))  # of the rooms
READ = ("nothing", *(f"room {room}" for room in range(ROOMS)))


@dataclass(frozen=True)
class PlantView:
    """Draws the rooms. When the task is over, both are drawn where they may have ended it."""

    job: Job

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: both players, the rooms that are still to be done, and the rooms that are."""
        over = state == len(self.job.positions)
        x = self.job.positions[state] if not over else (self.job.rooms[-1],) * 2 + (1,) * len(self.job.rooms)
        todo = [room for room, flag in zip(self.job.rooms, x[2:], strict=True) if not flag]
        walls = [(c, r) for c in range(COLUMNS) for r in range(ROWS) if (c, r) not in PLACES]
        rooms = "rooms: 0, 1 and 2 in the first row, 3 and 4 below 1"
        return Scene(
            title=f"Power plant, {self.job.name}",
            columns=COLUMNS,
            rows=ROWS,
            pieces=(
                *(Piece("undone", PLACES[room]) for room in todo),
                Piece("teammate", PLACES[x[1]]),
                Piece("agent", PLACES[x[0]]),
            ),
            tiles=tuple(Tile("wall", cell) for cell in walls),
            names={cell: f"room {room}" for room, cell in enumerate(PLACES)},
            visible=frozenset({PLACES[x[0]]}),
            beliefs=() if belief is None else self._beliefs(np.asarray(belief)),
            notes=(
                "the task is solved" if over else rooms,
                *(() if observation is None else (f"observed: {READ[observation]}",)),
            ),
        )

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where the two are believed to be; Over has no place."""
        rooms = np.array([x[:2] for x in self.job.positions])
        places = np.array(PLACES)
        heats = []
        for i, who in enumerate(("agent", "teammate")):
            grid = np.zeros((ROWS, COLUMNS))
            np.add.at(grid, (places[rooms[:, i], 1], places[rooms[:, i], 0]), belief[:-1])
            heats.append(Heat(f"where the {who} may be", who, grid))
        return tuple(heats)
