"""The world of Night-time Pursuit (the paper, appendix "Night-time pursuit").

A square room with walls. As many predators as sleeping preys; the first predator is the ad hoc agent. All move at
once and may share a cell. A move of the ad hoc agent fails with probability `noise` and then leaves it where it is, as
does a move into a wall. The preys are captured when every prey has a predator on its cell in the same step.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from typing import TypeAlias

from walkon.domains.capture import Hunt
from walkon.domains.compass import MOVES_AND_STAY, STEPS, Cell, Move
from walkon.models.rules import Rules

State: TypeAlias = tuple[Cell, ...]  # the ad hoc agent's cell, then each teammate's
TeammateAction: TypeAlias = tuple[Move, ...]  # one move for each teammate

DISCOUNT = 0.95


@dataclass(frozen=True)
class Room:
    """Where the predators walk, and how surely. The tasks of a library share it.

    Attributes:
        size: The number of cells along each wall.
        noise: How often a move of the ad hoc agent fails.
        teammates: How many there are.
        teammate_noise: Whether a teammate's moves fail just as often.
    """

    size: int
    noise: float
    teammates: int = 1
    teammate_noise: bool = False

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
        """The states as a person says them."""
        cells = {cell: f"({cell[0]},{cell[1]})" for cell in self.cells}
        mates = ["teammate"] if self.teammates == 1 else [f"teammate {i + 1}" for i in range(self.teammates)]
        who = ["agent", *mates]
        return {x: ", ".join(f"{w} {cells[c]}" for w, c in zip(who, x, strict=True)) for x in self.states}

    @cached_property
    def teammate_actions(self) -> tuple[TeammateAction, ...]:
        """The teammates' joint actions, row-major over the teammates."""
        return tuple(product(MOVES_AND_STAY, repeat=self.teammates))

    def neighbour(self, cell: Cell, move: Move) -> Cell:
        """The cell that a move leads to; a wall leaves the mover where it is."""
        column, row = cell[0] + STEPS[move][0], cell[1] + STEPS[move][1]
        return (column, row) if 0 <= column < self.size and 0 <= row < self.size else cell

    def attempt(self, cell: Cell, move: Move, noise: float) -> tuple[tuple[Cell, float], ...]:
        """Where a move that fails with probability `noise` may lead."""
        target = self.neighbour(cell, move)
        if target == cell or noise == 0:
            return ((target, 1.0),)
        return ((target, 1 - noise), (cell, noise))

    def roam(self, x: State, a: Move, b: TeammateAction) -> list[tuple[State, float]]:
        """The next states: everyone moves at once, independently."""
        ends: list[tuple[State, float]] = [((cell,), p) for cell, p in self._own[x[0], a]]
        for mate in zip(x[1:], b, strict=True):
            ends = [((*cells, cell), p * q) for cells, p in ends for cell, q in self._others[mate]]
        return ends

    @cached_property
    def _own(self) -> dict[tuple[Cell, Move], tuple[tuple[Cell, float], ...]]:
        return {(c, m): self.attempt(c, m, self.noise) for c in self.cells for m in MOVES_AND_STAY}

    @cached_property
    def _others(self) -> dict[tuple[Cell, Move], tuple[tuple[Cell, float], ...]]:
        noise = self.noise if self.teammate_noise else 0.0
        return {(c, m): self.attempt(c, m, noise) for c in self.cells for m in MOVES_AND_STAY}


def captured(prey: tuple[Cell, ...]) -> frozenset[State]:
    """The states in which every prey has its predator, whoever it is."""
    return frozenset(permutations(prey))


def rules(room: Room, prey: tuple[Cell, ...]) -> Rules[State, Move, TeammateAction]:
    """What happens in the room while these preys sleep in it."""
    hunt = Hunt(room.roam, captured(prey))
    return Rules(
        states=room.states,
        actions=MOVES_AND_STAY,
        teammate_actions=room.teammate_actions,
        moves=hunt.moves,
        reward=hunt.reward,
        discount=DISCOUNT,
        seats=(len(MOVES_AND_STAY),) * room.teammates,
        name=room.names.__getitem__,
        teammate_action_name=", ".join,
    )
