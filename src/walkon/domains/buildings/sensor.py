"""What the ad hoc agent observes on a floor: the four cells next to it, but not its own, and no goals.

z = (up, down, left, right), each nothing, a wall or the teammate. A wall or the teammate is misread with probability
`noise`, independently on each side: as nothing, or, as the program ran it, as either of the two others. An empty cell
is never misread.
"""

from itertools import product
from typing import TypeAlias

import numpy as np

from walkon.arrays import Floats
from walkon.domains.buildings.world import Floor
from walkon.domains.ending import after_misses
from walkon.domains.hunting import MOVES

Observation: TypeAlias = tuple[int, int, int, int]  # up, down, left, right

THINGS = ("nothing", "wall", "teammate")
EMPTY, WALL, TEAMMATE = range(3)
OBSERVATIONS: tuple[Observation, ...] = tuple((u, d, l, r) for u, d, l, r in product(range(3), repeat=4))


def describe(z: Observation) -> str:
    """An observation in words.

    >>> describe((0, 1, 2, 0))
    'nothing up, wall down, teammate left, nothing right'
    """
    return ", ".join(f"{THINGS[n]} {move.lower()}" for n, move in zip(z, MOVES, strict=True))


def observation_probabilities(floor: Floor, noise: float, misread: str) -> Floats:
    """The probability of each observation in each position, [N, Z]."""
    own, mate = floor.pairs.T
    sides = floor.plan.beside[own][:, : len(MOVES)]  # the cells up, down, left and right
    truth = np.where(sides == own[:, None], WALL, np.where(sides == mate[:, None], TEAMMATE, EMPTY))
    read = np.array([after_misses(thing, len(THINGS), noise, misread) for thing in range(len(THINGS))])
    up, down, left, right = np.moveaxis(read[truth], 1, 0)  # each [N, things]
    joint: Floats = np.einsum("nu,nd,nl,nr->nudlr", up, down, left, right).reshape(len(own), -1)
    return joint
