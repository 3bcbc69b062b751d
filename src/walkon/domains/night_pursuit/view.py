"""The picture of a moment of Night-time Pursuit."""

from dataclasses import dataclass

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
        x = positions[state % len(positions)]
        near = around(x[0])
        z = None if observation is None else observations(self.room.sees_walls)[observation]
        seen = () if z is None else zip(z, near, strict=True)
        return Scene(
            title=f"Night-time Pursuit, {self.room.size} x {self.room.size}",
            columns=self.room.size,
            rows=self.room.size,
            pieces=(
                *(Piece("prey", cell) for cell in self.prey),
                *(Piece("teammate", cell) for cell in x[1:]),
                Piece("agent", x[0]),
            ),
            visible=frozenset(near) & frozenset(self.room.cells),
            observations=tuple(Observation(THINGS[n], cell) for n, cell in seen if cell in self.room.cells),
            beliefs=() if belief is None else self._beliefs(belief),
            notes=() if z is None else (f"observed: {describe(z)}",),
        )

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where each predator is believed to be: the marginals of the belief."""
        n, predators = self.room.size, 1 + self.room.teammates
        joint = np.asarray(belief).reshape(-1, *(n * n,) * predators).sum(axis=0)  # over both copies, if there are two
        heats = []
        for i in range(predators):
            grid = joint.sum(axis=tuple(j for j in range(predators) if j != i)).reshape(n, n).T
            who = "agent" if i == 0 else "teammate" if predators == 2 else f"teammate {i}"
            heats.append(Heat(f"where the {who} may be", "agent" if i == 0 else "teammate", grid))
        return tuple(heats)
