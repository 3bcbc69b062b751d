"""BOPA: Bayesian online prediction for ad hoc teamwork (Ribeiro et al. 2021), as the paper uses it as a baseline.

BOPA was made for agents that see the state. Here it keeps the same beliefs as ATPO, but acts for each task as the
MDP's policy would in that task's most likely state, mixed by the belief over tasks. Where several states are equally
likely (hundreds are at the start), the policy is averaged over them. The tasks must share their state space.

The belief over tasks follows the likelihood of the observations, or (`evidence="transitions"`) that of the step from
the most likely state to the next most likely one, P_k,a(y|x); where no task gives such a step any probability, the
belief stays.

`SeeingBOPA` is the original, which sees the state: p(k) becomes proportional to p(k) P_k,a(y|x), and it acts by the
tasks' policies in that state. It does as BOPA does where the observation is the state.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from scipy.sparse import csr_array

from walkon.agents.agent import AgentBase, BeliefAgent, Needs
from walkon.agents.memory import Memory, Origin, Percept, Sense, Unexplained, remember
from walkon.agents.naming import first_percept, numbered
from walkon.arrays import Floats
from walkon.deprecated import deprecated
from walkon.errors import InputError
from walkon.models.faint_kernels import split_weights, with_exact_tasks
from walkon.models.scaled import faint, product, scaled, shares
from walkon.policies.tabular import TabularPolicy
from walkon.policies.ties import best, uniform
from walkon.tasks import TaskLibrary


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
        _share_states(self.library)

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


@dataclass(frozen=True, eq=False, repr=False)
class SeeingBOPA(AgentBase[Memory]):
    """Sees the state, and infers the task from the steps that the team takes."""

    policies: tuple[TabularPolicy, ...] = ()  # [K]

    name: ClassVar[str] = "bopa-state"
    title: ClassVar[str] = "BOPA, seeing the state"
    summary: ClassVar[str] = "Sees the state, and infers the task from the steps that the team takes."
    needs: ClassVar[Needs] = Needs("mdp")
    senses: ClassVar[frozenset[Sense]] = frozenset({"state"})

    def __post_init__(self) -> None:
        _share_states(self.library)

    def start(self, percept: Percept | None = None) -> Memory:
        """The prior, and the first state."""
        state = None if percept is None else first_percept(self.library, percept, self.senses).state
        return self._at(self.inference.prior, state)

    def act(self, memory: Memory) -> Floats:
        """The mixture of the policies' choices in the state, [A]."""
        self.origin.check(memory)
        if memory.state is None:
            raise InputError(f"{self.name} sees the state: start it with agent.start(Percept(state=x0))")
        choices: Floats = np.array([policy.choices[memory.state] for policy in self.policies])
        return memory.tasks @ choices

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The posterior after a step to a state; the old one if the percept has none."""
        self.origin.check(memory)
        action, percept = numbered(self.library, action, percept, self.senses)
        x, y, step = memory.state, percept.state, memory.step + 1
        if y is None or x is None:
            return self._at(memory.tasks, x if y is None else y, step, memory.events)
        steps = np.array([task.pomdp.P[action][x, y] for task in self.library])
        weights = memory.tasks * steps
        if not weights.any():
            strange = Unexplained(memory.step, action, None)
            return self._at(self.inference.prior, y, step, (*memory.events, strange))
        possible = (memory.tasks > 0) & (steps > 0)
        tasks = np.where(possible, np.maximum(weights / weights.sum(), np.finfo(np.float64).tiny), 0.0)
        return self._at(tasks, y, step, memory.events)

    def _at(self, tasks: Floats, state: int | None, step: int = 0, events: tuple[Unexplained, ...] = ()) -> Memory:
        X, K = self.inference.sizes[0], len(self.library)
        if state is not None and not 0 <= state < X:
            raise InputError(f"state {state} does not exist: they are numbered 0 to {X - 1}")
        where = [task.pomdp.start if state is None else np.eye(1, X, state)[0] for task in self.library]
        return remember(tasks, where, np.zeros(K, dtype=bool), step, state, events, of=self.origin)

    @cached_property
    def origin(self) -> Origin:
        """The origin of its memories."""
        return Origin("the tasks and the state", (self.library,))


def _share_states(library: TaskLibrary) -> None:
    """Refuse a library whose tasks do not share one state space."""
    if not library.shared:
        sizes = [len(task.pomdp.start) for task in library]
        raise InputError(
            f"BOPA needs tasks that share one state space; these have {', '.join(map(str, sizes))} states"
            f"{' with different names' if len(set(sizes)) == 1 else ''}: use ATPO"
        )


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
