"""The world of the second paper's pursuit (section 5.1.2): two predators and a prey on a torus of 5 x 5 cells.

A state is where the teammate and the prey are, seen from the ad hoc agent. Cells may be shared, all move at once and no
move fails; the prey makes each of the five moves with probability 1/5. The prey is captured when the predators stand on
the two cells beside it that the task names, either way round.

A difference of two positions is put back into -2, ..., 2 by the rule of the ring: modulo 5; or reversed, as the program
ran it, where 3 became -1, 4 became -2, -3 became 1 and -4 became 2 (modulo 5 they are -2, -1, 2 and 1).
"""

from functools import cache
from itertools import product
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Floats, Ints
from walkon.domains.ending import certainly
from walkon.domains.hunting import MOVES_AND_STAY, STEPS, Cell

Pair: TypeAlias = str  # the two cells beside the prey, by their directions

SIDE, REACH = 5, 2  # cells along each side, and the largest difference
MODULO, REVERSED = "modulo", "reversed"
DIRECTIONS: dict[str, Cell] = {
    "n": (0, -1),
    "s": (0, 1),
    "w": (-1, 0),
    "e": (1, 0),
    "sw": (-1, 1),
    "ne": (1, -1),
    "nw": (-1, -1),
    "se": (1, 1),
}
PAIRS: tuple[Pair, ...] = ("n/s", "w/e", "sw/ne", "nw/se")
SPAN = range(-REACH, REACH + 1)
POSITIONS: Ints = np.array(list(product(SPAN, repeat=4)))  # [N, 4]: teammate right, down, prey right, down
MOVES: Ints = np.array([STEPS[move] for move in MOVES_AND_STAY])  # [moves, 2]
OWN_CELL = 4  # what is read if a thing is not next to the agent, or missed
SEEN = 9  # cells that can be read


def wrap(difference: Ints, ring: str) -> Ints:
    """Put differences back into -2, ..., 2.

    >>> wrap(np.arange(-4, 5), MODULO).tolist()
    [1, 2, -2, -1, 0, 1, 2, -2, -1]
    >>> wrap(np.arange(-4, 5), REVERSED).tolist()
    [2, 1, -2, -1, 0, 1, 2, -1, -2]
    """
    if ring == MODULO:
        around: Ints = (difference + REACH) % SIDE - REACH
        return around
    outside = np.sign(difference) * (REACH - np.abs(difference))
    return np.where(np.abs(difference) > REACH, outside, difference)


def sides(pair: Pair) -> tuple[Cell, Cell]:
    """The two cells beside the prey, seen from it."""
    first, second = (DIRECTIONS[direction] for direction in pair.split("/"))
    return first, second


def captured(pair: Pair, ring: str) -> Bools:
    """The positions [N] in which the predators stand on the two sides of the prey."""
    mate, prey = POSITIONS[:, :2], POSITIONS[:, 2:]
    own, other = wrap(-prey, ring), wrap(mate - prey, ring)
    first, second = (np.array(side) for side in sides(pair))
    ways = [(own == one).all(axis=1) & (other == two).all(axis=1) for one, two in ((first, second), (second, first))]
    either: Bools = ways[0] | ways[1]
    return either


@cache
def moves(ring: str) -> tuple[tuple[csr_array, ...], ...]:
    """The matrices [A][B] of [N, N] if nothing ever ended."""
    N = len(POSITIONS)
    found = []
    for a, b in product(MOVES, MOVES):
        mate = wrap(POSITIONS[:, None, :2] + b - a, ring)  # [N, 1, 2]
        prey = wrap(POSITIONS[:, None, 2:] + MOVES - a, ring)  # [N, the prey's moves, 2]
        digits = np.concatenate([np.broadcast_to(mate, prey.shape), prey], axis=2) + REACH
        following = digits @ SIDE ** np.arange(3, -1, -1)
        chances = np.full(following.size, 1 / len(MOVES))
        matrix = csr_array((chances, following.ravel(), np.arange(N + 1) * len(MOVES)), shape=(N, N))
        matrix.sum_duplicates()
        found.append(matrix)
    return tuple(tuple(found[a : a + len(MOVES)]) for a in range(0, len(found), len(MOVES)))


def observation_probabilities(noise: float) -> Floats:
    """The probability of each observation in each position, [N, Z]: nine times the teammate's cell plus the prey's.

    A cell number is 3 (down + 1) + right + 1, so 4 is the own cell. Each of the two is read where it is if it is in one
    of the eight cells around, but missed with probability `noise`; it is then read as 4, as it is if it is elsewhere.
    """
    one = {(right, down): _sighting(right, down, noise) for right in SPAN for down in SPAN}
    return np.array([np.outer(one[tx, ty], one[px, py]).ravel() for tx, ty, px, py in POSITIONS.tolist()])


def _sighting(right: int, down: int, noise: float) -> Floats:
    seen = 3 * (down + 1) + right + 1 if max(abs(right), abs(down)) == 1 else OWN_CELL
    return (1 - noise) * certainly(seen, SEEN) + noise * certainly(OWN_CELL, SEEN)


def describe(x: tuple[int, ...]) -> str:
    """A position in words.

    >>> describe((1, -2, 0, 1))
    'teammate (+1,-2), prey (0,+1)'
    """
    tx, ty, px, py = (f"{number:+d}" if number else "0" for number in x)
    return f"teammate ({tx},{ty}), prey ({px},{py})"
