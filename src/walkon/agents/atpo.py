"""ATPO: ad hoc teamwork under partial observability, the paper's agent; and its relatives.

ATPO keeps a state belief for every task and a belief over tasks. It draws its action from a mixture of the tasks'
optimal policies, weighted by the belief over tasks: pi_t(a|h_t) = sum_k pi_k(a|b_k,t) p_t(m_k). Where a library has no
tables, a task's policy is its advice: pi_k(a|b_k,t) = sum_x b_k,t(x) advice_k(a|x).
"""

from functools import cached_property
from typing import Any

import numpy as np

from walkon.agents.agent import Agent, AgentBase, BeliefAgent, Compiled, Needs
from walkon.agents.array_belief import ArrayBelief, best_actions
from walkon.agents.inference import Inference
from walkon.agents.memory import Memory, Percept
from walkon.arrays import Floats
from walkon.policies.mixture import Mixture
from walkon.policies.ties import TOLERANCE, best, uniform


class ATPO(BeliefAgent):
    """Acts by the mixture of the tasks' policies."""

    name = "atpo"
    title = "ATPO"
    summary = "Guesses the task, and mixes the tasks' policies by how likely each is."

    plays_rules = True

    def decide(self, memory: Memory) -> Floats:
        """The mixture of the policies' choices, [A]."""
        if not self.library.tables:
            return advised(memory, self.inference)
        return self.mixture.probabilities(memory.beliefs)

    @cached_property
    def mixture(self) -> Mixture:
        """The policies of all tasks."""
        return Mixture(self.policies)

    def compiled(self) -> Compiled | None:
        """The input of the compiled loop; None for an agent that changes anything in the classes here."""
        stacked = self.mixture.stacked if unchanged(self) else None
        if stacked is None:
            return None
        start, switching = self.start().beliefs, self.inference.switching
        if len(self.library) == 1:
            switching = (*switching[:2], 0.0, switching[3])
        opening = self.mixture.probabilities(start)
        greedy, frozen = type(self).act is GREEDY, type(self).update is FROZEN
        return Compiled(self.inference.models, start, opening, tuple(stacked), TOLERANCE, greedy, frozen, switching)


class GreedyATPO(ATPO):
    """ATPO that takes the most probable action instead of drawing one."""

    name = "atpo-greedy"
    title = "ATPO Greedy"
    summary = "ATPO that takes the most probable action instead of drawing one."

    def act(self, memory: Memory) -> Floats:
        """The most probable actions, each with equal probability, [A]."""
        return uniform(best(super().act(memory)))


class RandomPicker(ATPO):
    """ATPO that never learns the task: it picks one by its prior at every step. It shows what inference is worth."""

    name = "random-picker"
    title = "Random Picker"
    summary = "Never learns the task: at every step it picks one anew, and acts as ATPO would for that."
    identifies = False
    plays_rules = False

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The state beliefs move on; the task belief stays at the prior."""
        return super().update(memory, action, percept).believing(self.inference.prior)


class PerseusAgent(ATPO):
    """Knows the task and not the state: ATPO with a library of that task alone. The paper's Perseus agent."""

    name = "perseus"
    title = "Perseus"
    summary = "Is told the task, but sees no more than ATPO does."
    needs = Needs("pomdp", "the told task", perseus=True)
    identifies = False
    plays_rules = False


def advised(memory: Any, tracking: Any) -> Floats:
    """The mixture of the tasks' advice in all states, weighted by the beliefs of a memory without tables, [A].

    States in which the task is over have no say: nothing matters there. The advice of compiled rules are the actions
    that are best by their values.
    """
    total = np.zeros(tracking.A)
    for p, belief, plain, rules in zip(
        memory.tasks.tolist(), memory.beliefs, tracking.simulators, tracking.rules, strict=True
    ):
        if p > 0 and isinstance(belief, ArrayBelief) and not rules.factored:
            total += p * best_actions(rules, belief)
        elif p > 0:
            for x, w in zip(belief.states, belief.weights.tolist(), strict=True):
                if not plain.solved(x):
                    total += p * w * np.array(plain.advice(x))
    return np.asarray(total / total.sum()) if total.any() else np.full(tracking.A, 1 / tracking.A)


GREEDY, FROZEN = GreedyATPO.act, RandomPicker.update
PARTS = (
    "start", "act", "decide", "update", "opening", "senses", "library", "inference", "mixture", "__getattribute__",
)  # fmt: skip
COMPILED: dict[type, dict[str, Any]] = {  # the methods that the compiled loop stands in for
    kind: {part: vars(kind).get(part) for part in PARTS}
    for kind in (Agent, AgentBase, BeliefAgent, ATPO, GreedyATPO, RandomPicker, PerseusAgent, object)
}


def unchanged(agent: ATPO) -> bool:
    """Whether the compiled loop does exactly what the agent does: its class overrides none of the methods above."""
    return (
        all(vars(kind).get(part) is COMPILED.get(kind, {}).get(part) for kind in type(agent).__mro__ for part in PARTS)
        and not vars(agent).keys() & {"start", "act", "decide", "update"}
        and type(agent.inference) is Inference
        and type(agent.mixture) is Mixture
        and not agent.library.observed
    )
