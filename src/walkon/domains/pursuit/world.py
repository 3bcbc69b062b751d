"""The world of Pursuit under partial observability (the paper, appendix of that name).

Two predators and a prey on a torus, on three different cells; the state is where the teammate and the prey are, seen
from the ad hoc agent. The prey makes one of four moves or stays, each equally likely. All choose at once and then
move one after the other, in an order that is drawn in each step: a move into a cell that is taken at that moment
leaves the mover where it is, a cell that was left earlier in the step is free. The prey is captured when, after all
have moved, the predators stand on opposite sides of it; or, as an option, on any two of its sides.

The ad hoc agent observes where the teammate and the prey are, less surely the further away. An element at distance d
(moves on an empty board) is observed where it is with probability 1 - 0.15 d, and otherwise on one of the four cells
around it, each equally likely; the two elements are observed independently, and a wrong observation may fall on the ad
hoc agent's own cell or on the other element's. The paper prints 1 - 0.15 d as the probability of failing, which
contradicts its text, where nearer elements are seen better; the option `literal_noise` takes it as printed.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from math import exp
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.domains.hunting import CAPTURE, MOVES, MOVES_AND_STAY, STEP, Cell, Hunt, Move, next_to, tremble_at
from walkon.models.mmdp import MMDP
from walkon.models.rules import Rules

State: TypeAlias = tuple[Cell, Cell]  # the teammate's and the prey's displacement from the ad hoc agent
Choice: TypeAlias = list[tuple[Move, float]]

CAPTURES = ("opposite", "adjacent")
DISCOUNT = 0.95
BLUR = 0.15  # how much the probability of a failure grows with each cell of distance
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

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every placement of the three on different cells."""
        others = [cell for cell in self.torus.cells if cell != HERE]
        return tuple((mate, prey) for mate in others for prey in others if mate != prey)

    @cached_property
    def captured(self) -> frozenset[State]:
        """The states in which the predators hold the prey from two sides."""
        far = self.torus.distance
        held = [(mate, prey) for mate, prey in self.states if far(HERE, prey) == 1 == far(mate, prey)]
        return frozenset(x for x in held if self.capture == "adjacent" or x[0] == self.opposite(x[1]))

    def opposite(self, prey: Cell) -> Cell:
        """The cell on the other side of a prey that is beside the ad hoc agent."""
        return self.torus.wrap((2 * prey[0], 2 * prey[1]))

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


def rules(board: Board) -> Rules[State, Move, Move]:
    """The rules of the board, for any teammate."""
    hunt = Hunt(board.roam, board.captured)
    return Rules(board.states, MOVES, MOVES, hunt.moves, hunt.reward, DISCOUNT, name=describe)


@lru_cache(maxsize=4)
def matrices(board: Board) -> MMDP:
    """Tabulate the rules once for all tasks: the same as `rules(board).mmdp()` to the last bit, but faster."""
    over = np.array([x in board.captured for x in board.states])
    chances, y = _ways(board)
    chances[:, :, over], y[:, :, over] = 0.0, np.flatnonzero(over)[:, None]
    chances[:, :, over, 0] = 1.0
    paid = np.cumsum(chances * np.where(over, CAPTURE, STEP)[y], axis=-1)[..., -1]  # added up in turn
    paid[:, :, over] = 0.0
    P = [[_matrix(*pair) for pair in zip(*each, strict=True)] for each in zip(chances, y, strict=True)]
    states = [describe(x) for x in board.states]
    return MMDP(P, paid.transpose(2, 0, 1), DISCOUNT, states=states, actions=MOVES, teammate_actions=MOVES)


def _ways(board: Board) -> tuple[Floats, Ints]:
    """The chances of all that may happen until the prey is captured, and the next states, [A, B, X, ways].

    A way is a move of the prey and an order. Orders with the same result are counted at the first of them.
    """
    cells, X = board.torus.cells, len(board.states)
    number = {cell: i for i, cell in enumerate(cells)}
    beside = np.array([[number[board.torus.beside[cell][move]] for move in MOVES_AND_STAY] for cell in cells])
    between = np.array([[number[board.torus.between[start][end]] for end in cells] for start in cells])
    here, (mate, prey) = number[HERE], np.array([[number[cell] for cell in x] for x in board.states]).T
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
    chances, y = (np.moveaxis(each, (4, 3, 0), (2, 3, 4)) for each in (chances, np.array(next_states)))
    return chances.reshape(*chances.shape[:3], -1), y.reshape(*y.shape[:3], -1)


