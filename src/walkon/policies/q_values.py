"""The q-values of all tasks, as vectors: one look at a belief gives sum_k p(k) q_k(b_k, a) for every a.

q_k(b, a) is the best of the vectors that begin with a. A table of q(x, a), as an MDP has, is one vector for each
action: the q-value of acting as if the state were seen from the next step on. Of a set of alpha vectors, all are taken;
and since a set need not begin with every action, so are the plans "a first, then vector i whatever was read":
r_a + gamma P_a alpha_i.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.q_kernels import q_values
from walkon.policies.tabular import TabularPolicy

Columns: TypeAlias = tuple[Ints, Ints, Floats, Ints, int]


class QValues:
    """The q-values of the actions in each of K tasks."""

    def __init__(self, policies: Sequence[AlphaVectors | TabularPolicy], pomdps: Sequence[POMDP]) -> None:
        """Keep the policies and the tasks' problems, [K] each."""
        self.policies, self.pomdps = tuple(policies), tuple(pomdps)

    def of(self, beliefs: Floats, scales: Floats | None = None) -> Floats:
        """The expected q-value of each action, [A].

        Args:
            beliefs: Those over tasks and their states, packed as `walkon.models.packed_beliefs` says.
            scales: A weight for each task, [K]; 1 if not given.
        """
        return q_values(beliefs, np.ones(len(self.pomdps)) if scales is None else scales, *self.columns)

    @cached_property
    def columns(self) -> Columns:
        """What the kernel takes after the beliefs and the scales."""
        sets = [_vectors(policy, pomdp) for policy, pomdp in zip(self.policies, self.pomdps, strict=True)]
        return (
            np.cumsum([0, *(len(actions) for _, actions in sets)]),
            np.cumsum([0, *(columns.size for columns, _ in sets)]),
            np.concatenate([columns.ravel() for columns, _ in sets]),
            np.concatenate([actions for _, actions in sets]),
            len(self.pomdps[0].P),
        )


def _vectors(policy: AlphaVectors | TabularPolicy, pomdp: POMDP) -> tuple[Floats, Ints]:
    """Vectors in columns [X, N], and the action of each [N]."""
    A = len(pomdp.P)
    if isinstance(policy, TabularPolicy):
        return np.array(policy.table), np.arange(A)
    V = policy.columns
    blind = [pomdp.R[:, [a]] + pomdp.discount * (pomdp.P[a] @ V) for a in range(A)]
    return np.concatenate([V, *blind], axis=1), np.concatenate([policy.actions, np.repeat(np.arange(A), V.shape[1])])
