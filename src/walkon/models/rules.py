"""A team's problem written as rules, and the two ways to its matrices.

`mmdp` tabulates every `P[a][b]`; any teammates can then be folded in, and any joint action be played. A team of
several makes B large. `mdp` folds the teammates' rule in while tabulating and stores only the P[a] that the ad hoc
agent faces; that is faster, and the only way where the matrices would pass 1 GiB. One step can be played from the
rules alone: `outcomes` asks them about one state, `paid` about one step.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP
from walkon.models.outcomes import Outcomes, gathered
from walkon.models.tabulate import RowBuilder, numbered

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action")
TeammateAction = TypeVar("TeammateAction", bound=Hashable)

BYTES_PER_ENTRY = 12  # a float64 and an int32
LARGEST = 1  # GiB


@dataclass(frozen=True)
class Rules(Generic[State, Action, TeammateAction]):
    """What the world does, and what it pays.

    Attributes:
        states: All states, in the order of the matrices.
        actions: The ad hoc agent's actions.
        teammate_actions: The teammates' joint actions; where there are several teammates, row-major over their seats.
        moves: The next states with their probabilities, for a state and both sides' actions.
        reward: What a step pays, for the same and the state arrived in.
        discount: The discount, in [0, 1).
        seats: The number of actions of each teammate; one teammate if not given.
        name: How a state is said to a person.
        teammate_action_name: How a joint action of the teammates is said.
    """

    states: Sequence[State]
    actions: Sequence[Action]
    teammate_actions: Sequence[TeammateAction]
    moves: Callable[[State, Action, TeammateAction], Iterable[tuple[State, float]]]
    reward: Callable[[State, Action, TeammateAction, State], float]
    discount: float = 0.95
    seats: tuple[int, ...] | None = None
    name: Callable[[State], str] = str
    teammate_action_name: Callable[[TeammateAction], str] = str

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """The next states after one joint action in one state: row x of `P[a][b]`."""
        pairs = self.moves(self.states[x], self.actions[a], self.teammate_actions[b])
        return gathered((self._index[y], p) for y, p in pairs)

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """What one step paid that led to state y."""
        return self.reward(self.states[x], self.actions[a], self.teammate_actions[b], self.states[y])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(map(self.name, self.states))

    @cached_property
    def _index(self) -> dict[State, int]:
        return numbered(self.states)

    def mmdp(self) -> MMDP:
        """All matrices `P[a][b]`; refused where they would pass 1 GiB."""
        pairs = [(a, b) for a in self.actions for b in self.teammate_actions]
        tables, entries = [], 0
        for a, b in pairs:
            tables.append(self._tabulated(a, _always(b)))
            entries += tables[-1][0].nnz
            gibibytes = entries / len(tables) * len(pairs) * BYTES_PER_ENTRY / 2**30
            if gibibytes > LARGEST:
                raise InputError(
                    f"the {len(self.actions)} x {len(self.teammate_actions)} matrices over {len(self.states):,} states "
                    f"would take {gibibytes:.1f} GiB, more than {LARGEST}: "
                    "fold the teammates in with Rules.mdp(teammates)"
                )
        A, B = len(self.actions), len(self.teammate_actions)
        return MMDP(
            [[P for P, _ in tables[a * B : (a + 1) * B]] for a in range(A)],
            np.stack([r for _, r in tables], axis=1).reshape(-1, A, B),
            self.discount,
            self.seats,
            states=self.names,
            actions=self.actions,
            teammate_actions=[self.teammate_action_name(b) for b in self.teammate_actions],
        )

    def mdp(self, teammates: Callable[[State], Iterable[tuple[TeammateAction, float]]], start: Any = None) -> MDP:
        """The problem that the ad hoc agent faces, without the matrices of each joint action.

        Args:
            teammates: The joint actions that they may take in a state, with their probabilities.
            start: The distribution of the first state [X]; uniform if not given.
        """
        tables = [self._tabulated(a, teammates) for a in self.actions]
        return MDP(
            [P for P, _ in tables],
            np.stack([r for _, r in tables], axis=1),
            start,
            self.discount,
            states=self.names,
            actions=self.actions,
        )

    def _tabulated(
        self, a: Action, teammates: Callable[[State], Iterable[tuple[TeammateAction, float]]]
    ) -> tuple[csr_array, Floats]:
        """P_a [X, X] and r_a [X], in one pass over the rules."""
        table, paid = RowBuilder(self._index), array("d")
        moves, reward, add = self.moves, self.reward, table.add
        for x in self.states:
            expected = 0.0
            for b, q in teammates(x):
                for y, p in moves(x, a, b):
                    expected += q * p * reward(x, a, b, y)
                    add(x, y, q * p)
            paid.append(expected)
            table.end_row()
        return table.matrix(), np.array(paid)


def _always(teammate_action: TeammateAction) -> Callable[[object], Iterable[tuple[TeammateAction, float]]]:
    return lambda _: ((teammate_action, 1.0),)
