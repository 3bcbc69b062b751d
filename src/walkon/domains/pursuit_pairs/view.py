"""The picture of a moment of the second paper's pursuit: the torus, with the ad hoc agent in the middle."""

from dataclasses import dataclass

import numpy as np

from walkon.arrays import Floats
from walkon.domains.hunting import Cell
from walkon.domains.pursuit_pairs.world import OWN_CELL, POSITIONS, REACH, SEEN, SIDE, sides
from walkon.pictures.scene import Heat, Observation, Piece, Scene

THEM = ("teammate", "prey")
WHERE = ("up left", "up", "up right", "left", "not near", "right", "down left", "down", "down right")


def describe_observation(z: int) -> str:
    """An observation in words.

    >>> describe_observation(9 * 1 + 4)
    'teammate up, prey not near'
    """
    return ", ".join(f"{kind} {WHERE[cell]}" for kind, cell in zip(THEM, divmod(z, SEEN), strict=True))


def place(right: int, down: int) -> Cell:
    """The cell of the picture for a place seen from the ad hoc agent."""
    return right + REACH, down + REACH


@dataclass(frozen=True)
class TorusView:
    """Draws the torus relative to the ad hoc agent. When the task is over, the prey is drawn between the predators."""

    pair: str

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: all pieces, and where the ad hoc agent observed them."""
        over = state == len(POSITIONS)
        tx, ty, px, py = self._last() if over else POSITIONS[state].tolist()
        seen = () if observation is None or over else zip(THEM, divmod(observation, SEEN), strict=True)
        said = [] if observation is None else [f"observed: {describe_observation(observation)}"]
        return Scene(
            title=f"Pursuit, 5 x 5 torus, the prey between {self.pair}",
            columns=SIDE,
            rows=SIDE,
            pieces=(Piece("prey", place(px, py)), Piece("teammate", place(tx, ty)), Piece("agent", place(0, 0))),
            visible=frozenset(place(c, r) for c in range(-1, 2) for r in range(-1, 2) if c or r),
            observations=tuple(
                Observation(kind, place(cell % 3 - 1, cell // 3 - 1)) for kind, cell in seen if cell != OWN_CELL
            ),
            beliefs=() if belief is None else self._beliefs(np.asarray(belief)),
            torus=True,
            notes=(*(["the task is solved"] if over else []), *said),
        )

    def _last(self) -> list[int]:
        """A position in which the prey is captured."""
        (c, r), (d, s) = sides(self.pair)
        return [d - c, s - r, -c, -r]

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where the teammate and the prey are believed to be; Over has no place."""
        heats = []
        for kind, columns in zip(THEM, (POSITIONS[:, :2], POSITIONS[:, 2:]), strict=True):
            grid = np.zeros((SIDE, SIDE))
            np.add.at(grid, (columns[:, 1] + REACH, columns[:, 0] + REACH), belief[:-1])
            heats.append(Heat(f"where the {kind} may be", kind, grid))
        return tuple(heats)
