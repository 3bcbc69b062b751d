"""The floor of a building or of the gridworld, and how a team of two moves on it (the paper, sections 5.1.1 and 5.1.4).

A state is the ad hoc agent's cell and the teammate's. In a building they never share one: the teammate moves first and
stays where it is if a wall or the agent is in the way; then the agent does, if a wall or the teammate is. In the
gridworld both move at once and may share a cell. A move may fail, and then leaves the one who makes it in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Ints
from walkon.domains.buildings.maps import Plan
from walkon.domains.hunting import MOVES_AND_STAY, Cell

MOVES = len(MOVES_AND_STAY)
STAY = MOVES_AND_STAY.index("Stay")


@dataclass(frozen=True)
class Floor:
    """A map, whether two can stand on one cell of it, and how often their moves fail."""

    plan: Plan
    sharing: bool  # whether the two may share a cell
    agent_fails: float
    teammate_fails: float

    @cached_property
    def pairs(self) -> Ints:
        """The positions [N, 2]: the numbers of the agent's cell and the teammate's, in lexicographic order."""
        n = len(self.plan.cells)
        return np.array([(i, j) for i, j in product(range(n), repeat=2) if self.sharing or i != j])

    @cached_property
    def following(self) -> Ints:
        """The position [N, A, B] after each pair of moves that does not fail."""
        n, beside = len(self.plan.cells), self.plan.beside
        number = np.full((n, n), -1)
        number[tuple(self.pairs.T)] = np.arange(len(self.pairs))
        own, mate = (each.reshape(-1, 1, 1) for each in self.pairs.T)
        to_own = beside[self.pairs[:, 0]].reshape(-1, MOVES, 1)
        to_mate = beside[self.pairs[:, 1]].reshape(-1, 1, MOVES)
        if not self.sharing:
            to_mate = np.where(to_mate == own, mate, to_mate)
            to_own = np.where(to_own == to_mate, own, to_own)
        found: Ints = number[to_own, to_mate]
        return found

    @cached_property
    def moves(self) -> tuple[tuple[csr_array, ...], ...]:
        """The matrices [A][B] of [N, N] if nothing ever ended."""
        return tuple(tuple(self._matrix(a, b) for b in range(MOVES)) for a in range(MOVES))

    def _matrix(self, a: int, b: int) -> csr_array:
        N = len(self.pairs)
        ways = [
            (p * q, self.following[:, own, mate])
            for own, p in ((a, 1 - self.agent_fails), (STAY, self.agent_fails))
            for mate, q in ((b, 1 - self.teammate_fails), (STAY, self.teammate_fails))
            if p * q > 0
        ]
        chances = np.repeat([[p for p, _ in ways]], N, axis=0)
        entries = chances.ravel(), np.stack([y for _, y in ways], axis=1).ravel(), np.arange(N + 1) * len(ways)
        matrix = csr_array(entries, shape=(N, N))
        matrix.sum_duplicates()
        return matrix

    def solved(self, goals: Sequence[Cell]) -> Bools:
        """The positions [N] in which the two stand on different goals."""
        on = np.array([cell in goals for cell in self.plan.cells])
        i, j = self.pairs.T
        both: Bools = on[i] & on[j] & (i != j)
        return both

    def numbers(self) -> list[tuple[int, ...]]:
        """The columns and rows behind each position, and those behind Over, which lie outside of the map."""
        cells = self.plan.cells
        return [*(cells[i] + cells[j] for i, j in self.pairs.tolist()), self.plan.size * 2]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the positions."""
        cells = [f"({c},{r})" for c, r in self.plan.cells]
        return tuple(f"agent {cells[i]}, teammate {cells[j]}" for i, j in self.pairs.tolist())
