"""A policy for an agent that sees the state: a table of q(x, a)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from walkon.arrays import Floats
from walkon.checks import whole
from walkon.errors import InputError
from walkon.models.belief import check_belief
from walkon.models.distributions import numbers
from walkon.policies.ties import best, uniform


@dataclass(frozen=True, eq=False)
class TabularPolicy:
    """Takes the actions of highest q in the state, each with equal probability where they tie.

    `state` is the index of a state, or a distribution over states; the results are then expectations.

    >>> policy = TabularPolicy(np.array([[1.0, 1.0], [0.0, 2.0]]))
    >>> policy.probabilities(0), policy.value(1)
    (array([0.5, 0.5]), 2.0)
    """

    table: Floats  # [X, A]

    def __post_init__(self) -> None:
        shape = np.shape(self.table)
        if len(shape) != 2 or not all(shape):
            raise InputError(f"table has shape {shape}, expected (X, A)")
        object.__setattr__(self, "table", numbers("table", self.table, shape, "(X, A)"))

    def q(self, state: int | Floats) -> Floats:
        """Return the q-value of each action, [A]."""
        return at(self._checked(state), self.table)

    def value(self, state: int | Floats) -> float:
        """Return the value of the policy."""
        return float(at(self._checked(state), self.table.max(axis=1)))

    def probabilities(self, state: int | Floats) -> Floats:
        """Return the probability of each action, [A]."""
        return self.choose(self._checked(state))

    def choose(self, state: int | Floats) -> Floats:
        """Return the same for a state or a distribution that is known to be right."""
        return at(state, self.choices)

    def action(self, state: int | Floats) -> int:
        """Return the action of the highest probability; the first of them where several are."""
        return int(np.argmax(self.probabilities(state)))

    def _checked(self, state: int | Floats) -> int | Floats:
        X = len(self.table)
        return whole("state", state, 0, X - 1) if np.ndim(state) == 0 else check_belief(state, X)

    @cached_property
    def choices(self) -> Floats:
        """The probability of each action in each state, [X, A]."""
        return uniform(best(self.table))


def at(state: int | Floats, table: Floats) -> Floats:
    """Return a row of a table over states, or its mean under a distribution over states."""
    rows: Floats = table[state] if np.ndim(state) == 0 else np.asarray(state) @ table
    return rows
