"""K policies, one for each task, mixed by the belief over tasks.

The paper's pi_t(a|h_t) = sum_k pi_k(a|b_k,t) p_t(m_k).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from walkon.models.distributions import Floats, Ints
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.mixture_kernels import mixture
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import TOLERANCE


@dataclass(frozen=True, eq=False)
class Mixture:
    """The policies of all tasks. Their beliefs stand behind one another, as in the agents' memory."""

    policies: Sequence[AlphaVectors | TabularPolicy]  # [K]

    def probabilities(self, weights: Floats, belief: Floats, offsets: Ints) -> Floats:
        """The probability of each action, [A].

        Args:
            weights: The belief over tasks, [K].
            belief: The beliefs over states, [sum of X_k].
            offsets: Where each task's states begin, [K + 1].
        """
        if self.packed is not None:
            return mixture(weights, belief, offsets, *self.packed, TOLERANCE)
        shares = [
            weight * policy.probabilities(belief[begin:end])
            for policy, weight, begin, end in zip(self.policies, weights, offsets, offsets[1:], strict=False)
        ]
        mixed: Floats = np.sum(shares, axis=0)
        return mixed

    @cached_property
    def packed(self) -> tuple[Ints, npt.NDArray[np.float32], Floats, Floats, Ints, int] | None:
        """What the kernel takes, if all policies are alpha vectors."""
        sets = [policy for policy in self.policies if isinstance(policy, AlphaVectors)]
        if len(sets) < len(self.policies):
            return None
        return (
            np.cumsum([0, *(each.vectors.size for each in sets)]),
            np.concatenate([each.vectors.T.ravel() for each in sets]).astype(np.float32),
            np.concatenate([each.vectors.ravel() for each in sets]),
            np.array([np.abs(each.vectors).max() for each in sets]),
            np.concatenate([each.actions for each in sets]),
            sets[0].action_count,
        )
