"""K policies, one for each task, mixed by the belief over tasks: their choices, or their q-values.

The paper's pi_t(a|h_t) = sum_k pi_k(a|b_k,t) p_t(m_k), and sum_k p(k) q_k(b_k, a), for every a in one pass.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.memory import check_memory
from walkon.models.packed_beliefs import unpack_states
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.mixture_kernels import mixture, q_values
from walkon.policies.tabular import TabularPolicy
from walkon.policies.vector_blocks import Stack, stack_blocks

ATPO_Q = "solve with fewer backups, or take an agent that needs no such matrix: atpo, atpo-q or atpo-search"

Columns: TypeAlias = tuple[Ints, Ints, Floats, Ints, int]


@dataclass(frozen=True, eq=False)
class Mixture:
    """The policies of all tasks, mixed."""

    policies: Sequence[AlphaVectors | TabularPolicy]  # [K]

    def probabilities(self, beliefs: Floats) -> Floats:
        """Return the probability of each action, [A], at packed beliefs (see `walkon.models.packed_beliefs`)."""
        if self.stacked is not None:
            return mixture(beliefs, *self.stacked)
        tables = [policy.choices for policy in self.policies if isinstance(policy, TabularPolicy)]
        states = unpack_states(beliefs, [len(table) for table in tables])
        shares = [p * (belief @ table) for p, belief, table in zip(beliefs, states, tables, strict=False)]
        mixed: Floats = np.sum(shares, axis=0)
        return mixed

    @cached_property
    def stacked(self) -> Stack | None:
        """The arguments of the kernel after the beliefs, if the policies are alpha vectors."""
        sets = [policy for policy in self.policies if isinstance(policy, AlphaVectors)]
        if len(sets) < len(self.policies):
            return None
        return stack_blocks([(each.blocks, each.actions) for each in sets], sets[0].action_count)


class QValues:
    """The q-values of the actions in each of K tasks.

    q_k(b, a) is the best of the vectors whose first action is a. A table of q(x, a), the policy of an MDP, is one
    vector for each action: the q-value of acting as if the state were known from the next step on. Of a set of alpha
    vectors, all are used; and since there need not be one for every action, so are the plans "a first, then vector i
    after any observation": r_a + gamma P_a alpha_i.
    """

    def __init__(self, policies: Sequence[AlphaVectors | TabularPolicy], pomdps: Sequence[POMDP]) -> None:
        self.policies, self.pomdps = tuple(policies), tuple(pomdps)  # [K] each

    def of(self, beliefs: Floats, scales: Floats | None = None) -> Floats:
        """Return the expected q-value of each action, [A], at packed beliefs (see `walkon.models.packed_beliefs`).

        `scales` [K] are weights of the tasks, 1 if not given.
        """
        return q_values(beliefs, np.ones(len(self.pomdps)) if scales is None else scales, *self.columns)

    @cached_property
    def columns(self) -> Columns:
        """The arguments of the kernel after the beliefs and the scales."""
        A = len(self.pomdps[0].P)
        sizes = (len(pomdp.start) * _width(policy, A) for policy, pomdp in zip(self.policies, self.pomdps, strict=True))
        check_memory(16 * sum(sizes), "the q-values of all plans in all states", ATPO_Q)
        sets = [_vectors(policy, pomdp) for policy, pomdp in zip(self.policies, self.pomdps, strict=True)]
        return (
            np.cumsum([0, *(len(actions) for _, actions in sets)]),
            np.cumsum([0, *(columns.size for columns, _ in sets)]),
            np.concatenate([columns.ravel() for columns, _ in sets]),
            np.concatenate([actions for _, actions in sets]),
            len(self.pomdps[0].P),
        )


def _width(policy: AlphaVectors | TabularPolicy, A: int) -> int:
    """Return how many vectors `_vectors` makes."""
    return A if isinstance(policy, TabularPolicy) else policy.vector_count * (1 + A)


def _vectors(policy: AlphaVectors | TabularPolicy, pomdp: POMDP) -> tuple[Floats, Ints]:
    """Return vectors in columns [X, N], and the action of each [N]."""
    A = len(pomdp.P)
    if isinstance(policy, TabularPolicy):
        return np.array(policy.table), np.arange(A)
    V = policy.columns
    blind = [pomdp.R[:, [a]] + pomdp.discount * (pomdp.P[a] @ V) for a in range(A)]
    return np.concatenate([V, *blind], axis=1), np.concatenate([policy.actions, np.repeat(np.arange(A), V.shape[1])])