def _matrix(chances: Floats, y: Ints) -> csr_array:
    """The matrix of next states y [X, ways] with these chances."""
    kept = chances > 0.0
    ends = np.append(0, np.cumsum(np.count_nonzero(kept, axis=1)))
    matrix = csr_array((chances[kept], y[kept], ends), shape=(len(y), len(y)))
    matrix.sum_duplicates()
    return matrix


@dataclass(frozen=True)
class Sensor:
    """Sees the whole torus, with errors that grow with the distance."""

    torus: Torus
    literal_noise: bool = False

    @cached_property
    def observations(self) -> tuple[State, ...]:
        """Every pair of cells, also those that no state has."""
        return tuple(product(self.torus.cells, self.torus.cells))

    def distribution(self, x: State) -> Iterator[tuple[State, float]]:
        """The possible observations in a state, with their probabilities."""
        for (mate, p), (prey, q) in product(self._sightings[x[0]], self._sightings[x[1]]):
            yield (mate, prey), p * q

    @cached_property
    def _sightings(self) -> dict[Cell, list[tuple[Cell, float]]]:
        """Where one element may be observed, by where it is."""
        table = {}
        for cell in self.torus.cells:
            failing = min(1.0, BLUR * self.torus.distance(HERE, cell))
            right = failing if self.literal_noise else 1 - failing
            wrong = [(self.torus.beside[cell][move], (1 - right) / 4) for move in MOVES]
            table[cell] = [(seen, p) for seen, p in [(cell, right), *wrong] if p > 0]
        return table


def greedy(board: Board, x: State) -> Choice:
    """Move along the larger offset to the prey, whatever is in the way; along either where they are equal."""
    mate, prey = x
    across, down = board.torus.between[mate][prey]
    sideways: Move = "Right" if across > 0 else "Left"
    upright: Move = "Down" if down > 0 else "Up"
    if abs(across) == abs(down):
        return [(upright, 0.5), (sideways, 0.5)]
    return [(sideways if abs(across) > abs(down) else upright, 1.0)]


def teammate_aware(board: Board, x: State) -> Choice:
    """Walk to the nearest cell that completes the capture; to any side of the prey while the ad hoc agent is away."""
    prey = x[1]
    goals = free_sides(board.torus, prey)
    if board.capture == "opposite" and board.torus.distance(HERE, prey) == 1:
        goals = [board.opposite(prey)]
    return approach(board.torus, x, goals)


def probabilistic_destinations(board: Board, x: State) -> Choice:
    """Walk to a side of the prey where the ad hoc agent is not, drawn with weight exp(-distance)."""
    mate, prey = x
    sides = free_sides(board.torus, prey)
    weights = [exp(-board.torus.distance(mate, side)) for side in sides]
    return [
        (move, weight / sum(weights) * p)
        for side, weight in zip(sides, weights, strict=True)
        for move, p in approach(board.torus, x, [side])
    ]


def free_sides(torus: Torus, prey: Cell) -> list[Cell]:
    """The cells beside the prey, except the ad hoc agent's."""
    return [side for move in MOVES if (side := torus.beside[prey][move]) != HERE]


def approach(torus: Torus, x: State, goals: list[Cell]) -> Choice:
    """Take the first move of a shortest path to the nearest goal, all equally likely; on a goal, move into the prey."""
    mate, prey = x
    if mate in goals:
        return [(move, 1.0) for move in MOVES if torus.beside[mate][move] == prey]
    far = distances(torus, frozenset(goals), frozenset({HERE, prey}))
    first = [move for move in MOVES if far.get(torus.beside[mate][move]) == far[mate] - 1]
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


TEAMMATES: dict[str, Callable[[Board, State], Choice]] = {  # the paper, section "Pursuit Domain ..."
    "greedy": greedy,
    "teammate-aware": teammate_aware,
    "probabilistic destinations": probabilistic_destinations,
}


def choices(kind: str, board: Board, tremble: float, x: State) -> Choice:
    """The moves of a kind of teammate, with their probabilities."""
    return tremble_at(TEAMMATES[kind](board, x), MOVES, tremble)
