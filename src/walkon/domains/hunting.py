"""What both pursuit worlds share: cells and the moves between them, trembling teammates, and the end of a hunt.

The paper, "Night-time pursuit" and "Pursuit under partial observability": each step costs 1, the step of the capture
pays 100 instead, and nothing is paid afterwards. The episode goes on to its horizon, so captured states are absorbing;
the reward of a step depends on the state arrived in, and r(x, a) is its expectation.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from walkon.checks import whole
from walkon.domains.world import Option

Action = TypeVar("Action")
State = TypeVar("State")
Cell: TypeAlias = tuple[int, int]  # column, row; column 0 is left, row 0 the top
Move: TypeAlias = str

STEPS: dict[Move, Cell] = {"Up": (0, -1), "Down": (0, 1), "Left": (-1, 0), "Right": (1, 0), "Stay": (0, 0)}
MOVES = ("Up", "Down", "Left", "Right")
MOVES_AND_STAY = (*MOVES, "Stay")
CAPTURE, STEP = 100.0, -1.0  # the reward of the capture, and of any other step before it

SIDE = partial(whole, lowest=3, highest=10)
SIZE = Option("size", 5, SIDE, "Cells along each side, 3 to 10.", page=(3, 4, 5, 6), said="{0} x {0}".format)


def next_to(cell: Cell, move: Move) -> Cell:
    """The cell that a move leads to on an unbounded board."""
    return cell[0] + STEPS[move][0], cell[1] + STEPS[move][1]


def around(cell: Cell) -> list[Cell]:
    """The cells up, down, left and right of a cell; some may lie behind a wall."""
    return [next_to(cell, move) for move in MOVES]


def tremble_at(
    choices: Iterable[tuple[Action, float]], actions: Sequence[Action], tremble: float
) -> list[tuple[Action, float]]:
    """Replace a teammate's choice by a uniform one with a small probability, so that no move is impossible.

    >>> tremble_at([("Up", 1.0)], ["Up", "Down"], 0.5)
    [('Up', 0.5), ('Up', 0.25), ('Down', 0.25)]
    """
    if tremble == 0:
        return list(choices)
    steady = [(action, (1 - tremble) * p) for action, p in choices]
    return steady + [(action, tremble / len(actions)) for action in actions]


@dataclass(frozen=True)
class Hunt(Generic[State]):
    """Moves and rewards until the prey is captured, and afterwards."""

    roam: Callable[[State, Any, Any], Iterable[tuple[State, float]]]  # the next states before the capture
    captured: Container[State]

    def moves(self, x: State, a: Any, b: Any) -> Iterable[tuple[State, float]]:
        """The next states with their probabilities."""
        return ((x, 1.0),) if x in self.captured else self.roam(x, a, b)

    def reward(self, x: State, a: Any, b: Any, y: State) -> float:
        """The reward of the step from x to y."""
        if y not in self.captured:
            return STEP
        return 0.0 if x in self.captured else CAPTURE
