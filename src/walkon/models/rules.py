"""A team's problem as rules, and its matrices.

`mmdp` tabulates every `P[a][b]`; any teammates can then be folded in, and any joint action be played. With several
teammates B is large. `mdp` folds the teammates' rule in while tabulating and stores only the P[a] of the ad hoc agent;
that is faster, and the only way if the matrices would need more than 1 GiB. `outcomes` and `paid` evaluate the rules
for a single step, without matrices.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.deprecated import renamed
from walkon.errors import InputError
from walkon.memory import check_memory
from walkon.models.mdp import MDP
from walkon.models.mmdp import MMDP
from walkon.models.stacked import Outcomes, gather
from walkon.models.tabulate import RowBuilder, numbered

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action")
TeammateAction = TypeVar("TeammateAction", bound=Hashable)

BYTES_PER_ENTRY = 12  # a float64 and an int32
LARGEST = 1  # GiB
COPIES = 3  # of each: in the model, for its kernels, and in an agent


@dataclass(frozen=True)
class Rules(Generic[State, Action, TeammateAction]):
    """The dynamics and rewards of a team's problem.

    Attributes:
        states: All states, in the order of the matrices.
        actions: The ad hoc agent's actions.
        teammate_actions: The teammates' joint actions; where there are several teammates, row-major over their seats.
        moves: Returns the next states with their probabilities, for a state, an action and a joint action of the
            teammates.
        reward: Returns the reward of a step, for the same and the next state.
        discount: The discount, in [0, 1).
        seats: The number of actions of each teammate; one teammate if not given.
        name: Returns the displayed name of a state.
        teammate_action_name: Returns the displayed name of a joint action of the teammates.
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

    replies = renamed("replies", "teammate_actions")

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """Return the next states after one joint action in one state: row x of `P[a][b]`."""
        pairs = self.moves(self.states[x], self.actions[a], self.teammate_actions[b])
        return gather((self._index[y], p) for y, p in pairs)

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """Return the reward of a step to state y."""
        return self.reward(self.states[x], self.actions[a], self.teammate_actions[b], self.states[y])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the states."""
        return tuple(map(self.name, self.states))

    @cached_property
    def _index(self) -> dict[State, int]:
        return numbered(self.states)

    def mmdp(self) -> MMDP:
        """Tabulate all matrices `P[a][b]`, if they need at most 1 GiB."""
        pairs = [(a, b) for a in self.actions for b in self.teammate_actions]
        tables, entries = [], 0
        for a, b in pairs:
            tables.append(self._tabulate(a, _always(b)))
            self._check(tables, len(pairs))
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
        """Tabulate the problem of the ad hoc agent, without the matrices of each joint action.

        Args:
            teammates: Returns their possible joint actions in a state, with their probabilities.
            start: The distribution of the first state [X]; uniform if not given.
        """
        tables = []
        for a in self.actions:
            tables.append(self._tabulate(a, teammates))
            self._check(tables, len(self.actions))
        R = np.stack([r for _, r in tables], axis=1)
        return MDP([P for P, _ in tables], R, start, self.discount, states=self.names, actions=self.actions)

    def _check(self, tables: list[tuple[csr_array, Floats]], count: int) -> None:
        """Refuse matrices that will not fit into memory, by the first of them; solvers and agents copy them."""
        if len(tables) == 1:
            what = f"the {count} matrices over {len(self.states):,} states"
            check_memory(COPIES * BYTES_PER_ENTRY * tables[0][0].nnz * count, what, "take fewer states or actions")

    def _tabulate(
        self, a: Action, teammates: Callable[[State], Iterable[tuple[TeammateAction, float]]]
    ) -> tuple[csr_array, Floats]:
        """Return P_a [X, X] and r_a [X], in one pass over the rules."""
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
