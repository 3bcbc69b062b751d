"""The world of Night-time Pursuit (the paper, appendix "Night-time pursuit").

A square room with walls. As many predators as sleeping preys; the first predator is the ad hoc agent. All move at
once and may share a cell. A move of the ad hoc agent fails with probability `noise` and then leaves it where it is, as
does a move into a wall. The preys are captured when every prey has a predator on its cell in the same step.
"""

from dataclasses import dataclass
from functools import cached_property, partial
from itertools import permutations, product
from typing import Any, TypeAlias

from walkon.domains.hunting import MOVES_AND_STAY, STOPS, Cell, Hunt, Move, next_to
from walkon.models.rules import Rules

State: TypeAlias = tuple[Cell, ...]  # the ad hoc agent's cell, then each teammate's
TeammateAction: TypeAlias = tuple[Move, ...]  # one move for each teammate

DISCOUNT = 0.95
STARTS = ("uniform", "corner", "corners")


@dataclass(frozen=True)
class Room:
    """The room, and how often moves in it fail. The tasks of a library share it."""

    size: int  # cells along each wall
    noise: float  # how often a move of the ad hoc agent fails
    teammates: int = 1
    teammate_noise: bool = False  # whether a teammate's moves fail just as often
    sees_walls: bool = False
    after_capture: str = STOPS
    start: str = "uniform"  # where the predators start, one of STARTS

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in the order of their (column, row)."""
        return tuple(product(range(self.size), range(self.size)))

    @cached_property
    def positions(self) -> tuple[State, ...]:
        """Every placement of the predators."""
        return tuple(product(self.cells, repeat=1 + self.teammates))

    @cached_property
    def names(self) -> dict[State, str]:
        """The names of the positions."""
        cells = {cell: f"({cell[0]},{cell[1]})" for cell in self.cells}
        mates = ["teammate"] if self.teammates == 1 else [f"teammate {i + 1}" for i in range(self.teammates)]
        who = ["agent", *mates]
        return {x: ", ".join(f"{w} {cells[c]}" for w, c in zip(who, x, strict=True)) for x in self.positions}

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


def hunt_in(room: Room, prey: tuple[Cell, ...]) -> Hunt[State]:
    """The hunt in a room with these preys, which are captured where there is a predator on each."""
    return Hunt(room.positions, frozenset(permutations(prey)), room.roam, room.after_capture)


def rules(room: Room, hunt: Hunt[State]) -> Rules[Any, Move, TeammateAction]:
    """The rules of a hunt in the room."""
    return Rules(
        states=hunt.states,
        actions=MOVES_AND_STAY,
        teammate_actions=tuple(product(MOVES_AND_STAY, repeat=room.teammates)),
        moves=hunt.moves,
        reward=hunt.reward,
        discount=DISCOUNT,
        seats=(len(MOVES_AND_STAY),) * room.teammates,
        name=partial(hunt.name, describe=room.names.__getitem__),
        teammate_action_name=", ".join,
    )
