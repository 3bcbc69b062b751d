"""What both pursuit worlds share: cells and the moves between them, trembling teammates, and the end of a hunt.

The paper, "Night-time pursuit" and "Pursuit under partial observability": each step costs 1, the step of the capture
pays 100 instead, and nothing is paid afterwards. The reward of a step depends on the state arrived in, and r(x, a) is
its expectation. The episode runs to its horizon; what happens in the world after the capture can be read in two ways
(see `Hunt`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from scipy.sparse import block_array, csr_array, diags_array

from walkon.arrays import Bools, Floats
from walkon.checks import one_of, whole
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
STOPS, CONTINUES, PAYING = "stops", "continues", "continues-paying"
AFTER_CAPTURE = Option(
    "after_capture",
    STOPS,
    partial(one_of, choices=(STOPS, CONTINUES, PAYING)),
    "After a capture the world stops, continues (and nothing more is paid) or continues-paying (every step into a "
    "capture is paid, which contradicts the paper's text).",
)


def next_to(cell: Cell, move: Move) -> Cell:
    """The cell that a move leads to on an unbounded board."""
    return cell[0] + STEPS[move][0], cell[1] + STEPS[move][1]


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
    """The moves and rewards of a hunt, until the capture and afterwards.

    If the world stops after a capture, the positions of a capture are absorbing. If it continues, there are two copies
    of each position, (0, x) until the first capture and (1, x) afterwards, where nothing is paid. If it continues and
    pays, every step that leads to a capture is rewarded.
    """

    positions: Sequence[State]
    captured: frozenset[State]
    roam: Callable[[State, Any, Any], Iterable[tuple[State, float]]]  # the next positions, if nothing ever stops
    after: str = STOPS

    @cached_property
    def states(self) -> tuple[Any, ...]:
        """The positions, or both copies of them."""
        if self.after != CONTINUES:
            return tuple(self.positions)
        return tuple((before, x) for before in range(2) for x in self.positions)

    @cached_property
    def captures(self) -> Bools:
        """The positions of a capture."""
        return np.array([x in self.captured for x in self.positions])

    @property
    def solved(self) -> Bools:
        """The states [X] of the first capture."""
        return np.append(self.captures, np.zeros_like(self.captures)) if self.after == CONTINUES else self.captures

    @property
    def arriving(self) -> Floats:
        """The reward of a step by the position that it leads to, if every capture is paid."""
        return np.where(self.captures, CAPTURE, STEP)

    def numbers(self) -> list[list[int]]:
        """The tuple of numbers behind each state."""
        flat = np.array(self.positions).reshape(len(self.positions), -1).tolist()
        return [[before, *x] for before in range(2) for x in flat] if self.after == CONTINUES else flat

    def start(self, among: Callable[[State], bool] = lambda x: True) -> Floats:
        """The distribution of the first state: uniform over the positions chosen that are no capture."""
        chosen = [x not in self.captured and among(x) for x in self.positions]
        return np.array(chosen + [False] * (len(self.states) - len(chosen))) / sum(chosen)

    def split(self, x: Any) -> tuple[int, State]:
        """Whether there was a capture before, 0 or 1, and the position."""
        return x if self.after == CONTINUES else (0, x)

    def position(self, x: Any) -> State:
        """The position of a state."""
        return self.split(x)[1]

    def name(self, x: Any, describe: Callable[[State], str]) -> str:
        """The name of a state."""
        before, position = self.split(x)
        return describe(position) + ", captured before" * before

    def moves(self, x: Any, a: Any, b: Any) -> Iterable[tuple[Any, float]]:
        """The next states with their probabilities."""
        before, position = self.split(x)
        over = position in self.captured
        if over and self.after == STOPS:
            return ((x, 1.0),)
        ways = self.roam(position, a, b)
        return (((before | over, y), p) for y, p in ways) if self.after == CONTINUES else ways

    def reward(self, x: Any, a: Any, b: Any, y: Any) -> float:
        """The reward of the step from x to y."""
        before, position = self.split(x)
        if self.after != PAYING and (before or position in self.captured):
            return 0.0
        return CAPTURE if self.position(y) in self.captured else STEP

    def transitions(self, free: csr_array) -> csr_array:
        """The matrix [X, X] of the hunt, from that of the positions if nothing ever stops: `moves` for all states."""
        goes_on, stays = (diags_array(each.astype(np.float64)) for each in (~self.captures, self.captures))
        if self.after == CONTINUES:
            return csr_array(block_array([[goes_on @ free, stays @ free], [None, free]], format="csr"))
        return free if self.after == PAYING else goes_on @ free + stays

    def rewards(self, free: Floats) -> Floats:
        """The expected rewards [X] of the hunt, from those of the positions if every capture is paid."""
        if self.after == PAYING:
            return free
        first = np.where(self.captures, 0.0, free)
        return np.append(first, np.zeros_like(first)) if self.after == CONTINUES else first

    def both(self, table: csr_array) -> csr_array:
        """A table over the positions as one over the states."""
        return csr_array(block_array([[table], [table]], format="csr")) if self.after == CONTINUES else table
