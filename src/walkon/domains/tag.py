"""Tag (Pineau, Gordon and Thrun 2003): catch an opponent who sees us coming and runs.

The floor has 29 cells: two rows of ten, and three rows of three above their sixth to eighth cell. We always read our
own cell, and where we moved onto the opponent, that instead. A move costs 1; a catch pays 10 in the opponent's cell and
costs 10 elsewhere, and ends the chase. The opponent goes away from where we stood: along the row with probability 0.4
and along the column with 0.4, either way with 0.2 each where we stood level, and not at all where a wall is.
As in the file that the literature uses, moves still cost 1 after the chase has ended, and a catch then costs nothing.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.models.tabulate import tabulate

CELLS = [(column, row) for row in range(2) for column in range(10)] + [
    (column, row) for row in range(2, 5) for column in range(5, 8)
]
CAUGHT = (-1, -1)  # where the opponent is after the chase
MOVES = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0), "catch": (0, 0)}

Cell = tuple[int, int]
Chase = tuple[Cell, Cell]  # our cell, the opponent's


def tag() -> POMDP:
    """Tag: catch an opponent who runs; 870 states, 5 actions, 30 observations."""
    states = [(us, them) for us in CELLS for them in [*CELLS, CAUGHT]]
    observations = [*CELLS, "found"]
    caught, level = np.array([them == CAUGHT for _, them in states]), np.array([us == them for us, them in states])
    rewards = np.full((len(states), len(MOVES)), -1.0)
    rewards[:, 4] = np.where(caught, 0, np.where(level, 10, -10))
    return POMDP(
        P=[tabulate(states, states, partial(_step, name=name)) for name in MOVES],
        O=[tabulate(states, observations, partial(_read, name=name)) for name in MOVES],
        R=rewards,
        start=~caught / np.count_nonzero(~caught),
        discount=0.95,
        states=states,
        actions=list(MOVES),
        observations=observations,
    )


def _step(state: Chase, name: str) -> Iterator[tuple[Chase, float]]:
    us, them = state
    if them == CAUGHT:
        yield state, 1.0
        return
    if name == "catch" and us == them:
        yield (us, CAUGHT), 1.0
        return
    arrived = _moved(us, MOVES[name])
    yield (arrived, them), 0.2
    for along in ((1, 0), (0, 1)):
        away = sum((theirs - ours) * axis for theirs, ours, axis in zip(them, us, along, strict=True))
        for sign in (1, -1):
            if away == 0 or (away > 0) == (sign > 0):
                way = (sign * along[0], sign * along[1])
                yield (arrived, _moved(them, way)), 0.2 if away == 0 else 0.4


def _moved(cell: Cell, way: Cell) -> Cell:
    there = (cell[0] + way[0], cell[1] + way[1])
    return there if there in CELLS else cell


def _read(state: Chase, name: str) -> Iterator[tuple[Cell | str, float]]:
    us, them = state
    yield "found" if us == them and name != "catch" else us, 1.0
