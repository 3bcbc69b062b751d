"""How the teammates hunt at night: each walks to a prey of its own and ignores the other predators.

The closest (teammate, prey) pair is matched, then the closest among those left, until every teammate has a prey;
equal distances go to the first teammate, then to the first prey in the order of (column, row). With one teammate this
is the paper's policy: it moves towards its closest prey. A teammate walks to the column of its prey first, then to the
row, and stays there.
"""

from functools import lru_cache
from itertools import product
from math import prod

from walkon.domains.hunting import MOVES_AND_STAY, Cell, Move, tremble_at
from walkon.domains.night_pursuit.world import TeammateAction


def towards(cell: Cell, target: Cell) -> Move:
    """The next move on the way, columns first."""
    if cell[0] != target[0]:
        return "Right" if target[0] > cell[0] else "Left"
    if cell[1] != target[1]:
        return "Down" if target[1] > cell[1] else "Up"
    return "Stay"


def match(mates: tuple[Cell, ...], prey: tuple[Cell, ...]) -> list[Cell]:
    """Choose the prey that each teammate walks to."""
    pairs = sorted(
        (abs(m[0] - p[0]) + abs(m[1] - p[1]), i, p) for (i, m), p in product(enumerate(mates), prey)
    )  # by distance, then teammate, then prey
    target: dict[int, Cell] = {}
    for _, i, p in pairs:
        if i not in target and p not in target.values():
            target[i] = p
    return [target[i] for i in range(len(mates))]


@lru_cache(maxsize=2**16)
def choices(
    mates: tuple[Cell, ...], prey: tuple[Cell, ...], tremble: float
) -> tuple[tuple[TeammateAction, float], ...]:
    """The joint actions of teammates in these cells, with their probabilities. Each trembles independently."""
    wanted = [towards(cell, target) for cell, target in zip(mates, match(mates, prey), strict=True)]
    each = [tremble_at([(move, 1.0)], MOVES_AND_STAY, tremble) for move in wanted]
    return tuple((tuple(m for m, _ in joint), prod(p for _, p in joint)) for joint in product(*each))
