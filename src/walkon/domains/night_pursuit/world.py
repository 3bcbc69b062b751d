"""The world of Night-time Pursuit (the paper, appendix "Night-time pursuit").

A square room with walls. As many predators as sleeping preys; the first predator is the ad hoc agent. All move at
once and may share a cell. A move of the ad hoc agent fails with probability `noise` and then leaves it where it is, as
does a move into a wall. The preys are captured when every prey has a predator on its cell in the same step.

The ad hoc agent observes the four cells next to it, but not its own: z = (up, down, left, right), each nothing,
teammate or prey. Each thing in such a cell is missed with probability `noise`, independently, and nothing is seen that
is not there. Only one thing is observed in a cell: a teammate that is seen hides the prey it stands on, so on a prey's
cell one teammate is observed with 1 - noise, the prey with noise (1 - noise), nothing with noise^2. Teammates look
alike.

Each teammate walks to a prey of its own and ignores the other predators. The closest (teammate, prey) pair is matched,
then the closest among those left, until every teammate has a prey; equal distances go to the first teammate, then to
the first prey in the order of (column, row). With one teammate this is the paper's policy: it moves towards its closest
prey. A teammate walks to the column of its prey first, then to the row, and stays there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations, product
from math import prod
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array, diags_array, kron

from walkon.arrays import Bools, Floats
from walkon.domains.hunting import CAPTURE, MOVES, MOVES_AND_STAY, STEP, Cell, Hunt, Move, around, next_to, tremble_at
from walkon.models.mdp import MDP
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate

State: TypeAlias = tuple[Cell, ...]  # the ad hoc agent's cell, then each teammate's
TeammateAction: TypeAlias = tuple[Move, ...]  # one move for each teammate
Observation: TypeAlias = tuple[int, int, int, int]  # up, down, left, right
Choice: TypeAlias = tuple[tuple[TeammateAction, float], ...]  # joint actions with their probabilities

DISCOUNT = 0.95
THINGS: tuple[Literal["nothing", "teammate", "prey"], ...] = ("nothing", "teammate", "prey")
NOTHING, TEAMMATE, PREY = range(3)
OBSERVATIONS: tuple[Observation, ...] = tuple((u, d, l, r) for u, d, l, r in product(range(3), repeat=4))
NAMES = tuple(", ".join(f"{THINGS[n]} {m.lower()}" for n, m in zip(z, MOVES, strict=True)) for z in OBSERVATIONS)


@dataclass(frozen=True)
class Room:
    """The room, and how often moves in it fail. The tasks of a library share it."""

    size: int  # cells along each wall
    noise: float  # how often a move of the ad hoc agent fails
    teammates: int = 1
    teammate_noise: bool = False  # whether a teammate's moves fail just as often

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in the order of their (column, row)."""
        return tuple(product(range(self.size), range(self.size)))

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Every placement of the predators."""
        return tuple(product(self.cells, repeat=1 + self.teammates))

    @cached_property
    def names(self) -> dict[State, str]:
        """The names of the states."""
        cells = {cell: f"({cell[0]},{cell[1]})" for cell in self.cells}
        mates = ["teammate"] if self.teammates == 1 else [f"teammate {i + 1}" for i in range(self.teammates)]
        who = ["agent", *mates]
        return {x: ", ".join(f"{w} {cells[c]}" for w, c in zip(who, x, strict=True)) for x in self.states}

    def attempt(self, cell: Cell, move: Move, noise: float) -> tuple[tuple[Cell, float], ...]:
        """The cells that a move may lead to, with their probabilities, if it fails with probability `noise`."""
        target = next_to(cell, move)
        if target not in self.cells or target == cell:
            return ((cell, 1.0),)
        return ((target, 1 - noise), (cell, noise)) if noise else ((target, 1.0),)

    def roam(self, x: State, a: Move, b: TeammateAction) -> list[tuple[State, float]]:
        """The next states: all predators move at once, independently."""
        own, others = self._attempts
        ends: list[tuple[State, float]] = [((cell,), p) for cell, p in own[x[0], a]]
        for mate in zip(x[1:], b, strict=True):
            ends = [((*cells, cell), p * q) for cells, p in ends for cell, q in others[mate]]
        return ends

    @cached_property
    def _attempts(self) -> list[dict[tuple[Cell, Move], tuple[tuple[Cell, float], ...]]]:
        """The results of `attempt` for the ad hoc agent, and for a teammate."""
        noises = (self.noise, self.noise if self.teammate_noise else 0.0)
        return [{way: self.attempt(*way, noise) for way in product(self.cells, MOVES_AND_STAY)} for noise in noises]


def captured(prey: tuple[Cell, ...]) -> frozenset[State]:
    """The states in which there is a predator on every prey."""
    return frozenset(permutations(prey))


def rules(room: Room, prey: tuple[Cell, ...]) -> Rules[State, Move, TeammateAction]:
    """The rules of the room with these preys in it."""
    hunt, joint = Hunt(room.roam, captured(prey)), tuple(product(MOVES_AND_STAY, repeat=room.teammates))
    seats, name = (len(MOVES_AND_STAY),) * room.teammates, room.names.__getitem__
    return Rules(room.states, MOVES_AND_STAY, joint, hunt.moves, hunt.reward, DISCOUNT, seats, name, ", ".join)


@dataclass(frozen=True)
class Sensor:
    """Sees the cells next to the agent, and misses each thing there with probability `noise`."""

    noise: float
    prey: tuple[Cell, ...]

    def distribution(self, x: State) -> Iterator[tuple[Observation, float]]:
        """The possible observations in a state, with their probabilities."""
        agent, mates = x[0], x[1:]
        up, down, left, right = (self._seen[mates.count(cell), cell in self.prey] for cell in around(agent))
        for (u, p), (d, q), (l, s), (r, t) in product(up, down, left, right):
            yield (u, d, l, r), p * q * s * t

    @cached_property
    def _seen(self) -> dict[tuple[int, bool], list[tuple[int, float]]]:
        """The possible observations of one cell, by the number of teammates in it and whether it has a prey."""
        eps = self.noise
        table = {}
        for mates, prey in product(range(len(self.prey) + 1), (False, True)):
            missed = eps**mates
            shares = {TEAMMATE: 1 - missed, PREY: missed * (1 - eps) * prey, NOTHING: missed * (eps if prey else 1)}
            table[mates, prey] = [(thing, p) for thing, p in shares.items() if p > 0]
        return table


def towards(cell: Cell, target: Cell) -> Move:
    """The next move on the way, columns first."""
    if cell[0] != target[0]:
        return "Right" if target[0] > cell[0] else "Left"
    if cell[1] != target[1]:
        return "Down" if target[1] > cell[1] else "Up"
    return "Stay"


def match(mates: tuple[Cell, ...], prey: tuple[Cell, ...]) -> list[Cell]:
    """Choose the prey that each teammate walks to."""
    pairs = [(abs(m[0] - p[0]) + abs(m[1] - p[1]), i, p) for (i, m), p in product(enumerate(mates), prey)]
    target: dict[int, Cell] = {}
    for _, i, p in sorted(pairs):  # by distance, then teammate, then prey
        if i not in target and p not in target.values():
            target[i] = p
    return [target[i] for i in range(len(mates))]


def choices(prey: tuple[Cell, ...], tremble: float, x: State) -> Choice:
    """The teammates' joint actions with their probabilities. Each trembles independently."""
    return _choices(x[1:], prey, tremble)


