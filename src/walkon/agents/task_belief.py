"""The belief over tasks, p_t(m_k) = P[M = m_k | H_t = h_t], and how good it is.

Equation (Task-update) of the paper:  p_{t+1}(m_k) = (1/rho) rho_k p_t(m_k), where rho_k is the probability that task k
gives to the observation: the normaliser of its state belief's update. The paper also multiplies by pi_t(a|h_t), the
probability of the agent's own action. It is the same for every task and cancels, so it is left out.

In the functions below, `beliefs` may be many beliefs, with tasks along the last axis.
"""

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError


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


def certain(target: int, K: int) -> Floats:
    """The belief of an agent that knows the task, [K]."""
    if not 0 <= target < K:
        raise InputError(f"target is {target}, expected the index of a task, 0 to {K - 1}")
    return np.array([float(k == target) for k in range(K)])


def divergence(q: Floats, beliefs: Floats) -> Floats:
    """KL(q || p) = sum_k q(k) log(q(k) / p(k)); infinite where a task of q has probability 0 in p.

    >>> divergence(np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.0, 1.0]])).tolist()
    [0.0, inf]
    """
    some = q > 0  # 0 log 0 is 0
    p = beliefs[..., some]
    logs = np.log(p, where=p > 0, out=np.full_like(p, -np.inf))
    apart: Floats = np.maximum((q[some] * (np.log(q[some]) - logs)).sum(axis=-1), 0.0)  # rounding may fall below 0
    return apart


def log_loss(beliefs: Floats, target: int) -> Floats:
    """Minus the natural logarithm of the true task's probability; infinite where that is 0."""
    return divergence(certain(target, beliefs.shape[-1]), beliefs)


def brier(beliefs: Floats, target: int) -> Floats:
    """The Brier score, sum_k (p(k) - [k is the true task])^2: 0 for the truth, 2 for certainty of another task."""
    error = beliefs - certain(target, beliefs.shape[-1])
    score: Floats = (error**2).sum(axis=-1)
    return score
