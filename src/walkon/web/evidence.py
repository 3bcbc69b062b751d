"""What one step told about the tasks, and how surprising it was.

Before a step, task k forecasts what will be sensed: f_k(z) = sum_y (b_k P_k,a)(y) O_k,a(z|y); for an agent that also
sees its teammates' joint action, f_k(b, z). The likelihood of what then was sensed, rho_k = f_k(z), moves the belief
over tasks. Its logarithm against that of all other tasks together is the log Bayes factor of the task:

    log B_k = log rho_k - log( sum_{j != k} p(j) rho_j / (1 - p(k)) )

and the posterior odds of the task are its prior odds times B_k. The surprise is -log2 q(z) bits, q = sum_k p(k) f_k
being the agent's own forecast. On average it should be as large as the entropy of q.
"""

from typing import NamedTuple

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.believing import Believing
from walkon.agents.memory import Memory
from walkon.models.belief import predict
from walkon.models.distributions import Floats
from walkon.tasks import Task


class Evidence(NamedTuple):
    """What was learned in one step.

    Attributes:
        before: The belief over tasks before it.
        after: And after it.
        likelihoods: The probability that each task gave to what was sensed.
        bits: How surprising that was.
        expected: How surprising the step was expected to be, in bits.
        variance: The variance of that expectation.
    """

    before: Floats  # [K]
    after: Floats  # [K]
    likelihoods: Floats  # [K]
    bits: float
    expected: float
    variance: float


def evidence(agent: Agent, memory: Memory, action: int, observation: int, reply: int, after: Memory) -> Evidence | None:
    """What a step told an agent that keeps beliefs; None for the others."""
    if not isinstance(agent, Believing):
        return None
    watches = "teammates" in agent.senses
    forecasts = np.array(
        [
            _watched(task, belief, action) if watches else predict(task.pomdp, belief, action) @ task.pomdp.O[action]
            for task, belief in zip(agent.library, memory.states, strict=True)
        ]
    )  # [K, Z], or [K, B Z]
    forecasts[memory.refuted] = 0.0
    at = reply * agent.inference.Z + observation if watches else observation
    q = memory.tasks @ forecasts
    some = q[q > 0]
    bits = -np.log2(some)
    expected = float(some @ bits)
    return Evidence(
        before=memory.tasks,
        after=after.tasks,
        likelihoods=forecasts[:, at],
        bits=float(-np.log2(q[at])) if q[at] > 0 else np.inf,
        expected=expected,
        variance=float(some @ (bits - expected) ** 2),
    )


def _watched(task: Task, belief: Floats, action: int) -> Floats:
    """What is sensed with the teammates' joint action, [B Z]."""
    assert task.mmdp is not None
    assert task.teammates is not None
    replies = task.teammates.toarray()
    arrived = [(belief * replies[:, b]) @ P for b, P in enumerate(task.mmdp.P[action])]
    return np.concatenate([y @ task.pomdp.O[action] for y in arrived])


def log_bayes_factors(found: Evidence) -> Floats:
    """The natural logarithm of each task's Bayes factor against the others, [K].

    Minus infinity for a task that was ruled out, infinity where all others were; not a number where a task or the
    others had no probability to begin with.
    """
    p, rho = found.before, found.likelihoods
    K = len(p)
    others = np.array([[p[j] if j != k else 0.0 for j in range(K)] for k in range(K)])
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = (others @ rho) / others.sum(axis=1)
        factors: Floats = np.log(rho) - np.log(rest)
    factors[(p == 0) | (others.sum(axis=1) == 0)] = np.nan
    return factors


def misfit(found: list[Evidence]) -> float:
    """How many standard deviations some steps together were more surprising than the library expected; 0 for none."""
    spread = sum(each.variance for each in found) ** 0.5
    excess = sum(each.bits - each.expected for each in found)
    if not np.isfinite(excess):
        return float(np.inf)
    return float(excess / spread) if spread > 0 else 0.0
