"""A world of your own, with a board: a guard walks through a dark museum to one of three doors. Be there in time."""

from collections import namedtuple
from pathlib import Path
from typing import NamedTuple

import walkon
from walkon.pictures.scene import Piece, Scene, Tile
from walkon.trials.notebook import episode_film

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0), "stay": (0, 0)}
DOORS = {"north door": (1, 0), "east door": (4, 1), "south door": (2, 2)}
State = namedtuple("State", "agent guard")


def walk(cell, step):
    column, row = (n + by for n, by in zip(cell, STEPS[step], strict=True))
    return min(max(column, 0), 4), min(max(row, 0), 2)


class Meet(NamedTuple):
    name: str
    actions = tuple(STEPS)
    start = State(agent=(0, 1), guard=(4, 2))
    horizon = 30

    def teammates(self, x):
        """The guard goes along the row first, and then along the column; now and then it listens for a moment."""
        (column, row), (there, below) = x.guard, DOORS[self.name]
        along = "left" if column > there else "right" if column < there else None
        across = "up" if row > below else "down" if row < below else "stay"
        return {along or across: 0.8, "stay": 0.2} if x.guard != (there, below) else "stay"

    def moves(self, x, a, b):
        return State(walk(x.agent, a), walk(x.guard, b))

    def sensor(self, a, y):
        """The guard's lamp shines two cells far, and shows the side on which the guard is."""
        across, down = (theirs - ours for ours, theirs in zip(y.agent, y.guard, strict=True))
        if abs(across) + abs(down) > 2:
            return "dark"
        side = "right" if across > 0 else "left" if across < 0 else "down" if down > 0 else "up" if down < 0 else "here"
        return {f"light {side}": 0.9, "dark": 0.1}

    def solved(self, x):
        return x.agent == x.guard == DOORS[self.name]

    def reward(self, x, a, b, y):
        return 20 if self.solved(y) else -1

    def picture(self, x, z):
        doors = tuple(Tile("door", cell, label=name.split()[0]) for name, cell in DOORS.items())
        near = frozenset((c, r) for c in range(5) for r in range(3) if abs(c - x.agent[0]) + abs(r - x.agent[1]) <= 2)
        pieces = (Piece("teammate", x.guard), Piece("agent", x.agent))
        return Scene("The museum at night", 5, 3, pieces, doors, visible=near, notes=(z,) if z else ())


library = walkon.define([Meet(name) for name in DOORS])

if __name__ == "__main__":
    agent = walkon.agent("bayes", library, effort="quick")
    episode = walkon.play(library["north door"], agent, seed=16)
    for t, belief in enumerate(episode.task_beliefs[: episode.steps + 1]):
        print(t, *(f"{name} {share:.2f}" for name, share in zip(library.names, belief, strict=True)), sep="   ")
    print(f"met after {episode.steps} steps")
    Path("museum.svg").write_text(episode_film(episode))
