"""What one step told about the tasks, and how surprising it was.

Before a step, task k forecasts what will be sensed: f_k(z) = sum_y (b_k P_k,a)(y) O_k,a(z|y); for an agent that also
sees its teammates' joint action, f_k(b, z). The likelihood of what then was sensed, rho_k = f_k(z), moves the belief
over tasks. Its logarithm against that of all other tasks together is the log Bayes factor of the task:

    log B_k = log rho_k - log( sum_{j != k} p(j) rho_j / (1 - p(k)) )

and the posterior odds of the task are its prior odds times B_k. The surprise is -log2 q(z) bits, q = sum_k p(k) f_k
being the agent's own forecast. On average it should be as large as the entropy of q.

Doubt in the whole library grows where surprises are larger than that, step after step:

    d <- max(0, d - log2 q(z) / 2 - log2 sum_z' sqrt q(z'))

If the forecasts are right, 2 to the power of what is added has expectation 1, whatever came before; so it takes at
least 2^D steps on average until doubt falsely reaches D bits (Lorden's bound for such sums).
"""

from typing import NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.models.belief import predict
from walkon.tasks import Task

MOST_DOUBT = 14.0  # bits: more is not counted, so that doubt can fade again


class Evidence(NamedTuple):
    """What was learned in one step.

    Attributes:
        before: The belief over tasks before it.
        after: And after it.
        likelihoods: The probability that each task gave to what was sensed.
        bits: How surprising that was.
        expected: How surprising the step was expected to be, in bits.
        doubt: How much doubt there is in the whole library since surprises began to be too large, in bits.
    """

    before: Floats  # [K]
    after: Floats  # [K]
    likelihoods: Floats  # [K]
    bits: float
    expected: float
    doubt: float


def evidence(
    agent: Agent[Memory],
    memory: Memory,
    action: int,
    observation: int,
    teammate_action: int,
    after: Memory,
    doubt: float = 0.0,
) -> Evidence | None:
    """What a step told an agent that keeps beliefs; None for the others."""
    if not isinstance(agent, BeliefAgent):
        return None
    watches = "teammates" in agent.senses
    forecasts = np.array(
        [
            _watched(task, belief, action) if watches else predict(task.pomdp, belief, action) @ task.pomdp.O[action]
            for task, belief in zip(agent.library, memory.states, strict=True)
        ]
    )  # [K, Z], or [K, B Z]
    forecasts[memory.refuted] = 0.0
    at = teammate_action * agent.inference.Z + observation if watches else observation
    q = memory.tasks @ forecasts
    some = q[q > 0]
    bits = float(-np.log2(q[at])) if q[at] > 0 else np.inf
    return Evidence(
        before=memory.tasks,
        after=after.tasks,
        likelihoods=forecasts[:, at],
        bits=bits,
        expected=float(-some @ np.log2(some)),
        doubt=min(MOST_DOUBT, max(0.0, doubt + bits / 2 - float(np.log2(np.sqrt(some).sum())))),
    )


def _watched(task: Task, belief: Floats, action: int) -> Floats:
    """What is sensed with the teammates' joint action, [B Z]."""
    assert task.mmdp is not None
    assert task.teammates is not None
    teammate_actions = task.teammates.toarray()
    arrived = [(belief * teammate_actions[:, b]) @ P for b, P in enumerate(task.mmdp.P[action])]
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
