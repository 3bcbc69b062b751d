"""How the teammates of the buildings and of the gridworld move.

As described, the teammate goes to the goal of its task that is nearest to it, and to the first of two that are as near;
it ignores the agent. It takes the first move, in a fixed order, that shortens its way, and stays on the goal. As run in
the buildings, it plays its part of the best joint plan, in which no move fails: all pairs of moves that lose no time
are equally likely, and its own moves are what is left when the agent's are summed out.
"""

from collections.abc import Sequence

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.domains.buildings.maps import Plan
from walkon.domains.buildings.world import MOVES, STAY, Floor
from walkon.domains.ending import marginal, quickest
from walkon.domains.hunting import MOVES_AND_STAY, Cell, Move

CLOSEST, OPTIMAL = "closest", "optimal"
UPRIGHT_FIRST: Sequence[Move] = ("Up", "Down", "Left", "Right")  # in the buildings
SIDEWAYS_FIRST: Sequence[Move] = ("Left", "Right", "Up", "Down")  # in the gridworld


def policy(floor: Floor, goals: Sequence[Cell], kind: str, order: Sequence[Move]) -> Floats:
    """The probability of each move of a teammate in each state, [X, B]."""
    if kind == OPTIMAL:
        N = len(floor.pairs)
        optimal = quickest(floor.following.reshape(N, -1), floor.solved(goals))
        return marginal(optimal.reshape(floor.following.shape))
    moves = np.append(nearest(floor.plan, goals, order)[floor.pairs[:, 1]], STAY)
    chosen: Floats = np.eye(MOVES)[moves]
    return chosen


def nearest(plan: Plan, goals: Sequence[Cell], order: Sequence[Move]) -> Ints:
    """The move [cells] from each cell to the nearest goal, the first of the order that shortens the way."""
    far = np.array([distances(plan, goal) for goal in goals])  # [goals, cells]
    chosen = far[far.argmin(axis=0), np.arange(far.shape[1])]
    towards = far[far.argmin(axis=0)[:, None], plan.beside]  # [cells, moves]: how far it is after each move
    moves = np.full(far.shape[1], STAY)
    for move in reversed([MOVES_AND_STAY.index(each) for each in order]):
        moves[towards[:, move] < chosen] = move
    return moves


def distances(plan: Plan, goal: Cell) -> Floats:
    """How many moves each cell [cells] is from a goal, on an empty floor."""
    far = np.where([cell == goal for cell in plan.cells], 0.0, np.inf)
    for _ in plan.cells:
        far = np.minimum(far, 1 + far[plan.beside].min(axis=1))
    return far
