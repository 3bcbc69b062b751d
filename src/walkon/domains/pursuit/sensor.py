"""What the ad hoc agent reads on the torus: where the teammate and the prey are, the further the less surely.

The paper, appendix "Pursuit under partial observability". An element at distance d (moves on an empty board) is read
where it is with probability 1 - 0.15 d, and otherwise on one of the four cells around it, each equally likely; the
two elements are misread independently, and a wrong observation may fall on the ad hoc agent's own cell or on the
other's. The paper prints 1 - 0.15 d as the probability of failing, against its own text, where the nearer is seen
better; the option `literal_noise` takes it as printed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from walkon.domains.compass import MOVES, Cell
from walkon.domains.pursuit.torus import Torus
from walkon.domains.pursuit.world import HERE, State

BLUR = 0.15  # how much surer a failure is, for each cell of distance


@dataclass(frozen=True)
class Sensor:
    """Eyes that reach the whole torus and err with the distance."""

    torus: Torus
    literal_noise: bool = False

    @cached_property
    def observations(self) -> tuple[State, ...]:
        """Every pair of observations, also those that no state has."""
        return tuple((mate, prey) for mate in self.torus.cells for prey in self.torus.cells)

    def accuracy(self, distance: int) -> float:
        """How likely an element at a distance is read where it is."""
        failing = min(1.0, BLUR * distance)
        return failing if self.literal_noise else 1 - failing

    def distribution(self, x: State) -> Iterator[tuple[State, float]]:
        """What may be read in a state, with its probability."""
        mate, prey = x
        for seen_mate, p in self._sightings[mate]:
            for seen_prey, q in self._sightings[prey]:
                yield (seen_mate, seen_prey), p * q

    @cached_property
    def _sightings(self) -> dict[Cell, list[tuple[Cell, float]]]:
        """Where one element may be read to be, by where it is."""
        table = {}
        for cell in self.torus.cells:
            right = self.accuracy(self.torus.distance(HERE, cell))
            wrong = [(self.torus.beside[cell][move], (1 - right) / 4) for move in MOVES]
            table[cell] = [(seen, p) for seen, p in [(cell, right), *wrong] if p > 0]
        return table
