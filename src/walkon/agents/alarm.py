"""An e-process for "none of these tasks": an alarm with a proven bound on false alarms.

For each task k, the e-process

    E_k,t = prod_s g(z_s | history) / P_k(z_s | history, a_s)

compares how well task k predicted the observations with how well g did, a predictive distribution that is fixed before
each observation: the library with trembling teammates, the library with other noise levels (or the alternatives that
are given), and uniform observations, mixed in equal shares at the start and reweighed by how well they predict. Under
task k, E_k is a non-negative supermartingale that starts at 1 if each action, given observations and actions so far,
is independent of the task and its hidden state. So by Ville's inequality, the probability that it ever reaches 1/alpha
is at most alpha. The alarm is raised when min_k E_k >= 1/alpha over the tasks with positive prior: if one of them is
going on, the probability that it is ever raised is at most alpha. An observation that is impossible under all of them
raises it at once. Agents that sense more than the observation are refused: their actions tell of what they see,
P_k is then not the probability of the observation, and E_k may grow under task k.

With a hazard rate h, the observations are weighed against every chain of tasks that begins with task k and moves to any
given other task with probability h or less at each step, by any rule. In P_k's place is D, the sum of the weights

    D_j(y) = O_j,a(z|y) sum_x P_j,a(y|x) [D_j(x) + h sum over i != j of D_i(x)]

which begin with the start belief of task k (tasks that do not share their states begin anew at a change). By induction,
no weight of such a chain exceeds D's, so g / D does not exceed the chain's own E. With h' = h(K-1) / (1 + h(K-1)), D is
(1 + h(K-1))^t times the probability of the observations under the chain that changes with probability h', to all other
tasks alike. So at most log(1 + h(K-1)) of evidence is lost at each step.

Without an observation, beliefs are only predicted; soft evidence is not counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.inference import Inference
from walkon.agents.inference_kernels import switch
from walkon.agents.memory import REMEDY, Memory, Origin, Percept, Sense, Suspicion
from walkon.agents.naming import first_percept, numbered
from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.distributions import distribution
from walkon.models.packed_beliefs import believing
from walkon.tasks import TaskLibrary
from walkon.tasks.library import trembling

TREMBLE = 0.2
Fallback: TypeAlias = Literal["go on", "uniform"] | Callable[[Memory], Floats]
"""The policy after an alarm: go on as before, act uniformly, or call a function of the memory."""


@dataclass(frozen=True, init=False, eq=False)
class Alarm:
    """Weighs observations against a library, and decides when to believe that none of its tasks is going on."""

    inference: Inference
    alternatives: tuple[TaskLibrary, ...]
    alpha: float

    def __init__(
        self, inference: Inference, alpha: float = 0.05, alternatives: Sequence[TaskLibrary] | None = None
    ) -> None:
        """Check the alternatives.

        Args:
            inference: The library and its prior.
            alpha: The highest probability of a false alarm in a whole episode, however long.
            alternatives: Other libraries with the same actions and observations; if not given, the library's variants
                with other noise. The library with trembling teammates is added where its teammates are known.
        """
        if not 0 < alpha < 1:
            raise InputError(f"alpha is {alpha}, expected a probability: how often a false alarm may be raised")
        library = inference.library
        others = tuple(library.variants() if alternatives is None else alternatives)
        for other in others:
            TaskLibrary([library[0], other[0]])  # refuses other actions and observations
        if all(task.teammates is not None for task in library):
            others = (trembling(library, TREMBLE), *others)
        vars(self).update(inference=inference, alternatives=others, alpha=float(alpha))

    def __repr__(self) -> str:
        return f"Alarm({self.inference.library!r:.200}, alpha={self.alpha:g})"

    def start(self, percept: Percept | None = None) -> Suspicion:
        """The suspicion before the first action. A first state that is seen is not weighed."""
        K = len(self.inference.library)
        beliefs = self.inference.start(percept).beliefs
        tasks = tuple(believing(beliefs, p) for p in (np.eye(K) if self.drift else np.full((1, K), 1 / K)))
        others = None if self.mixture is None else self.mixture.start(percept).beliefs
        return Suspicion(tasks, others, np.zeros(K), 0.0, 0.0, np.zeros(K), of=self.origin)

    def update(self, suspicion: Suspicion, action: int, percept: Percept) -> Suspicion:
        """The suspicion after an action and its observation. Once raised, an alarm stays."""
        inference, observation = self.inference, percept.observation
        if observation is None and inference.library.observed:
            observation = percept.state
        if suspicion.alarm is not None:
            return suspicion
        if observation is None:
            others = suspicion.others
            if others is not None and self.mixture is not None:
                others = self.mixture.predict(others, action)
            tasks = tuple(inference.predict(each, action) for each in self._changed(suspicion.tasks))
            return suspicion._replace(tasks=tasks, others=others, likelihood=suspicion.likelihood + self.drift)
        if self.drift:
            found = [inference.condition(each, action, observation) for each in self._changed(suspicion.tasks)]
            tasks, logs = tuple(after for after, _ in found), np.array([log for _, log in found])
        else:
            after, logs = inference.foretell(suspicion.tasks[0], action, observation)
            tasks = (after,)
        likelihood = suspicion.likelihood + logs + self.drift
        others, alternatives = suspicion.others, suspicion.alternatives
        if others is not None and self.mixture is not None:
            others, log = self.mixture.condition(others, action, observation)
            alternatives = alternatives + log
            others = others if log > -np.inf else None
        uniform = suspicion.uniform - np.log(inference.Z)
        evidence = self._evidence(likelihood, alternatives, uniform)
        observations = suspicion.observations + 1
        raised = evidence[inference.prior > 0].min() >= -np.log(self.alpha)
        alarm = observations if raised else None
        return Suspicion(tasks, others, likelihood, alternatives, uniform, evidence, alarm, observations, self.origin)

    def _changed(self, tasks: tuple[Floats, ...]) -> tuple[Floats, ...]:
        """Account for a possible change of the task: h / (1 + h(K-1)) to each other one."""
        if not self.drift:
            return tasks
        first, sizes, _, shared = self.inference.switching
        return tuple(switch(each, first, sizes, -np.expm1(-self.drift), shared) for each in tasks)

    @cached_property
    def drift(self) -> float:
        """log(1 + h(K-1)): the logarithm by which D may grow at each step beyond a probability."""
        return float(np.log1p(self.inference.hazard * (len(self.inference.library) - 1)))

    def _evidence(self, likelihood: Floats, alternatives: float, uniform: float) -> Floats:
        """The logarithm of each E_k, [K]: infinite where task k cannot have made the observations."""
        C = len(self.alternatives)
        shares = np.log([C / (C + 1) or 1.0, 1 / (C + 1)])
        foretold = np.logaddexp(alternatives + shares[0] if C else -np.inf, uniform + shares[1])
        impossible = np.isneginf(likelihood)
        return np.where(impossible, np.inf, foretold - np.where(impossible, 0.0, likelihood))

    @cached_property
    def origin(self) -> Origin:
        """The origin of its suspicions."""
        return Origin("observations weighed against a library", (self.inference.library, *self.alternatives))

    @cached_property
    def mixture(self) -> Inference | None:
        """All alternatives as one library, in equal shares; within each, its tasks have the library's prior."""
        if not self.alternatives:
            return None
        prior = self.inference.prior
        shares = [prior if len(each) == len(prior) else np.full(len(each), 1 / len(each)) for each in self.alternatives]
        joined = TaskLibrary([task for each in self.alternatives for task in each])
        return Inference(joined, np.concatenate(shares) / len(self.alternatives))


