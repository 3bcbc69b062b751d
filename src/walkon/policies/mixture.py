"""K policies, one for each task, mixed by the belief over tasks.

The paper's pi_t(a|h_t) = sum_k pi_k(a|b_k,t) p_t(m_k).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.models.packed_beliefs import unpack_states
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.mixture_kernels import LEVELS, mixture
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import TOLERANCE

Stacks: TypeAlias = tuple[Ints, Ints, npt.NDArray[np.uint16], Floats, Floats, Ints, int, float]


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
    def stacked(self) -> Stacks | None:
        """The arguments of the kernel after the beliefs, if the policies are alpha vectors."""
        sets = [policy for policy in self.policies if isinstance(policy, AlphaVectors)]
        if len(sets) < len(self.policies):
            return None
        lowest = [each.vectors.min() for each in sets]
        units = [np.ptp(each.vectors) / LEVELS or 1.0 for each in sets]
        levels = [
            np.rint((each.vectors.T - low) / unit).astype(np.uint16).ravel()
            for each, low, unit in zip(sets, lowest, units, strict=True)
        ]
        return (
            np.cumsum([0, *(len(each.vectors) for each in sets)]),
            np.cumsum([0, *(each.vectors.size for each in sets)]),
            np.concatenate(levels),
            np.concatenate([each.vectors.T.ravel() for each in sets]),
            np.array([TOLERANCE * np.abs(each.vectors).max() / unit for each, unit in zip(sets, units, strict=True)]),
            np.concatenate([each.actions for each in sets]),
            sets[0].action_count,
            TOLERANCE,
        )
