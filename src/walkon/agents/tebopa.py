"""TEBOPA, the agent of the HOTSPOT robot (Ribeiro and others 2024), with exact beliefs.

It keeps ATPO's beliefs p and b_k, and takes the action with the highest

    sum_k p(k) b_k . [(1 - H) Q_k + H I_k]

where Q_k are the q-values of task k's MDP, and I_k those of the same MDP with information as its reward:

    r(x, a) = sum_z P(z | x, a) (1 - H(y | z, a))

with H(y | z, a) the entropy of the next state given the observation, if the state before was uniform. H is the entropy
of sum_k p(k) b_k. Entropies are to the base of the number of states. H adds up states of different tasks by their
numbers, whatever they mean, as the authors' program does. That program also adds 1e-8 to every entry of a belief before
it normalises it, which changes none of its recorded decisions.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array, diags_array

from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.memory import Memory
from walkon.agents.task_belief import entropy
from walkon.arrays import Floats
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform
from walkon.solvers.value_iteration import ValueIteration


@dataclass(frozen=True, eq=False, repr=False)
class TEBOPA(BeliefAgent):
    """Weighs the value of each action against what it tells about the state."""

    policies: tuple[TabularPolicy, ...] = ()  # [K]

    name: ClassVar[str] = "tebopa"
    title: ClassVar[str] = "TEBOPA"
    summary: ClassVar[str] = "Weighs the value of each action against what it tells about the state."
    needs: ClassVar[Needs] = Needs("mdp")

    def decide(self, memory: Memory) -> Floats:
        """The best actions, each with equal probability, [A]."""
        return uniform(best(self.worths(memory)))

    def worths(self, memory: Memory) -> Floats:
        """The worth of each action, [A]."""
        mixed = np.zeros(max(memory.sizes))
        for p, belief in zip(memory.tasks, memory.states, strict=True):
            mixed[: len(belief)] += p * belief
        unsure = float(entropy(mixed))
        parts = zip(memory.states, self.policies, self.information, strict=True)
        each = [belief @ ((1 - unsure) * policy.table + unsure * told) for belief, policy, told in parts]
        worths: Floats = memory.tasks @ np.array(each)
        return worths

    @cached_property
    def information(self) -> tuple[Floats, ...]:
        """The q-values of information in each task, [K] of [X, A]."""
        return tuple(_information(task.pomdp) for task in self.library)


def _information(pomdp: POMDP) -> Floats:
    """The q-values [X, A] of a problem whose reward is what an observation tells about the state."""
    told = [P @ (O @ (1 - _doubts(P, O))) for P, O in zip(pomdp.P, pomdp.O, strict=True)]
    problem = MDP(pomdp.P, np.stack(told, axis=1), pomdp.start, pomdp.discount)
    return ValueIteration().solve(problem).policy.table


def _doubts(P: csr_array, O: csr_array) -> Floats:
    """The entropy of the next state given each observation [Z], to the base X, if the state before was uniform."""
    X = P.shape[0]
    joint = csr_array(diags_array(np.asarray(P.sum(axis=0)).ravel() / X) @ O)  # [X, Z]
    total = np.asarray(joint.sum(axis=0)).ravel()
    joint.data = joint.data * np.log(np.where(joint.data > 0, joint.data, 1.0))
    inner = np.asarray(joint.sum(axis=0)).ravel()
    made = np.where(total > 0, total, 1.0)
    nats = np.where(total > 0, np.log(made) - inner / made, 0.0)
    return np.asarray(np.clip(nats / np.log(max(X, 2)), 0.0, 1.0))