@lru_cache(maxsize=2**16)
def _choices(mates: tuple[Cell, ...], prey: tuple[Cell, ...], tremble: float) -> Choice:
    wanted = [towards(cell, target) for cell, target in zip(mates, match(mates, prey), strict=True)]
    each = [tremble_at([(move, 1.0)], MOVES_AND_STAY, tremble) for move in wanted]
    return tuple((tuple(m for m, _ in joint), prod(p for _, p in joint)) for joint in product(*each))


def fold(room: Room, teammates: Callable[[State], Choice], start: Floats, solved: Bools) -> MDP:
    """Fold the teammates in for all states at once; `rules(room, prey).mdp(teammates)` does so state by state.

    All predators move at once, and the teammates ignore the ad hoc agent. So the probability of a next state is that of
    the agent's cell times that of the teammates' cells, and P_a is the Kronecker product of two small matrices, except
    in absorbing states.
    """

    def mates_move(x: State) -> Iterator[tuple[State, float]]:
        for teammate_action, q in teammates(x):
            for y, p in room.roam(x, "Stay", teammate_action):
                yield y, q * p

    def own_move(move: Move) -> csr_array:
        return tabulate(room.cells, room.cells, lambda cell: room.attempt(cell, move, room.noise))

    still = [x for x in room.states if x[0] == room.cells[0]]
    mates = tabulate(still, still, mates_move)
    goes_on, stays = (diags_array(each.astype(np.float64)) for each in (~solved, solved))
    P = [goes_on @ kron(own_move(move), mates, format="csr") + stays for move in MOVES_AND_STAY]
    arriving = np.where(solved, CAPTURE, STEP)
    R = [np.where(solved, 0.0, p @ arriving) for p in P]
    return MDP(P, np.stack(R, axis=1), start, DISCOUNT, states=list(room.names.values()), actions=MOVES_AND_STAY)
