"""The hallways (Littman, Cassandra and Kaelbling 1995): find the way to a goal without knowing where one is.

A state is a cell and the way one faces. A step forward goes forward with probability 0.8, stays with 0.05, and slips to
the left, right or back with 0.05 each. A slip to a side turns one that way, a slip back does so half the time; what a
wall stops stays as it was. A turn to a side succeeds with 0.7 and leaves one in each other direction with 0.1; turning
around succeeds with 0.6, gives each side with 0.15 and nothing with 0.1. One sees walls in front, right, behind and to
the left: each is seen with 0.9 where it is, and with 0.05 where it is not. Landmarks and the goal are seen for sure.
Reaching the goal pays 1, and one is then put anywhere else, facing anywhere.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.models.tabulate import tabulate

WAYS = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # north, east, south, west
TURNS = {
    "stay": (1, 0, 0, 0),
    "right": (0.1, 0.7, 0.1, 0.1),
    "around": (0.1, 0.15, 0.6, 0.15),
    "left": (0.1, 0.1, 0.1, 0.7),
}
GOAL, LANDMARK = "+", "v"  # a landmark is seen where one faces south

Pose = tuple[tuple[int, int], int]  # a cell, and the way one faces


def hallway() -> POMDP:
    """The first hallway, with landmarks; 60 states, 5 actions, 21 observations."""
    return _world(["**v*v*v*v**", "  * * * +  "])


def hallway2() -> POMDP:
    """The second hallway, a ring with passages; 92 states, 5 actions, 17 observations."""
    return _world([" ***** ", "** * **", " * * * ", "** * *+", " ***** "])


def _world(plan: Sequence[str]) -> POMDP:
    cells = {(x, y): mark for y, row in enumerate(plan) for x, mark in enumerate(row) if mark != " "}
    states = [(cell, way) for cell in cells for way in range(4)]
    goal = np.array([cells[cell] == GOAL for cell, _ in states])
    anywhere = [(state, 1 / np.count_nonzero(~goal)) for state, there in zip(states, goal, strict=True) if not there]
    landmarks = [cell for cell, mark in cells.items() if mark == LANDMARK]
    observations = [*range(16), *landmarks, "goal"]

    def step(pose: Pose, name: str) -> Iterator[tuple[Pose, float]]:
        cell, way = pose
        if cells[cell] == GOAL:
            yield from anywhere
        elif name == "forward":
            yield pose, 0.05
            for turn, chance in ((0, 0.8), (1, 0.05), (2, 0.05), (3, 0.05)):
                ahead = (way + turn) % 4
                there = (cell[0] + WAYS[ahead][0], cell[1] + WAYS[ahead][1])
                if there not in cells:
                    yield pose, chance
                elif turn == 2:
                    yield (there, ahead), chance / 2
                    yield (there, way), chance / 2
                else:
                    yield (there, ahead), chance
        else:
            for turn, chance in enumerate(TURNS[name]):
                yield (cell, (way + turn) % 4), chance

    def read(pose: Pose) -> Iterator[tuple[object, float]]:
        cell, way = pose
        if cells[cell] == GOAL:
            yield "goal", 1.0
        elif cells[cell] == LANDMARK and way == 2:
            yield cell, 1.0
        else:
            ahead = [WAYS[(way + turn) % 4] for turn in (0, 1, 2, 3)]
            walls = [(cell[0] + dx, cell[1] + dy) not in cells for dx, dy in ahead]
            for seen in range(16):
                chances = [_sees(wall, bool(seen >> 3 - i & 1)) for i, wall in enumerate(walls)]
                yield seen, float(np.prod(chances))

    names = ["stay", "forward", "right", "around", "left"]
    P = [tabulate(states, states, partial(step, name=name)) for name in names]
    return POMDP(
        P=P,
        O=[tabulate(states, observations, read)] * len(names),
        R=np.stack([p @ goal.astype(float) for p in P], axis=1),
        start=~goal / np.count_nonzero(~goal),
        discount=0.95,
        states=states,
        actions=names,
        observations=observations,
    )


def _sees(wall: bool, seen: bool) -> float:
    chance = 0.9 if wall else 0.05
    return chance if seen else 1 - chance
