"""Bayes: the agent that plans under its uncertainty about the task.

ATPO mixes K policies, each of which is sure of its task; it never acts in order to find out the task. But the ad hoc
agent's problem is itself one POMDP (see `walkon.tasks.union`), and the belief over its hidden pairs of task and state
is the one that ATPO keeps. Bayes plans in this POMDP and takes the action of the best vector:

    argmax_i sum_k p(k) sum_x b_k(x) alpha_i(k, x)

A vector has one block for each task; the blocks are the values of one plan. If the POMDP is solved to optimality, no
agent that is not told the task does better.
"""

from functools import cached_property

from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.policies.mixture import Mixture
from walkon.tasks.union import Union


class Bayes(BeliefAgent):
    """Takes the action that is best on the whole: for the task and for finding out which it is."""

    name = "bayes"
    title = "Bayes"
    summary = "Takes the action that is best on the whole: for the task and for finding out which it is."
    needs = Needs("pomdp", "all at once")

    def decide(self, memory: Memory) -> Floats:
        """The best actions, each with equal probability, [A]."""
        began = memory.events[-1].step + 1 if memory.events else 0  # when it last started from the prior
        return self.plan.probabilities(self.union.belief(memory.beliefs, memory.step - began))

    @cached_property
    def plan(self) -> Mixture:
        """Its policy, over the states of the union."""
        return Mixture(self.policies)

    @cached_property
    def union(self) -> Union:
        """The tasks as one problem."""
        return Union.of(self.library, self.inference.prior)
