"""The belief over tasks, p_t(m_k) = P[M = m_k | H_t = h_t].

Equation (Task-update) of the paper:  p_{t+1}(m_k) = (1/rho) rho_k p_t(m_k), where rho_k is the probability that task k
gives to what was read: the normaliser of its state belief's update. The paper also multiplies by pi_t(a|h_t), the
probability of the agent's own action. It is the same for every task and cancels, so it is left out.
"""

import numpy as np

from walkon.models.distributions import Floats


def entropy(beliefs: Floats) -> Floats:
    """The entropy of distributions over the last axis, with the logarithm to the base of its length; 0 for one task.

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [1.0, 0.0]
    """
    K = beliefs.shape[-1]
    if K == 1:
        return np.zeros(beliefs.shape[:-1])
    logs = np.log(beliefs, where=beliefs > 0, out=np.zeros_like(beliefs))
    result: Floats = np.abs((beliefs * logs).sum(axis=-1)) / np.log(K)
    return result
