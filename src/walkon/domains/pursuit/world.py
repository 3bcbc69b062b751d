"""The world of Pursuit under partial observability (the paper, appendix of that name).

Two predators and a prey on a torus, on three different cells; the state is where the teammate and the prey are, seen
from the ad hoc agent. The prey makes one of four moves or stays, each equally likely. All choose at once and then
move one after the other, in an order that is drawn anew each step: a move into a cell that is taken at that moment
leaves the mover where it is, a cell that was left earlier in the step is free. The prey is captured when, after all
have moved, the predators stand on opposite sides of it; or, as an option, on any two of its sides.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import TypeAlias

from walkon.domains.capture import Hunt
from walkon.domains.compass import MOVES, Cell, Move
from walkon.domains.pursuit.torus import Torus
from walkon.models.rules import Rules

State: TypeAlias = tuple[Cell, Cell]  # the teammate's and the prey's displacement from the ad hoc agent

CAPTURES = ("opposite", "adjacent")
DISCOUNT = 0.95
HERE: Cell = (0, 0)
ORDERS = tuple(permutations(range(3)))


@dataclass(frozen=True)
class Board:
    """The board, and when the prey is captured on it."""

    torus: Torus
    capture: str = "opposite"

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every placement of the three on different cells."""
        others = [cell for cell in self.torus.cells if cell != HERE]
        return tuple((mate, prey) for mate in others for prey in others if mate != prey)

    @cached_property
    def captured(self) -> frozenset[State]:
        """The states in which the prey is captured."""
        return frozenset(x for x in self.states if self.surrounded(*x))

    def surrounded(self, mate: Cell, prey: Cell) -> bool:
        """Whether the predators hold the prey from two sides."""
        beside = self.torus.distance(HERE, prey) == 1 == self.torus.distance(mate, prey)
        return beside and (self.capture == "adjacent" or mate == self.opposite(prey))

    def opposite(self, prey: Cell) -> Cell:
        """The cell on the other side of a prey that is beside the ad hoc agent."""
        return self.torus.wrap((2 * prey[0], 2 * prey[1]))

    def roam(self, x: State, a: Move, b: Move) -> Iterator[tuple[State, float]]:
        """The next states: the prey's move and the order are drawn, then all move."""
        beside, between = self.torus.beside, self.torus.between
        mate, prey = x
        for prey_to in beside[prey].values():
            targets = (beside[HERE][a], beside[mate][b], prey_to)
            ends = Counter(in_turn((HERE, mate, prey), targets, order) for order in ORDERS)
            for (agent, other, hunted), orders in ends.items():
                yield (between[agent][other], between[agent][hunted]), orders / 30


def in_turn(cells: Sequence[Cell], targets: Sequence[Cell], order: tuple[int, ...]) -> tuple[Cell, Cell, Cell]:
    """Where all end up when they move one after the other: ad hoc agent, teammate, prey.

    >>> in_turn(((0, 0), (1, 0), (2, 2)), ((1, 0), (1, 1), (2, 2)), order=(0, 1, 2))
    ((0, 0), (1, 1), (2, 2))
    >>> in_turn(((0, 0), (1, 0), (2, 2)), ((1, 0), (1, 1), (2, 2)), order=(1, 0, 2))
    ((1, 0), (1, 1), (2, 2))
    """
    now = [*cells]
    for mover in order:
        if targets[mover] not in now:
            now[mover] = targets[mover]
    agent, mate, prey = now
    return agent, mate, prey


def rules(board: Board) -> Rules[State, Move, Move]:
    """What happens on the board, whoever the teammate is."""
    hunt = Hunt(board.roam, board.captured)
    return Rules(
        states=board.states,
        actions=MOVES,
        teammate_actions=MOVES,
        moves=hunt.moves,
        reward=hunt.reward,
        discount=DISCOUNT,
        name=said,
    )


def said(x: State) -> str:
    """A state, or an observation of one, as a person says it.

    >>> said(((1, -2), (0, 1)))
    'teammate (+1,-2), prey (0,+1)'
    """
    (tx, ty), (px, py) = x
    return f"teammate ({signed(tx)},{signed(ty)}), prey ({signed(px)},{signed(py)})"


def signed(number: int) -> str:
    """A displacement with its sign."""
    return f"{number:+d}" if number else "0"
