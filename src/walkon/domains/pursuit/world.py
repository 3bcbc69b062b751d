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
from functools import cache, cached_property
from itertools import permutations
from typing import TypeAlias, TypeVar

from walkon.domains.capture import Hunt
from walkon.domains.compass import MOVES, Cell, Move
from walkon.domains.pursuit.torus import Torus
from walkon.models.rules import Rules

Place = TypeVar("Place")
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
        known = (HERE, mate, prey, beside[HERE][a], beside[mate][b])
        same = tuple(map(known.index, known))
        for prey_to in beside[prey].values():
            cells = (*known, prey_to)
            for (agent, other, hunted), orders in _ends(*same, cells.index(prey_to)):
                to = between[cells[agent]]
                yield (to[cells[other]], to[cells[hunted]]), orders / 30


@cache
def _ends(*cells: int) -> tuple[tuple[tuple[int, int, int], int], ...]:
    """Where all may end up, and in how many of the orders.

    Args:
        *cells: The three cells that they leave and the three that they move to, each by the index of the first that is
            the same: all that matters is who gets in whose way.
    """
    return tuple(Counter(in_turn(cells[:3], cells[3:], order) for order in ORDERS).items())


def in_turn(cells: Sequence[Place], targets: Sequence[Place], order: tuple[int, ...]) -> tuple[Place, Place, Place]:
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
        replies=MOVES,
        moves=hunt.moves,
        reward=hunt.reward,
        discount=DISCOUNT,
        name=said,
    )


def said(x: State) -> str:
    """A state, or a reading of one, as a person says it.

    >>> said(((1, -2), (0, 1)))
    'teammate (+1,-2), prey (0,+1)'
    """
    (tx, ty), (px, py) = x
    return f"teammate ({signed(tx)},{signed(ty)}), prey ({signed(px)},{signed(py)})"


def signed(number: int) -> str:
    """A displacement with its sign."""
    return f"{number:+d}" if number else "0"
