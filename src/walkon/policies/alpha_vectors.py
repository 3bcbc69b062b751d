"""A policy for an agent with a belief: a set of alpha vectors, each with the first action of its plan.

    v(b) = max_i b . alpha_i
    q(b, a) = b . r_a + gamma sum_z max_i sum_y (b P_a)(y) O_a(z|y) alpha_i(y)

If every vector is the value of a plan, as in Perseus, v is a lower bound on the optimal value.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.models.belief import check_belief, predict, writable
from walkon.models.distributions import numbers
from walkon.models.pomdp import POMDP
from walkon.policies import alpha_kernels
from walkon.policies.ties import best, uniform


@dataclass(frozen=True, init=False, eq=False, repr=False)
class AlphaVectors:
    """Takes the actions of the vectors that attain the maximum, each with equal probability where they tie.

    >>> policy = AlphaVectors([[1.0, 0.0], [0.0, 1.0]], actions=[0, 2], action_count=3)
    >>> policy.probabilities(np.array([0.5, 0.5])), policy.value(np.array([0.2, 0.8]))
    (array([0.5, 0. , 0.5]), 0.8)
    """

    vectors: Floats  # [N, X]
    actions: Ints  # [N]
    action_count: int  # A

    def __init__(self, vectors: Any, actions: Any, action_count: int) -> None:
        """Check and store the vectors.

        Args:
            vectors: One value for each state, [N, X].
            actions: The action of each vector, [N].
            action_count: The number of actions of the problem, A.
        """
        shape = np.shape(vectors)
        if len(shape) != 2 or not all(shape):
            raise InputError(f"vectors has shape {shape}, expected (N, X) with at least one vector")
        chosen = np.array(actions, dtype=np.int64)
        if chosen.shape != shape[:1]:
            raise InputError(f"actions has shape {chosen.shape}, expected one for each of the {shape[0]} vectors")
        if len(bad := np.flatnonzero((chosen < 0) | (chosen >= action_count))):
            i = int(bad[0])
            raise InputError(f"actions[{i}] is {chosen[i]}, expected a number from 0 to {action_count - 1}")
        chosen.setflags(write=False)
        put = object.__setattr__
        put(self, "vectors", numbers("vectors", vectors, (shape[0], shape[1]), "(N, X)"))
        put(self, "actions", chosen)
        put(self, "action_count", int(action_count))

    def __repr__(self) -> str:
        N, X = self.vectors.shape
        return f"AlphaVectors({N} vectors, {X} states, {self.action_count} actions)"

    def value(self, belief: Floats) -> float:
        """Return v(b), the value of the best vector."""
        return float(self._values(self._checked(belief)).max())

    def probabilities(self, belief: Floats) -> Floats:
        """Return the probability of each action, [A]."""
        return self.choose(self._checked(belief))

    def choose(self, belief: Floats) -> Floats:
        """Return the same for a belief that is known to be right."""
        chosen = np.zeros(self.action_count, dtype=bool)
        chosen[self.actions[best(self._values(belief))]] = True
        return uniform(chosen)

    def action(self, belief: Floats) -> int:
        """Return the best action; the first of them where several are."""
        return int(self.probabilities(belief).argmax())

    def best(self, belief: Floats) -> int:
        """Return the number of the best vector; the first of them where several are."""
        return int(best(self._values(belief)).argmax())

    def q(self, pomdp: POMDP, belief: Floats) -> Floats:
        """Return q(b, a) by one step of look-ahead in the model, [A]."""
        X = self.vectors.shape[1]
        belief = self._checked(belief)
        Z = pomdp.O[0].shape[1]
        future = [
            alpha_kernels.successors(pomdp.sensor_rows, a * X, predict(pomdp, belief, a), self.columns, Z)[1]
            for a in range(len(pomdp.P))
        ]
        return belief @ pomdp.R + pomdp.discount * np.array(future)

    def _checked(self, belief: Floats) -> Floats:
        return check_belief(belief, self.vectors.shape[1])

    def _values(self, belief: Floats) -> Floats:
        return alpha_kernels.values(self.columns, writable(belief))

    @cached_property
    def columns(self) -> Floats:
        """The vectors for kernels, [X, N]."""
        return np.ascontiguousarray(self.vectors.T)
