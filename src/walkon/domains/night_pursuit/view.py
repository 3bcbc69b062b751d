"""The picture of a moment of Night-time Pursuit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.arrays import Floats
from walkon.domains.hunting import Cell
from walkon.domains.night_pursuit.sensor import THINGS, around, describe, observations
from walkon.domains.night_pursuit.world import Room
from walkon.pictures.scene import Heat, Observation, Piece, Scene


@dataclass(frozen=True)
class NightView:
    """Draws the room from above."""

    room: Room
    prey: tuple[Cell, ...]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: all pieces, the cells next to the ad hoc agent, and what it observed there."""
        positions = self.room.positions
        z = None if observation is None else observations(self.room.sees_walls)[observation]
        grids = None if belief is None else self._marginals(belief)
        return draw(self.room, self.prey, positions[state % len(positions)], z, grids)

    def _marginals(self, belief: Floats) -> list[Floats]:
        """Where each predator is believed to be, [rows, columns] each."""
        n, predators = self.room.size, 1 + self.room.teammates
        joint = np.asarray(belief).reshape(-1, *(n * n,) * predators).sum(axis=0)  # over both copies, if there are two
        others = [tuple(j for j in range(predators) if j != i) for i in range(predators)]
        return [joint.sum(axis=rest).reshape(n, n).T for rest in others]


def draw(room: Room, prey: Sequence[Cell], cells: Sequence[Cell], z: Any, grids: Sequence[Floats] | None) -> Scene:
    """Draw the predators in their cells, what was observed, and where each is believed to be."""
    n = room.size
    near = around(cells[0])
    seen = frozenset((c, r) for c, r in near if 0 <= c < n and 0 <= r < n)
    read = () if z is None else zip(z, near, strict=True)
    return Scene(
        title=f"Night-time Pursuit, {n} x {n}",
        columns=n,
        rows=n,
        pieces=(
            *(Piece("prey", cell) for cell in prey),
            *(Piece("teammate", cell) for cell in cells[1:]),
            Piece("agent", cells[0]),
        ),
        visible=seen,
        observations=tuple(Observation(THINGS[thing], cell) for thing, cell in read if cell in seen),
        beliefs=() if grids is None else tuple(_heats(grids)),
        notes=() if z is None else (f"observed: {describe(z)}",),
    )


def marginals(size: int, belief: Mapping[tuple[int, ...], float]) -> list[Floats]:
    """Where each predator is believed to be, from the probabilities of states as rows of columns and rows."""
    rows, weights = np.array(list(belief)), np.array(list(belief.values()))
    grids = [np.zeros((size, size)) for _ in range(rows.shape[1] // 2)]
    for i, grid in enumerate(grids):
        np.add.at(grid, (rows[:, 2 * i + 1], rows[:, 2 * i]), weights)
    return grids


def _heats(grids: Sequence[Floats]) -> list[Heat]:
    names = ["agent", *(["teammate"] if len(grids) == 2 else [f"teammate {i}" for i in range(1, len(grids))])]
    return [Heat(f"where the {who} may be", who.split()[0], grid) for who, grid in zip(names, grids, strict=True)]
