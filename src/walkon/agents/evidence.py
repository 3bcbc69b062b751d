"""The evidence of one step about the tasks, its surprise, and doubt in the whole library: a CUSUM of surprise.

Before a step, task k predicts the observation: f_k(z) = sum_y (b_k P_k,a)(y) O_k,a(z|y); for an agent that also senses
its teammates' joint action, f_k(b, z). The likelihood of the observation made, rho_k = f_k(z), updates the task belief.
Compared with that of all other tasks together, it gives the log Bayes factor of the task:

    log B_k = log rho_k - log( sum_{j != k} p(j) rho_j / (1 - p(k)) )

and the posterior odds of the task are its prior odds times B_k. The surprise is -log2 q(z) bits, where
q = sum_k p(k) f_k is the agent's own prediction. Its expectation is the entropy of q.

Doubt in the whole library grows while surprises are larger than expected:

    d <- max(0, d - log2 q(z) / 2 - log2 sum_z' sqrt q(z'))

If the predictions are right, 2 to the power of each increment has expectation 1 given the past, so doubt takes at least
2^D steps on average to reach D bits without a cause (Lorden's bound for such sums).
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.agents.agent import Agent, BeliefAgent
from walkon.agents.memory import Memory
from walkon.arrays import Floats

MOST_DOUBT = 14.0  # bits: a limit, so that doubt can fade again


class Evidence(NamedTuple):
    """The evidence of one step."""

    before: Floats  # [K]: the task belief before the step
    after: Floats  # [K]: the task belief after it
    likelihoods: Floats  # [K]: the probability of the observation under each task
    bits: float  # the surprise
    expected: float  # the expected surprise, in bits; NaN where it is not known
    doubt: float  # in the whole library, in bits


def evidence(
    agent: Agent[Memory],
    memory: Memory,
    action: int,
    observation: Any,
    teammate_action: Any,
    after: Memory,
    doubt: float = 0.0,
) -> Evidence | None:
    """Compute the evidence of a step for an agent with beliefs; None for other agents.

    Without tables, the observations that might have been made are not listed: what was expected is not known.
    """
    if not isinstance(agent, BeliefAgent):
        return None
    if not agent.library.tables:
        with np.errstate(divide="ignore", invalid="ignore"):
            rho = np.where(memory.tasks > 0, after.tasks / memory.tasks * after.likelihood, 0.0)
            bits = float(-np.log2(after.likelihood))
        return Evidence(memory.tasks, after.tasks, rho, bits, np.nan, 0.0)
    watches = "teammates" in agent.senses
    forecasts = agent.inference.forecast(memory, action, watches).reshape(len(memory.sizes), -1)
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


def log_bayes_factors(found: Evidence) -> Floats:
    """Return the natural logarithm of each task's Bayes factor against the others, [K].

    Minus infinity for a task that was ruled out, infinity if all others were, and NaN if the task or all others had
    probability 0 before.
    """
    p, rho = found.before, found.likelihoods
    others = np.where(np.eye(len(p), dtype=bool), 0.0, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = (others @ rho) / others.sum(axis=1)
        factors: Floats = np.log(rho) - np.log(rest)
    factors[(p == 0) | (others.sum(axis=1) == 0)] = np.nan
    return factors
