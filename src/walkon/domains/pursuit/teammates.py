"""The three teammates of Pursuit under partial observability (the paper, section "Pursuit Domain ...").

Greedy moves towards the prey, regardless of what stands in its way. Teammate-aware walks a shortest path, round the
ad hoc agent and the prey, to where it is needed. Probabilistic destinations draws a side of the prey in each step, near
ones more likely, and walks there. The last two move into the prey once they stand where they want to be.
"""

from collections.abc import Callable, Collection
from functools import lru_cache
from math import exp
from typing import TypeAlias

from walkon.domains.hunting import MOVES, Cell, Move, tremble_at
from walkon.domains.pursuit.world import HERE, Board, State, Torus

Choice: TypeAlias = list[tuple[Move, float]]


def greedy(board: Board, x: State, ties: str) -> Choice:
    """Move along the larger offset to the prey; where they are equal, along either, or sideways if ties are "first"."""
    mate, prey = x
    across, down = board.torus.between[mate][prey]
    sideways: Move = "Right" if across > 0 else "Left"
    upright: Move = "Down" if down > 0 else "Up"
    if abs(across) == abs(down):
        return [(sideways, 1.0)] if ties == "first" else [(upright, 0.5), (sideways, 0.5)]
    return [(sideways if abs(across) > abs(down) else upright, 1.0)]


def teammate_aware(board: Board, x: State, ties: str) -> Choice:
    """Walk to the nearest cell that completes the capture; to any side of the prey while the ad hoc agent is away."""
    prey = x[1]
    goals = free_sides(board.torus, prey)
    if board.capture == "opposite" and board.torus.distance(HERE, prey) == 1:
        goals = [board.opposite(prey)]
    return approach(board.torus, x, goals, ties)


def probabilistic_destinations(board: Board, x: State, ties: str) -> Choice:
    """Walk to a side of the prey where the ad hoc agent is not, drawn with weight exp(-distance)."""
    mate, prey = x
    sides = free_sides(board.torus, prey)
    weights = [exp(-board.torus.distance(mate, side)) for side in sides]
    return [
        (move, weight / sum(weights) * p)
        for side, weight in zip(sides, weights, strict=True)
        for move, p in approach(board.torus, x, [side], ties)
    ]


def free_sides(torus: Torus, prey: Cell) -> list[Cell]:
    """The cells beside the prey, except the ad hoc agent's."""
    return [side for move in MOVES if (side := torus.beside[prey][move]) != HERE]


def approach(torus: Torus, x: State, goals: list[Cell], ties: str) -> Choice:
    """Take the first move of a shortest path to the nearest goal; on a goal, move into the prey.

    Where there are several first moves, all are equally likely, or the first in the order of MOVES is taken.
    """
    mate, prey = x
    if mate in goals:
        return [(move, 1.0) for move in MOVES if torus.beside[mate][move] == prey]
    far = distances(torus, frozenset(goals), frozenset({HERE, prey}))
    ways = [move for move in MOVES if far.get(torus.beside[mate][move]) == far[mate] - 1]
    first = ways[:1] if ties == "first" else ways
    return [(move, 1 / len(first)) for move in first]


@lru_cache(maxsize=2**14)
def distances(torus: Torus, goals: frozenset[Cell], obstacles: frozenset[Cell]) -> dict[Cell, int]:
    """How many moves each cell is from the nearest goal, walking round the obstacles."""
    far = dict.fromkeys(goals, 0)
    edge: Collection[Cell] = goals
    while edge:
        steps = {torus.beside[cell][move]: far[cell] + 1 for cell in edge for move in MOVES}
        edge = [cell for cell in steps if cell not in far and cell not in obstacles]
        far.update((cell, steps[cell]) for cell in edge)
    return far


TEAMMATES: dict[str, Callable[[Board, State, str], Choice]] = {
    "greedy": greedy,
    "teammate-aware": teammate_aware,
    "probabilistic destinations": probabilistic_destinations,
}


def choices(kind: str, board: Board, x: State, ties: str, tremble: float) -> Choice:
    """The moves of a kind of teammate, with their probabilities."""
    return tremble_at(TEAMMATES[kind](board, x, ties), MOVES, tremble)