def refuse_senses(name: str, senses: frozenset[Sense]) -> None:
    """Refuse an agent that receives no observations, or whose actions tell of anything else."""
    if "observation" not in senses:
        raise InputError(f"{name} receives no observations that an alarm could weigh: leave the alarm out")
    if more := sorted(senses - {"observation"}):
        raise InputError(
            f"{name} also acts on what it senses of {' and '.join(more)}, which breaks the alarm's promise: leave the "
            "alarm out, or take an agent that senses observations alone, such as atpo"
        )


@dataclass(frozen=True, eq=False)
class WithAlarm:
    """Acts as another agent does, until the alarm. Its memory has a `suspicion`."""

    agent: Agent[Memory]
    alarm: Alarm
    fallback: Fallback = "go on"

    name: str = field(init=False)
    library: TaskLibrary = field(init=False)
    senses: frozenset[Sense] = field(init=False)
    identifies: bool = field(init=False)

    def __post_init__(self) -> None:
        if not callable(self.fallback) and self.fallback not in ("go on", "uniform"):
            raise InputError(f'fallback is {self.fallback!r}, expected "go on", "uniform" or a policy of the memory')
        refuse_senses(self.agent.name, self.agent.senses)
        vars(self).update({part: getattr(self.agent, part) for part in ("name", "library", "senses", "identifies")})

    def __repr__(self) -> str:
        return f"WithAlarm({self.agent!r}, alarm={self.alarm.alpha:g})"

    def start(self, percept: Percept | None = None) -> Memory:
        """The memory of the agent that acts, without suspicion."""
        percept = None if percept is None else first_percept(self.library, percept)
        return self.agent.start(percept)._replace(suspicion=self.alarm.start(percept))

    def act(self, memory: Memory) -> Floats:
        """The probability of each action, [A]."""
        suspicion = self._suspicion(memory)
        if suspicion.alarm is None or self.fallback == "go on":
            return self.agent.act(memory)
        A = self.alarm.inference.A
        if callable(self.fallback):
            return np.array(distribution("the fallback's choice", self.fallback(memory), A))
        return np.full(A, 1 / A)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """The agent's beliefs and the suspicion."""
        suspicion = self._suspicion(memory)
        action, percept = numbered(self.library, action, percept)
        after = self.agent.update(memory, action, percept)
        return after._replace(suspicion=self.alarm.update(suspicion, action, percept))

    def _suspicion(self, memory: Memory) -> Suspicion:
        """The suspicion so far; refuse memories of other agents."""
        self.alarm.inference.origin.check(memory)
        if memory.suspicion is None:
            raise InputError(f"this memory is not of an agent with an alarm: {REMEDY}")
        self.alarm.origin.check(memory.suspicion)
        return memory.suspicion
