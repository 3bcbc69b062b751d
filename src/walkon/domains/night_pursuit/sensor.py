"""What the ad hoc agent observes at night: the four cells next to it, but not its own.

The paper, appendix "Night-time pursuit": z = (up, down, left, right), each nothing, teammate or prey. Each thing in
such a cell is missed with probability `noise`, independently, and nothing is seen that is not there. Only one thing is
observed in a cell: a teammate that is seen hides the prey it stands on, so on a prey's cell one teammate is observed
with 1 - noise, the prey with noise (1 - noise), nothing with noise^2. Teammates look alike.

The authors' later gridworld also shows walls, and so does the option `sees_walls`: beyond the edge of the room there is
a wall, which is missed like anything else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import Literal, TypeAlias

from walkon.domains.hunting import MOVES, Cell, next_to
from walkon.domains.night_pursuit.world import Room, State

Observation: TypeAlias = tuple[int, int, int, int]  # up, down, left, right

THINGS: tuple[Literal["nothing", "teammate", "prey", "wall"], ...] = ("nothing", "teammate", "prey", "wall")
NOTHING, TEAMMATE, PREY, WALL = range(4)


@cache
def observations(sees_walls: bool) -> tuple[Observation, ...]:
    """All observations, in lexicographic order."""
    return tuple((u, d, l, r) for u, d, l, r in product(range(4 if sees_walls else 3), repeat=4))


def describe(z: Observation) -> str:
    """An observation in words.

    >>> describe((0, 2, 1, 0))
    'nothing up, prey down, teammate left, nothing right'
    """
    return ", ".join(f"{THINGS[n]} {move.lower()}" for n, move in zip(z, MOVES, strict=True))


def around(cell: Cell) -> list[Cell]:
    """The cells up, down, left and right of a cell; some may lie behind a wall."""
    return [next_to(cell, move) for move in MOVES]


@dataclass(frozen=True)
class Sensor:
    """Sees the cells next to the agent, and misses each thing there with probability `noise`."""

    room: Room
    prey: tuple[Cell, ...]

    def distribution(self, x: State) -> Iterator[tuple[Observation, float]]:
        """The possible observations in a state, with their probabilities."""
        agent, mates = x[0], x[1:]
        up, down, left, right = (
            self._seen[mates.count(cell), cell in self.prey] if cell in self.room.cells else self._wall
            for cell in around(agent)
        )
        for (u, p), (d, q), (l, s), (r, t) in product(up, down, left, right):
            yield (u, d, l, r), p * q * s * t

    @cached_property
    def _wall(self) -> list[tuple[int, float]]:
        """The possible observations beyond the edge of the room."""
        eps = self.room.noise if self.room.sees_walls else 1.0
        return [(thing, p) for thing, p in ((WALL, 1 - eps), (NOTHING, eps)) if p > 0]

    @cached_property
    def _seen(self) -> dict[tuple[int, bool], list[tuple[int, float]]]:
        """The possible observations of one cell, by the number of teammates in it and whether it has a prey."""
        eps = self.room.noise
        table = {}
        for mates, prey in product(range(len(self.prey) + 1), (False, True)):
            missed = eps**mates
            shares = {TEAMMATE: 1 - missed, PREY: missed * (1 - eps) * prey, NOTHING: missed * (eps if prey else 1)}
            table[mates, prey] = [(thing, p) for thing, p in shares.items() if p > 0]
        return table
