"""Bayes: the agent that plans for what it does not know.

ATPO mixes K policies, each of which is sure of its task; it never acts in order to find out. But the ad hoc agent's
problem is itself one POMDP (see `walkon.tasks.union`), and the belief over its hidden pairs of task and state is the
one that ATPO keeps. Bayes plans in it and takes the action of the vector that is best there:

    argmax_i sum_k p(k) sum_x b_k(x) alpha_i(k, x)

A vector has one block for each task, and all of them are values of the same plan. Solved to optimality, no agent that
is not told the task can do better.
"""

from dataclasses import dataclass
from typing import ClassVar

from walkon.agents.believing import Believing
from walkon.agents.memory import Memory
from walkon.arrays import Floats
from walkon.policies.mixture import Mixture
from walkon.solvers.ascent import Ascent
from walkon.tasks.union import Union

PLANNING = Ascent(backups=20_000)  # enough for the worlds of the paper; a count, so that plans do not hang on the clock


@dataclass(frozen=True, eq=False)
class Bayes(Believing):
    """Takes the action that is best on the whole: for the task and for finding out which it is."""

    union: Union
    plan: Mixture  # of one policy, over the states of the union

    name: ClassVar[str] = "bayes"

    def act(self, memory: Memory) -> Floats:
        """The best actions, each with equal probability, [A]."""
        self.inference.origin.check(memory)
        began = memory.events[-1].step + 1 if memory.events else 0  # the last time that it began anew
        return self.plan.probabilities(self.union.belief(memory.beliefs, memory.step - began))
