"""The teammates of the second paper's pursuit.

Both go to the closer of the two cells beside the prey that the task names, and to the first of two that are as close.
Greedy moves along the row first, then along the column. Aware takes the first step of a shortest way round the ad hoc
agent: on the torus, the first of right, left, down, up that is one; or, as the program ran it, by the table below,
where its search knew no cells to the left of it or above, and it moved at random if its target was one of them.
"""

from functools import cache

import numpy as np

from walkon.arrays import Floats
from walkon.domains.ending import certainly
from walkon.domains.hunting import MOVES_AND_STAY, Cell, Move, next_to
from walkon.domains.pursuit_pairs.world import MODULO, POSITIONS, SPAN, Pair, sides, wrap

GREEDY, AWARE = "greedy", "aware"
TORUS, QUADRANT = "torus", "quadrant"
TIES: tuple[Move, ...] = ("Right", "Left", "Down", "Up")
HERE: Cell = (0, 0)

_INITIALS: dict[str, Move] = {"U": "Up", "D": "Down", "L": "Left", "R": "Right"}
_USUALLY = {(0, 1): "D", (0, 2): "D", (1, 0): "R", (1, 1): "R", (1, 2): "R", (2, 0): "R", (2, 1): "R", (2, 2): "D"}
_AROUND: dict[Cell, dict[Cell, str]] = {  # by the agent's cell, then by the target
    (0, 0): {(1, 2): "D", (2, 2): "R"},
    (0, 1): {(0, 2): "U", (2, 2): "R"},
    (1, 0): {(1, 1): "D", (1, 2): "D", (2, 0): "L", (2, 1): "D"},
    (1, 1): {(1, 2): "D"},
    (1, 2): {(2, 2): "R"},
    (2, 0): {(2, 2): "R"},
}


def policy(kind: str, pair: Pair, ring: str, search: str) -> Floats:
    """The probability of each move of a teammate in each state, [X, B]."""
    rows = [_choice(kind, _target(x, pair, ring), (-x[0], -x[1]), search) for x in POSITIONS.tolist()]
    return np.array([*rows, _only("Stay")])


def _target(x: list[int], pair: Pair, ring: str) -> Cell:
    """The cell that the teammate goes to, seen from it."""
    tx, ty, px, py = x
    prey = wrap(np.array([px - tx, py - ty]), ring)
    cells = [wrap(prey + side, ring).tolist() for side in sides(pair)]
    right, down = min(cells, key=lambda cell: abs(cell[0]) + abs(cell[1]))
    return right, down


def _choice(kind: str, target: Cell, agent: Cell, search: str) -> Floats:
    """The probability of each move towards a target; target and agent are seen from the teammate."""
    right, down = target
    if kind == GREEDY or target == HERE:
        sideways: Move = "Right" if right > 0 else "Left"
        upright: Move = "Down" if down > 0 else "Up"
        return _only(sideways if right else upright if down else "Stay")
    if search == TORUS:
        return _only(_round(target, agent))
    if min(target) < 0:
        return np.full(len(MOVES_AND_STAY), 1 / len(MOVES_AND_STAY))
    return _only(_INITIALS[_AROUND.get(agent, {}).get(target, _USUALLY[target])])


def _only(move: Move) -> Floats:
    return certainly(MOVES_AND_STAY.index(move), len(MOVES_AND_STAY))


@cache
def _round(target: Cell, agent: Cell) -> Move:
    """The first step of a shortest way to the target on the torus, round the agent's cell."""
    blocked = agent if agent not in (target, HERE) else None
    far = {target: 0}
    for steps in range(1, len(SPAN) ** 2):
        for cell in [cell for cell, distance in far.items() if distance == steps - 1]:
            for move in TIES:
                if (there := _beside(cell, move)) != blocked:
                    far.setdefault(there, steps)
    return next(move for move in TIES if far.get(_beside(HERE, move)) == far[HERE] - 1)


def _beside(cell: Cell, move: Move) -> Cell:
    right, down = wrap(np.array(next_to(cell, move)), MODULO).tolist()
    return right, down
