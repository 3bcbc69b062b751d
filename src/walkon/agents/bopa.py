"""BOPA: Bayesian online prediction for ad hoc teamwork (Ribeiro et al. 2021), as the paper uses it as a baseline.

BOPA was made for agents that see the state. Here it keeps the same beliefs as ATPO, but acts for each task as the
MDP's policy would in that task's most likely state, mixed by the belief over tasks. Where several states are equally
likely (hundreds are at the start), the policy is averaged over them. The tasks must share their state space.

The belief over tasks follows the likelihood of the observations, or (`evidence="transitions"`) that of the step from
the most likely state to the next most likely one, P_k,a(y|x); where no task gives such a step any probability, the
belief stays.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.agent import BeliefAgent, Needs
from walkon.agents.memory import Memory, Percept
from walkon.agents.naming import numbered
from walkon.arrays import Floats
from walkon.deprecated import deprecated
from walkon.errors import InputError
from walkon.models.faint_kernels import split_weights, with_exact_tasks
from walkon.models.scaled import faint, product, scaled, shares
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform


@dataclass(frozen=True)
class Options:
    """The evidence that BOPA's belief over tasks follows."""

    evidence: Literal["observations", "transitions"] = "observations"

    def __post_init__(self) -> None:
        given: str = self.evidence
        if given == "readings":
            deprecated('evidence="readings"', 'evidence="observations"', stacklevel=6)
            object.__setattr__(self, "evidence", "observations")
        elif given not in ("observations", "transitions"):
            raise InputError(f'evidence is {given!r}, expected "observations" or "transitions"')


USUAL = Options()


@dataclass(frozen=True, eq=False, repr=False)
class BOPA(BeliefAgent):
    """Acts for the most likely state of each task."""

    policies: tuple[TabularPolicy, ...] = ()  # [K]
    options: Options = USUAL

    name: ClassVar[str] = "bopa"
    title: ClassVar[str] = "BOPA"
    summary: ClassVar[str] = "Acts for the most likely state of each task."
    needs: ClassVar[Needs] = Needs("mdp")
    Options: ClassVar[type[Any]] = Options

    def __post_init__(self) -> None:
        if self.options.evidence == "transitions" and self.inference.hazard:
            raise InputError('evidence="transitions" has no hazard rate: use evidence="observations" or no hazard')
        if not self.library.shared:
            sizes = self.inference.sizes
            raise InputError(
                f"BOPA needs tasks that share one state space; these have {', '.join(map(str, sizes))} states"
                f"{' with different names' if len(set(sizes)) == 1 else ''}: use ATPO"
            )

    def decide(self, memory: Memory) -> Floats:
        """The mixture of the policies' choices in the most likely states, [A]."""
        choices = [
            most_likely(belief) @ policy.choices for belief, policy in zip(memory.states, self.policies, strict=True)
        ]
        return memory.tasks @ np.array(choices)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """Update the state beliefs as ATPO does, and the task belief by the evidence."""
        if self.options.evidence == "transitions":
            action, percept = numbered(self.library, action, percept)
        after = self.inference.update(memory, action, percept)
        if self.options.evidence == "observations" or len(after.events) > len(memory.events):
            return after
        moves = list(zip((task.pomdp.P[action] for task in self.library), memory.states, after.states, strict=True))
        steps = np.array([(most_likely(before) @ P) @ most_likely(now) for P, before, now in moves])
        tasks = memory.tasks * np.where(after.refuted, 0.0, steps)
        exact = split_weights(memory.beliefs, len(steps))[: len(steps)]
        weighed = product(exact, np.array([_chance(*move) for move in moves]) * ~after.refuted[:, None])
        if not weighed.any():
            return after._replace(beliefs=with_exact_tasks(after.beliefs, exact))
        if not faint(exact) and not faint(weighed):
            return after.believing(tasks / tasks.sum())
        return after._replace(beliefs=with_exact_tasks(after.beliefs, shares(weighed)[0]))


def evidence_of(agent: Any) -> str:
    """The evidence that an agent's belief over tasks follows: observations, unless its options name another."""
    return getattr(getattr(agent, "options", None), "evidence", "observations")


def _chance(P: csr_array, before: Floats, now: Floats) -> Floats:
    """The probability of the step between the most likely states, as mantissa and exponent [2], however small."""
    left, reached = best(before), best(now)
    return product(scaled((left @ P) @ reached), scaled(1.0 / (left.sum() * reached.sum())))


def most_likely(belief: Floats) -> Floats:
    """The uniform distribution over the most likely states.

    >>> most_likely(np.array([0.4, 0.2, 0.4])).tolist()
    [0.5, 0.0, 0.5]
    """
    return uniform(best(belief))
