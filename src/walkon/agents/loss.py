"""The cost of not knowing the task, and the paper's bound on it, corrected.

Proposition 1 has the loss of an action if the task is m_k, of the policy of task k if the task is m*, and of a task
belief p:

    l_t(a | m_k) = v_k(b_k,t) - q_k(b_k,t, a)
    l_t(pi_k | m*) = sum_a pi_k(a | b_k,t) l_t(a | m*)        L_t(p) = sum_k p(m_k) l_t(pi_k | m*)

Here q is one step of look-ahead and v = max_a q: with the value of the best vector for v a loss could be negative.

If all losses lie in [0, w], the paper's proof (a compression lemma, then Hoeffding's lemma) gives, for all
distributions q and p_t over the tasks and every eta > 0,

    sum_t L_t(p_t) <= sum_t L_t(q) + S / eta + T eta w^2 / 8        S = sum_t KL(q || p_t)

with w = 2 Rmax/(1-gamma) in the paper, and the largest loss that the policies allow as a sharper choice. At
eta = sqrt(2/T) the last two terms are sqrt(T/2) (S + w^2/4); the best eta makes them w sqrt(T S / 2). The printed line
has S sqrt(2/T), which belongs to eta = sqrt(T/2), beside sqrt(T/2) w^2/4, which does not. It is false for T > 2.

Nothing of this is about Bayes' rule. Smaller than every right side is sum_t L_t(q) + w sum_t TV(q, p_t), which for q =
m* is w sum_t (1 - p_t(m*)). For Bayes' posterior, two more inequalities bound what is expected if the task is m*:

    E sum_t KL(P*(. | h_t, a_t) || sum_k p_t(k) P_k(. | h_t, a_t)) <= log 1/p_0(m*)
    E [1 - p_t(m*)] <= sum over k != m* of sqrt(p_0(k) / p_0(m*)) rho^t

where rho is at least the Hellinger affinity sum_z sqrt(P*(z) P_k(z)) at every history. See docs/theory.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from walkon.agents.memory import Memory
from walkon.agents.task_belief import certain, divergence
from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.models.distributions import distribution
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.tasks import TaskLibrary

ALIKE = 1e-12  # predictions that differ by less are the same but for rounding
Policy: TypeAlias = AlphaVectors | TabularPolicy


def action_losses(policy: Policy, pomdp: POMDP, belief: Floats) -> Floats:
    """l(a | m) at a belief over the states of task m, [A]; never negative."""
    q = policy.q(belief) if isinstance(policy, TabularPolicy) else policy.q(pomdp, belief)
    return np.asarray(q.max() - q)


def largest_loss(policy: Policy, pomdp: POMDP) -> float:
    """A number that no loss of any action at any belief exceeds.

    A table's q is linear in b, so its largest loss is found at a state. With vectors, q(b, a') is convex in b:
    q(b, a') <= sum_x b(x) q(x, a'). Following one vector i after every observation is no better than choosing by the
    observation: q(b, a) >= sum_x b(x) g_i(x, a), g_i(x, a) = r(x, a) + gamma sum_y P_a(y|x) alpha_i(y). So q(b, a') -
    q(b, a) <= max_x [q(x, a') - g_i(x, a)] for every i, and the least over i still holds.
    """
    if isinstance(policy, TabularPolicy):
        return float(np.ptp(policy.table, axis=1).max())
    X, A = pomdp.R.shape
    corners = np.array([policy.q(pomdp, corner) for corner in np.eye(X)])  # [X, A]
    largest = 0.0
    for a in range(A):
        g = pomdp.R[:, a, None] + pomdp.discount * (pomdp.P[a] @ policy.columns)  # [X, N]
        for other in set(range(A)) - {a}:
            largest = max(largest, float((corners[:, other, None] - g).max(axis=0).min()))
    return largest


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses along one episode of T steps."""

    target: int  # the index of m*
    beliefs: Floats  # [T, K], p_t
    policies: Floats  # [T, K], l_t(pi_k | m*)
    scale: float  # Rmax/(1-gamma) of m*, Rmax being its largest |r(x, a)|
    largest: float  # a number that no loss exceeds, from the policy of m*

    def of(self, p: Floats) -> Floats:
        """L_t(p), [T], for one distribution over tasks or one at each step."""
        return np.asarray((self.policies * p).sum(axis=1))

    @property
    def agent(self) -> Floats:
        """L_t(p_t), [T]."""
        return self.of(self.beliefs)


def losses(library: TaskLibrary, policies: Sequence[Policy], memories: Sequence[Memory], target: int) -> Losses:
    """Compute the losses of an agent along an episode.

    Args:
        library: The K tasks that the agent holds possible.
        policies: The policy of each.
        memories: The agent's memory before each of its T actions.
        target: The index of the task that is being played.
    """
    K = len(library)
    certain(target, K)
    if len(policies) != K:
        raise InputError(f"there are {len(policies)} policies for {K} tasks, expected one for each")
    for k, (policy, task) in enumerate(zip(policies, library, strict=True)):
        states = len(policy.table) if isinstance(policy, TabularPolicy) else policy.state_count
        if states != len(task.start):
            raise InputError(f'policies[{k}] is for {states} states, task "{task.name}" has {len(task.start)}')
    pomdp, best = library[target].pomdp, policies[target]
    table = np.empty((len(memories), K))
    for t, memory in enumerate(memories):
        choices = [policy.choose(b) for policy, b in zip(policies, memory.states, strict=True)]  # [K] of [A]
        table[t] = np.array(choices) @ action_losses(best, pomdp, memory.states[target])
    beliefs = np.array([memory.tasks for memory in memories]).reshape(table.shape)
    scale = float(np.abs(pomdp.R).max()) / (1 - pomdp.discount)
    return Losses(target, beliefs, table, scale, largest_loss(best, pomdp))


def surprise(predictions: Floats, p: Floats, target: int) -> float:
    """KL(P* || sum_k p(k) P_k) of the predictions P [K, Z] of the next observation (see `Inference.forecast`)."""
    return float(divergence(predictions[target], p @ predictions))


def affinity(predictions: Floats, target: int) -> float:
    """The largest Hellinger affinity sum_z sqrt(P*(z) P_k(z)) of the true and another task: 1 if one predicts alike."""
    each = np.sqrt(np.delete(predictions, target, axis=0) * predictions[target]).sum(axis=1)
    largest = float(each.max(initial=0.0))
    return largest if largest < 1 - ALIKE else 1.0


def expected_doubt(prior: Floats, target: int, rho: float, steps: int) -> Floats:
    """A number that E [1 - p_t(m*)] does not exceed for t < steps, if no affinity exceeds rho at any history, [T]."""
    odds = np.delete(np.asarray(prior), target) / prior[target]
    return np.asarray(np.minimum(np.sqrt(odds).sum() * rho ** np.arange(steps), 1.0))


@dataclass(frozen=True, eq=False)
class Bound:
    """Both sides of the bound after 1, 2, ..., T steps. The right sides are infinite from where S is."""

    left: Floats  # [T], sum_t L_t(p_t)
    compared: Floats  # [T], sum_t L_t(q)
    divergence: Floats  # [T], S
    distance: Floats  # [T], sum_t TV(q, p_t); for q = m*, sum_t (1 - p_t(m*))
    scale: float  # Rmax/(1-gamma)
    largest: float  # a number that no loss exceeds

    @property
    def steps(self) -> Ints:
        """1, 2, ..., T."""
        return np.arange(1, len(self.left) + 1)

    def right(self, eta: float | Floats, width: float) -> Floats:
        """The right side for any eta > 0, one for all steps or one for each, and losses in [0, width]."""
        if not np.all(np.asarray(eta) > 0):
            raise InputError(f"eta is {eta}, expected a positive number")
        return self.compared + self.divergence / eta + self.steps * eta * width**2 / 8

    def tightest(self, width: float) -> Floats:
        """The right side at the best eta for each number of steps."""
        root = np.sqrt(self.steps * self.divergence / 2)
        return self.compared + np.multiply(width, root, where=root < np.inf, out=root)  # a width of 0 leaves infinity

    @property
    def fixed(self) -> Floats:
        """At eta = sqrt(2/T), with the paper's Rmax/(1-gamma)."""
        return self.right(np.sqrt(2 / self.steps), 2 * self.scale)

    @property
    def best(self) -> Floats:
        """At the best eta, with the paper's Rmax/(1-gamma)."""
        return self.tightest(2 * self.scale)

    @property
    def fixed_by_largest(self) -> Floats:
        """At eta = sqrt(2/T), with the largest loss."""
        return self.right(np.sqrt(2 / self.steps), self.largest)

    @property
    def best_by_largest(self) -> Floats:
        """At the best eta, with the largest loss."""
        return self.tightest(self.largest)

    @property
    def by_distance(self) -> Floats:
        """By the largest loss and how far the belief is from q: below every right side with that width."""
        return self.compared + self.largest * self.distance

    @property
    def printed(self) -> Floats:
        """The right side as the paper prints it. It does not bound the left side of more than two steps."""
        return self.compared + np.sqrt(2 / self.steps) * self.divergence + np.sqrt(self.steps / 2) * self.scale**2


def bound(lost: Losses, q: Floats | None = None) -> Bound:
    """Compute the bound along an episode.

    Args:
        lost: The losses along it. The paper's Rmax/(1-gamma) holds for policies whose values do not exceed it.
        q: The distribution over tasks to compare with, [K]; all on the true task if not given.
    """
    K = lost.policies.shape[1]
    fixed = certain(lost.target, K) if q is None else distribution("q", q, K)
    far = np.abs(lost.beliefs - fixed).sum(axis=1) / 2
    each = (lost.agent, lost.of(fixed), divergence(fixed, lost.beliefs), far)
    left, compared, apart, distance = map(np.cumsum, each)
    return Bound(left, compared, apart, distance, lost.scale, lost.largest)
