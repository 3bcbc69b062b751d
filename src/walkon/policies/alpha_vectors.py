"""A policy for an agent with a belief: a set of alpha vectors, each with the first action of its plan.

    v(b) = max_i b . alpha_i
    q(b, a) = b . r_a + gamma sum_z max_i sum_y (b P_a)(y) O_a(z|y) alpha_i(y)

If every vector is the value of a plan, as in Perseus, v is a lower bound on the optimal value.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.arrays import Floats, Ints, fixed
from walkon.errors import InputError
from walkon.models.belief import check_belief, prediction, writable
from walkon.models.distributions import numbers
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_kernels import value_after
from walkon.policies.block_kernels import first_best_vector, probabilities_at
from walkon.policies.ties import TOLERANCE
from walkon.policies.vector_blocks import Stack, VectorBlocks


@dataclass(frozen=True, init=False, eq=False, repr=False)
class AlphaVectors:
    """Takes the actions of the vectors that attain the maximum, each with equal probability where they tie.

    >>> policy = AlphaVectors([[1.0, 0.0], [0.0, 1.0]], actions=[0, 2], action_count=3)
    >>> policy.probabilities(np.array([0.5, 0.5])), policy.value(np.array([0.2, 0.8]))
    (array([0.5, 0. , 0.5]), 0.8)
    """

    blocks: VectorBlocks
    actions: Ints  # [N]
    action_count: int  # A

    def __init__(self, vectors: Any, actions: Any, action_count: int) -> None:
        """Check and store the vectors.

        Args:
            vectors: One value for each state, [N, X]; or the same by blocks of states, as `VectorBlocks`.
            actions: The action of each vector, [N].
            action_count: The number of actions of the problem, A.
        """
        if isinstance(vectors, VectorBlocks):
            shape: tuple[int, ...] = (vectors.count, vectors.state_count)
        else:
            shape = np.shape(vectors)
        if len(shape) != 2 or not all(shape):
            raise InputError(f"vectors has shape {shape}, expected (N, X) with at least one vector")
        chosen = np.array(actions, dtype=np.int64)
        if chosen.shape != shape[:1]:
            raise InputError(f"actions has shape {chosen.shape}, expected one for each of the {shape[0]} vectors")
        if len(bad := np.flatnonzero((chosen < 0) | (chosen >= action_count))):
            i = int(bad[0])
            raise InputError(f"actions[{i}] is {chosen[i]}, expected a number from 0 to {action_count - 1}")
        if not isinstance(vectors, VectorBlocks):
            vectors = VectorBlocks.dense(numbers("vectors", vectors, (shape[0], shape[1]), "(N, X)"))
        put = object.__setattr__
        put(self, "blocks", vectors)
        put(self, "actions", fixed(chosen))
        put(self, "action_count", int(action_count))

    def __repr__(self) -> str:
        return f"AlphaVectors({self.vector_count} vectors, {self.state_count} states, {self.action_count} actions)"

    @property
    def vector_count(self) -> int:
        """The number of vectors, N."""
        return self.blocks.count

    @property
    def state_count(self) -> int:
        """The number of states, X."""
        return self.blocks.state_count

    @property
    def vectors(self) -> Floats:
        """The vectors as a matrix, [N, X]. Those that are kept by blocks are written out, if there is memory for it."""
        return self.columns.T

    @property
    def columns(self) -> Floats:
        """The same, [X, N]."""
        return self.blocks.columns()

    def value(self, belief: Floats) -> float:
        """Return v(b), the value of the best vector."""
        return self._first_best(self._checked(belief))[1]

    def probabilities(self, belief: Floats) -> Floats:
        """Return the probability of each action, [A]."""
        return self.choose(self._checked(belief))

    def choose(self, belief: Floats) -> Floats:
        """Return the same for a belief that is known to be right."""
        return probabilities_at(writable(belief), *self.stacked)

    def action(self, belief: Floats) -> int:
        """Return the best action; the first of them where several are."""
        return int(self.probabilities(belief).argmax())

    def best(self, belief: Floats) -> int:
        """Return the number of the best vector; the first of them where several are."""
        return self._first_best(belief)[0]

    def q(self, pomdp: POMDP, belief: Floats) -> Floats:
        """Return q(b, a) by one step of look-ahead in the model, [A]."""
        belief = self._checked(belief)
        X, Z = self.state_count, pomdp.O[0].shape[1]
        vectors = self.stacked[:4]
        future = [
            value_after(pomdp.sensor_rows, a * X, prediction(pomdp, belief, a), Z, *vectors)
            for a in range(len(pomdp.P))
        ]
        return belief @ pomdp.R + pomdp.discount * np.array(future)

    def _checked(self, belief: Floats) -> Floats:
        return check_belief(belief, self.state_count)

    def _first_best(self, belief: Floats) -> tuple[int, float]:
        return first_best_vector(writable(belief), *self.stacked[:5], TOLERANCE)

    @property
    def stacked(self) -> Stack:
        """The vectors for kernels. The arrays may move into those of a larger stack: see `stack_blocks`."""
        blocks = self.blocks
        arrays = blocks.place, blocks.layout, blocks.levels, blocks.entries, blocks.near, self.actions
        return Stack(*arrays, self.action_count, TOLERANCE)
