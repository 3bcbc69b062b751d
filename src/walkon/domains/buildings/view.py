"""The picture of a moment in a building or in the gridworld."""

from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats
from walkon.domains.buildings.sensor import OBSERVATIONS, THINGS, describe
from walkon.domains.buildings.world import Floor
from walkon.domains.hunting import MOVES, Cell, next_to
from walkon.pictures.scene import Heat, Observation, Piece, Scene, Tile


@dataclass(frozen=True)
class FloorView:
    """Draws the floor from above. When the task is over, the two are drawn on its first two goals."""

    title: str
    floor: Floor
    goals: tuple[Cell, ...]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: both players, the goals, the cells next to the agent, and what it observed there."""
        plan, over = self.floor.plan, state == len(self.floor.pairs)
        agent, mate = self.goals[:2] if over else (plan.cells[i] for i in self.floor.pairs[state])
        (columns, rows), near = plan.size, [next_to(agent, move) for move in MOVES]
        z = None if observation is None else OBSERVATIONS[observation]
        seen = () if z is None or over else zip(z, near, strict=True)
        walls = [(c, r) for c in range(columns) for r in range(rows) if (c, r) not in plan.cells]
        return Scene(
            title=self.title,
            columns=columns,
            rows=rows,
            pieces=(*(Piece("goal", cell) for cell in self.goals), Piece("teammate", mate), Piece("agent", agent)),
            tiles=tuple(Tile("wall", cell) for cell in walls),
            visible=frozenset() if over else frozenset(near) & frozenset(plan.cells),
            observations=tuple(
                Observation(THINGS[n], (c, r)) for n, (c, r) in seen if 0 <= c < columns and 0 <= r < rows
            ),
            beliefs=() if belief is None else self._beliefs(np.asarray(belief)),
            notes=(*(["the task is solved"] if over else []), *([f"observed: {describe(z)}"] if z else [])),
        )

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where the two are believed to be; Over has no place."""
        columns, rows = self.floor.plan.size
        cells = np.array(self.floor.plan.cells)
        heats = []
        for who, numbers in zip(("agent", "teammate"), self.floor.pairs.T, strict=True):
            grid = np.zeros((rows, columns))
            np.add.at(grid, (cells[numbers, 1], cells[numbers, 0]), belief[:-1])
            heats.append(Heat(f"where the {who} may be", who, grid))
        return tuple(heats)
