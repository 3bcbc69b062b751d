"""What the ad hoc agent observes on the torus: where the teammate and the prey are, less surely the further away.

The paper, appendix "Pursuit under partial observability". An element at distance d (moves on an empty board) is
observed where it is with probability 1 - 0.15 d, and otherwise on one of the four cells around it, each equally likely;
the two elements are observed independently, and a wrong observation may fall on the ad hoc agent's own cell or on the
other element's. The paper prints 1 - 0.15 d as the probability of failing, which contradicts its text, where nearer
elements are seen better; the option `literal_noise` takes it as printed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from walkon.domains.hunting import MOVES, Cell
from walkon.domains.pursuit.world import HERE, State, Torus

BLUR = 0.15  # how much the probability of a failure grows with each cell of distance


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
