"""The world of Pursuit under partial observability (the paper, appendix of that name).

Two predators and a prey on a torus, on three different cells; the state is where the teammate and the prey are, seen
from the ad hoc agent. The prey makes one of four moves or stays, each equally likely. All choose at once and then
move one after the other, in an order that is drawn in each step: a move into a cell that is taken at that moment
leaves the mover where it is, a cell that was left earlier in the step is free. The prey is captured when, after all
have moved, the predators stand on opposite sides of it; or, as an option, on any two of its sides.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import permutations, product
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.domains.hunting import MOVES, MOVES_AND_STAY, STOPS, Cell, Hunt, Move, next_to
from walkon.models.mmdp import MMDP
from walkon.models.rules import Rules

State: TypeAlias = tuple[Cell, Cell]  # the teammate's and the prey's displacement from the ad hoc agent

CAPTURES = ("opposite", "adjacent")
DISCOUNT = 0.95
HERE: Cell = (0, 0)
ORDERS = tuple(permutations(range(3)))


@dataclass(frozen=True)
class Torus:
    """An n x n board whose edges are joined. Cells are displacements from the ad hoc agent, + is right and down.

    >>> Torus(5).wrap((3, -1)), Torus(4).wrap((2, 3))
    ((-2, -1), (2, -1))
    """

    size: int

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All displacements: from -floor((n-1)/2) to floor(n/2) on each axis."""
        span = range(-((self.size - 1) // 2), self.size // 2 + 1)
        return tuple(product(span, span))

    def wrap(self, offset: Cell) -> Cell:
        """The shortest displacement that leads to the same cell; half-way round counts as +."""
        half = (self.size - 1) // 2
        return (offset[0] + half) % self.size - half, (offset[1] + half) % self.size - half

    def distance(self, start: Cell, end: Cell) -> int:
        """The number of moves between two cells on an empty board."""
        across, down = self.between[start][end]
        return abs(across) + abs(down)

    @cached_property
    def between(self) -> dict[Cell, dict[Cell, Cell]]:
        """The shortest displacement from one cell to another."""
        return {s: {e: self.wrap((e[0] - s[0], e[1] - s[1])) for e in self.cells} for s in self.cells}

    @cached_property
    def beside(self) -> dict[Cell, dict[Move, Cell]]:
        """The cell that a move leads to."""
        return {cell: {move: self.wrap(next_to(cell, move)) for move in MOVES_AND_STAY} for cell in self.cells}


@dataclass(frozen=True)
class Board:
    """The board, and when the prey is captured on it."""

    torus: Torus
    capture: str = "opposite"
    after_capture: str = STOPS

    @cached_property
    def positions(self) -> tuple[State, ...]:
        """Every placement of the three on different cells."""
        others = [cell for cell in self.torus.cells if cell != HERE]
        return tuple((mate, prey) for mate in others for prey in others if mate != prey)

    @cached_property
    def captured(self) -> frozenset[State]:
        """The positions in which the predators hold the prey from two sides."""
        return frozenset(x for x in self.positions if self._surrounded(*x))

    def _surrounded(self, mate: Cell, prey: Cell) -> bool:
        beside = self.torus.distance(HERE, prey) == 1 == self.torus.distance(mate, prey)
        return beside and (self.capture == "adjacent" or mate == self.opposite(prey))

    def opposite(self, prey: Cell) -> Cell:
        """The cell on the other side of a prey that is beside the ad hoc agent."""
        return self.torus.wrap((2 * prey[0], 2 * prey[1]))

    @cached_property
    def hunt(self) -> Hunt[State]:
        """The hunt on this board."""
        return Hunt(self.positions, self.captured, self.roam, self.after_capture)

    def roam(self, x: State, a: Move, b: Move) -> Iterator[tuple[State, float]]:
        """The next states: the prey's move and the order are drawn, then all move."""
        beside, between = self.torus.beside, self.torus.between
        mate, prey = x
        for prey_to in beside[prey].values():
            targets = (beside[HERE][a], beside[mate][b], prey_to)
            ends = Counter(move_in_turn((HERE, mate, prey), targets, order) for order in ORDERS)
            for (agent, other, hunted), orders in ends.items():
                yield (between[agent][other], between[agent][hunted]), orders / 30


def move_in_turn(cells: Sequence[Cell], targets: Sequence[Cell], order: tuple[int, ...]) -> tuple[Cell, ...]:
    """Move the ad hoc agent, the teammate and the prey one after the other; return where they end up.

    >>> move_in_turn(((0, 0), (1, 0), (2, 2)), ((1, 0), (1, 1), (2, 2)), order=(0, 1, 2))
    ((0, 0), (1, 1), (2, 2))
    >>> move_in_turn(((0, 0), (1, 0), (2, 2)), ((1, 0), (1, 1), (2, 2)), order=(1, 0, 2))
    ((1, 0), (1, 1), (2, 2))
    """
    now = [*cells]
    for mover in order:
        if targets[mover] not in now:
            now[mover] = targets[mover]
    return tuple(now)


def describe(x: State) -> str:
    """A state, or an observation of one, in words.

    >>> describe(((1, -2), (0, 1)))
    'teammate (+1,-2), prey (0,+1)'
    """
    tx, ty, px, py = (f"{number:+d}" if number else "0" for cell in x for number in cell)
    return f"teammate ({tx},{ty}), prey ({px},{py})"


def rules(board: Board) -> Rules[Any, Move, Move]:
    """The rules of the board, for any teammate."""
    hunt = board.hunt
    return Rules(
        hunt.states, MOVES, MOVES, hunt.moves, hunt.reward, DISCOUNT, name=partial(hunt.name, describe=describe)
    )


@lru_cache(maxsize=4)
def matrices(board: Board) -> MMDP:
    """Tabulate the rules for all states at once: the same as `rules(board).mmdp()`, to the last bit, but faster.

    All tasks share the result.
    """
    hunt, (chances, y) = board.hunt, _ways(board)
    paid = np.cumsum(chances * hunt.arriving[y], axis=-1)[..., -1]  # added up in turn
    R = np.array([[hunt.rewards(each) for each in row] for row in paid])
    P = [
        [hunt.transitions(_matrix(*pair)) for pair in zip(*each, strict=True)] for each in zip(chances, y, strict=True)
    ]
    names = rules(board).names
    return MMDP(P, R.transpose(2, 0, 1), DISCOUNT, states=names, actions=MOVES, teammate_actions=MOVES)


def _ways(board: Board) -> tuple[Floats, Ints]:
    """The chances of all that may happen in each position, and the next positions, [A, B, positions, ways].

    A way is a move of the prey and an order. Orders with the same result are counted at the first of them.
    """
    cells, X = board.torus.cells, len(board.positions)
    number = {cell: i for i, cell in enumerate(cells)}
    beside = np.array([[number[board.torus.beside[cell][move]] for move in MOVES_AND_STAY] for cell in cells])
    between = np.array([[number[board.torus.between[start][end]] for end in cells] for start in cells])
    here, (mate, prey) = number[HERE], np.array([[number[cell] for cell in x] for x in board.positions]).T
    index = np.zeros((len(cells), len(cells)), dtype=np.int64)
    index[mate, prey] = np.arange(X)
    targets = [  # [A, B, the prey's moves, X], each with the axes that it has
        beside[here, :-1].reshape(-1, 1, 1, 1),
        beside[mate, :-1].T.reshape(1, -1, 1, X),
        beside[prey].T.reshape(1, 1, -1, X),
    ]
    ends, next_states = [], []
    for order in ORDERS:
        now = [np.array(here), mate, prey]
        for mover in order:
            one, other = (now[i] for i in range(3) if i != mover)
            taken = (targets[mover] == one) | (targets[mover] == other)
            now[mover] = np.where(taken, now[mover], targets[mover])
        ends.append((now[0] * len(cells) + now[1]) * len(cells) + now[2])
        next_states.append(index[between[now[0], now[1]], between[now[0], now[2]]])
    same = np.equal(ends, np.expand_dims(ends, 1))  # [orders, orders, A, B, the prey's moves, X]
    first = [~same[i, :i].any(axis=0) for i in range(len(ORDERS))]
    chances = np.where(first, same.sum(axis=1) / (len(ORDERS) * beside.shape[1]), 0.0)
    by_way = (np.moveaxis(each, (4, 3, 0), (2, 3, 4)) for each in (chances, np.array(next_states)))
    chances, y = (each.reshape(*each.shape[:3], -1) for each in by_way)
    return chances, y


def _matrix(chances: Floats, y: Ints) -> csr_array:
    """The matrix of next positions y [positions, ways] with these chances."""
    kept = chances > 0.0
    ends = np.append(0, np.cumsum(np.count_nonzero(kept, axis=1)))
    matrix = csr_array((chances[kept], y[kept], ends), shape=(len(y), len(y)))
    matrix.sum_duplicates()
    return matrix
