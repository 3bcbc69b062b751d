"""The q-values of all tasks as vectors, which give sum_k p(k) q_k(b_k, a) for every a in one pass.

q_k(b, a) is the best of the vectors whose first action is a. A table of q(x, a), the policy of an MDP, is one vector
for each action: the q-value of acting as if the state were known from the next step on. Of a set of alpha vectors, all
are used; and since there need not be one for every action, so are the plans "a first, then vector i after any
observation": r_a + gamma P_a alpha_i.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.mixture_kernels import q_values
from walkon.policies.tabular import TabularPolicy

Columns: TypeAlias = tuple[Ints, Ints, Floats, Ints, int]


class QValues:
    """The q-values of the actions in each of K tasks."""

    def __init__(self, policies: Sequence[AlphaVectors | TabularPolicy], pomdps: Sequence[POMDP]) -> None:
        """Store the policies and the tasks' problems, [K] each."""
        self.policies, self.pomdps = tuple(policies), tuple(pomdps)

    def of(self, beliefs: Floats, scales: Floats | None = None) -> Floats:
        """Return the expected q-value of each action, [A], at packed beliefs (see `walkon.models.packed_beliefs`).

        `scales` [K] are weights of the tasks, 1 if not given.
        """
        return q_values(beliefs, np.ones(len(self.pomdps)) if scales is None else scales, *self.columns)

    @cached_property
    def columns(self) -> Columns:
        """The arguments of the kernel after the beliefs and the scales."""
        sets = [_vectors(policy, pomdp) for policy, pomdp in zip(self.policies, self.pomdps, strict=True)]
        return (
            np.cumsum([0, *(len(actions) for _, actions in sets)]),
            np.cumsum([0, *(columns.size for columns, _ in sets)]),
            np.concatenate([columns.ravel() for columns, _ in sets]),
            np.concatenate([actions for _, actions in sets]),
            len(self.pomdps[0].P),
        )


def _vectors(policy: AlphaVectors | TabularPolicy, pomdp: POMDP) -> tuple[Floats, Ints]:
    """Return vectors in columns [X, N], and the action of each [N]."""
    A = len(pomdp.P)
    if isinstance(policy, TabularPolicy):
        return np.array(policy.table), np.arange(A)
    V = policy.columns
    blind = [pomdp.R[:, [a]] + pomdp.discount * (pomdp.P[a] @ V) for a in range(A)]
    return np.concatenate([V, *blind], axis=1), np.concatenate([policy.actions, np.repeat(np.arange(A), V.shape[1])])
