"""The paper's baselines: Value Iteration knows the task and sees the state, Random knows nothing; between them, BOPA.

BOPA, Bayesian online prediction for ad hoc teamwork (Ribeiro et al. 2021), was made for agents that see the state. Here
it keeps the same beliefs as ATPO, but acts for each task as the MDP's policy would in that task's most likely state,
mixed by the belief over tasks. Where several states are equally likely (hundreds are at the start), the policy is
averaged over them. The tasks must share their state space. The belief over tasks follows the likelihood of the
observations, or (`evidence="transitions"`) that of the step from the most likely state to the next most likely one,
P_k,a(y|x); where no task gives such a step any probability, the belief stays.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.agent import AgentBase, BeliefAgent, Needs
from walkon.agents.memory import Memory, Origin, Percept, Sense, remember
from walkon.arrays import Floats
from walkon.deprecated import deprecated
from walkon.errors import InputError
from walkon.models.faint_kernels import split_weights, with_exact_tasks
from walkon.models.scaled import faint, product, scaled, shares
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform


class RandomAgent(AgentBase[Memory]):
    """Takes every action with equal probability and senses nothing."""

    name = "random"
    title = "Random"
    summary = "Takes every action with equal probability and senses nothing."
    needs = Needs("")
    senses: ClassVar[frozenset[Sense]] = frozenset()
    identifies = False

    def start(self, percept: Percept | None = None) -> Memory:
        """An empty memory."""
        return remember(np.zeros(0), [], of=self.origin)

    def act(self, memory: Memory) -> Floats:
        """The uniform distribution, [A]."""
        self.origin.check(memory)
        A = self.inference.A
        return np.full(A, 1 / A)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The memory as it was."""
        self.origin.check(memory)
        return memory

    @cached_property
    def origin(self) -> Origin:
        """The origin of its memories."""
        return Origin("nothing", (self.library,))


@dataclass(frozen=True, eq=False)
class ValueIterationAgent(AgentBase[Memory]):
    """Knows the task and sees the state: the best response to its teammates. Its library is that task alone."""

    policies: tuple[TabularPolicy, ...] = ()  # one

    name: ClassVar[str] = "value-iteration"
    title: ClassVar[str] = "Value Iteration"
    summary: ClassVar[str] = "Knows the task and sees the state: the best response to its teammates."
    needs: ClassVar[Needs] = Needs("mdp", "the told task")
    senses: ClassVar[frozenset[Sense]] = frozenset({"state"})
    identifies: ClassVar[bool] = False

    def start(self, percept: Percept | None = None) -> Memory:
        """The first state."""
        return self._at(None if percept is None else percept.state, step=0)

    def act(self, memory: Memory) -> Floats:
        """The best actions in the state, each with equal probability."""
        self.origin.check(memory)
        if memory.state is None:
            raise InputError("Value Iteration sees the state: start it with agent.start(Percept(state=x0))")
        return self.policies[0].probabilities(memory.state)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The next state; the old one if the percept has none."""
        self.origin.check(memory)
        return self._at(memory.state if percept.state is None else percept.state, memory.step + 1)

    def _at(self, state: int | None, step: int) -> Memory:
        (X,) = self.inference.sizes
        if state is not None and not 0 <= state < X:
            raise InputError(f"state {state} does not exist: they are numbered 0 to {X - 1}")
        belief = self.library[0].pomdp.start if state is None else np.eye(1, X, state)[0]
        return remember(np.ones(1), [belief], step=step, state=state, of=self.origin)

    @cached_property
    def origin(self) -> Origin:
        """The origin of its memories."""
        return Origin("the state", (self.library,))


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


@dataclass(frozen=True, eq=False)
class BOPA(BeliefAgent):
    """Acts for the most likely state of each task."""

    policies: tuple[TabularPolicy, ...] = ()  # [K]
    options: Options = field(default_factory=Options)

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
