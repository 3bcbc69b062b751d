"""What the ad hoc agent observes at night: the four cells next to it, but not its own.

The paper, appendix "Night-time pursuit": z = (up, down, left, right), each nothing, teammate or prey. Each thing in
such a cell is missed with probability `noise`, independently, and nothing is seen that is not there. Only one thing is
observed in a cell: a teammate that is seen hides the prey it stands on, so on a prey's cell one teammate is observed
with 1 - noise, the prey with noise (1 - noise), nothing with noise^2. Teammates look alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias

from walkon.domains.hunting import MOVES, Cell, next_to
from walkon.domains.night_pursuit.world import State

Observation: TypeAlias = tuple[int, int, int, int]  # up, down, left, right

THINGS: tuple[Literal["nothing", "teammate", "prey"], ...] = ("nothing", "teammate", "prey")
NOTHING, TEAMMATE, PREY = range(3)
OBSERVATIONS: tuple[Observation, ...] = tuple((u, d, l, r) for u, d, l, r in product(range(3), repeat=4))
NAMES = tuple(", ".join(f"{THINGS[n]} {m.lower()}" for n, m in zip(z, MOVES, strict=True)) for z in OBSERVATIONS)


def around(cell: Cell) -> list[Cell]:
    """The cells up, down, left and right of a cell; some may lie behind a wall."""
    return [next_to(cell, move) for move in MOVES]


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
