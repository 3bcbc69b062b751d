"""The belief over tasks and the beliefs over their states, for libraries without tables.

The same update as `walkon.agents.inference` makes with matrices: each task's belief (`walkon.agents.sparse_belief`)
moves on and says how probable the observation was, and p(k) is multiplied by that. Three things can go wrong, and the
memory tells them apart:

- An exact belief does not explain the observation: the task is refuted.
- Particles do not explain it: that says nothing, because others might have. The task is tracked again from the start
  with other luck, through all that happened (`Depleted`, renewed), if it is among the likeliest of those that ran out,
  because it takes time. If that fails too, its particles move on without the observation, and its weight falls behind
  that of the other tasks as if one particle in N + 1 had explained it. From then on its belief is marked approximate.
- No task explains it: the agent starts again from its prior, as with tables (`Unexplained`).

All luck follows from the seed and the step that the memory holds: equal memories give equal updates.
"""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any

import numpy as np

from walkon.agents import array_belief
from walkon.agents.array_belief import Belief
from walkon.agents.changing import changed, same_states
from walkon.agents.memory import Origin, Percept, Unexplained, UnexplainedWarning
from walkon.agents.naming import first_percept, numbered
from walkon.agents.sparse_belief import SparseBelief, advance, begin, certain
from walkon.agents.tracked import Depleted, Tracked
from walkon.arrays import Floats
from walkon.checks import share, whole
from walkon.errors import InputError
from walkon.models.belief import check_index
from walkon.models.distributions import distribution
from walkon.tasks import TaskLibrary
from walkon.tasks.compiled_rules import CompiledRules
from walkon.tasks.simulator import Luck, Simulator
from walkon.tasks.table_simulator import simulator

PARTICLES = 1000
MOST_RENEWED = 4  # tasks that are tracked again at one step
LONGEST = 1000  # steps through which a task is tracked again
WORTH_RENEWING = 1e-6  # the probability of a task below which its particles are not tracked again


@dataclass(frozen=True, init=False, eq=False)
class Tracking:
    """Where the beliefs over the tasks of a library start, and how they are updated, by calling the tasks' rules."""

    library: TaskLibrary
    prior: Floats  # [K]
    A: int  # the number of actions
    particles: int  # the most states that a belief holds
    seed: int
    hazard: float  # how likely the task changes at each step

    def __init__(
        self, library: TaskLibrary, prior: Any = None, particles: int = PARTICLES, seed: int = 0, hazard: float = 0.0
    ) -> None:
        """Check and store the prior over tasks, [K], uniform if not given, the cap and the hazard rate."""
        K = len(library)
        weights = distribution("prior", np.full(K, 1 / K) if prior is None else prior, K)
        most = whole("particles", particles, 1, None)
        share("hazard", hazard)
        facts = {"library": library, "prior": weights, "A": library.action_count, "hazard": float(hazard)}
        vars(self).update(facts, particles=most, seed=whole("seed", seed, 0, None))

    def with_prior(self, prior: Any) -> "Tracking":
        """Return the same tracking with another prior over tasks, [K]."""
        other = Tracking(self.library, prior, self.particles, self.seed, self.hazard)
        vars(other).update(simulators=self.simulators, origin=self.origin)
        return other

    @cached_property
    def origin(self) -> Origin:
        """The mark of its memories."""
        return Origin("beliefs over tasks and their states, without tables", (self.library,))

    @cached_property
    def simulators(self) -> tuple[Simulator, ...]:
        """The rules of each task, [K]."""
        return tuple(simulator(task) for task in self.library)

    @cached_property
    def rules(self) -> tuple[CompiledRules | None, ...]:
        """The compiled rules of each task, [K]; None where it has none."""
        return tuple(getattr(task, "compiled", None) for task in self.library)

    def _advance(
        self, k: int, belief: Belief, action: int, percept: Percept, luck: Luck
    ) -> tuple[Belief | None, float]:
        """Update the belief over a task's states, by its compiled rules where it has them."""
        if (rules := self.rules[k]) is not None:
            return array_belief.advance(rules, belief, action, percept, self.particles, luck)
        assert isinstance(belief, SparseBelief)
        return advance(self.simulators[k], belief, action, percept, self.particles, luck)

    def start(self, percept: Percept | None = None) -> Tracked:
        """Return the memory before the first action: the prior and the start beliefs, or the first state if seen."""
        if percept is None:
            return self._first
        return self._begun(self._nothing, first_percept(self.library, percept))

    @cached_property
    def _first(self) -> Tracked:
        """The memory before the first action of an agent that was shown nothing: always the same."""
        return self._begun(self._nothing, Percept())

    @property
    def _nothing(self) -> Tracked:
        return Tracked(np.zeros(0), (), seed=self.seed, of=self.origin)

    def update(self, memory: Tracked, action: int, percept: Percept) -> Tracked:
        """Return the memory after an action and its observation, if there was one."""
        self.origin.check(memory)
        action, percept = numbered(self.library, action, percept)
        check_index("action", action, self.A)
        percept = self._checked(percept)
        memory = self._changed(memory)
        K, history = len(self.library), _longer(memory.history, (action, percept))
        beliefs, logs, dead = list(memory.beliefs), np.zeros(K), list[int]()
        for k in np.flatnonzero(~memory.refuted).tolist():
            luck = _luck(memory, k, "step")
            after, logs[k] = self._advance(k, beliefs[k], action, percept, luck)
            if after is None and beliefs[k].kind == "particles":
                dead.append(k)
            beliefs[k] = beliefs[k] if after is None else after
        joint = memory.log_joint + logs
        lost = []
        for i, k in enumerate(sorted(dead, key=lambda k: -float(memory.tasks[k]))):
            beliefs[k], found = self._renewed(memory, k, history, i < MOST_RENEWED)
            joint[k] = -math.inf if found is None else found
            lost += [k] if found is None else []
        if lost:
            after, before = (np.logaddexp.reduce(np.delete(each, lost)) for each in (joint, memory.log_joint))
            others = after - before if after > -math.inf else math.log(self.particles + 1)  # how likely for the others
            joint[lost] = memory.log_joint[lost] + others - math.log(self.particles + 1)
        seen = percept.observation
        depleted = (*memory.depleted, *(Depleted(memory.step, k, action, seen, k not in lost) for k in dead))
        if np.isneginf(joint).all():
            return self._restarted(memory, action, percept)
        total = np.logaddexp.reduce(joint) - np.logaddexp.reduce(memory.log_joint)
        return memory._replace(
            log_joint=joint,
            beliefs=tuple(beliefs),
            step=memory.step + 1,
            history=history,
            depleted=depleted,
            likelihood=float(np.exp(min(total, 0.0))),
            of=self.origin,
        )

    def _changed(self, memory: Tracked) -> Tracked:
        """Account for a possible change of the task, if there are several and a hazard rate."""
        if not self.hazard or len(self.library) == 1:
            return memory
        starts = None if same_states(self.library) else self._first.beliefs
        luck = partial(_luck, memory, what="change")
        weights, beliefs = changed(memory.tasks, memory.beliefs, starts, self.hazard, self.particles, luck)
        with np.errstate(divide="ignore"):
            return memory._replace(log_joint=np.log(weights), beliefs=tuple(beliefs))

    def _begun(self, memory: Tracked, first: Percept) -> Tracked:
        """Return a memory whose beliefs start again."""
        with np.errstate(divide="ignore"):
            joint = np.log(self.prior)
        starts = [self._start(k, first, _luck(memory, k, "start")) for k in range(len(self.library))]
        seen = joint + np.array([log for _, log in starts])
        beliefs = tuple(belief for belief, _ in starts)
        if np.isneginf(seen).all():
            return self._restarted(memory._replace(step=-1), -1, first)
        return memory._replace(log_joint=seen, beliefs=beliefs, history=(), first=first)

    def _start(self, k: int, first: Percept, luck: Luck) -> tuple[Belief, float]:
        """Return the first belief over a task's states, and the logarithm of the probability of what was seen."""
        seen: Any = first.observation if first.state is None else first.state
        if seen is None or not self.library.observed:
            if (rules := self.rules[k]) is not None:
                return array_belief.begin(rules, self.simulators[k], self.particles, luck), 0.0
            return begin(self.simulators[k], self.particles, luck), 0.0
        listed = self.simulators[k].start()
        p = 1.0 if listed is None else dict(listed).get(seen, 0.0)  # how likely a drawn state was is not known
        return certain(seen), math.log(p) if p > 0 else -math.inf

    def _renewed(
        self, memory: Tracked, k: int, history: Sequence[tuple[int, Percept]], likely: bool
    ) -> tuple[Belief, float | None]:
        """Track a task again through all that happened, with other luck; None in place of its weight if that fails."""
        luck = _luck(memory, k, "again")
        complete = len(history) <= LONGEST and not self.hazard  # with a hazard rate, another task may have been on
        if likely and memory.tasks[k] >= WORTH_RENEWING and complete:
            belief, log = self._start(k, memory.first, luck)
            joint = float(np.log(self.prior[k])) + log
            for action, percept in history:
                after, log = self._advance(k, belief, action, percept, luck)
                if after is None:
                    break
                belief, joint = after, joint + log
            else:
                return belief._replace(approximate=True), joint
        action, percept = history[-1]
        if self.library.observed and percept.observation is not None:
            return certain(percept.observation)._replace(kind="particles", approximate=True), None
        blind, _ = self._advance(k, memory.beliefs[k], action, Percept(), luck)
        assert blind is not None
        return blind._replace(kind="particles", approximate=True), None

    def _restarted(self, memory: Tracked, action: int, percept: Percept) -> Tracked:
        """Start again from the prior and the start beliefs, or the state if it is observed, and record the event."""
        if not memory.events:
            warnings.warn(
                f"no task of the library explains observation {percept.observation!r:.80} after action {action} at "
                f"step {max(memory.step, 0)}: starting again from the prior",
                UnexplainedWarning,
                stacklevel=4,
            )
        seen: Any = percept.observation if percept.state is None else percept.state
        event = Unexplained(max(memory.step, 0), action, seen)
        again = memory._replace(step=memory.step + 1, events=(*memory.events, event), likelihood=0.0, of=self.origin)
        if seen is None or not self.library.observed:
            return self._begun(again, Percept())
        with np.errstate(divide="ignore"):
            joint = np.log(self.prior)
        return again._replace(log_joint=joint, beliefs=(certain(seen),) * len(self.library), history=(), first=percept)

    def _checked(self, percept: Percept) -> Percept:
        """Refuse soft evidence that is not a mapping from observations to weights."""
        if percept.observation is None and self.library.observed and percept.state is not None:
            percept = percept._replace(observation=percept.state)
        soft = percept.likelihood
        seen = soft if isinstance(soft, Mapping) else () if percept.observation is None else (percept.observation,)
        for z in seen:
            self._check(z)
        if soft is None:
            return percept
        if percept.observation is not None:
            raise InputError("both an observation and a likelihood were given, expected one of them")
        if not isinstance(soft, Mapping) or not any(soft.values()) or min(soft.values()) < 0:
            raise InputError("likelihood: without tables, expected a dict from observations to weights, 0 or more")
        return percept

    def _check(self, z: Any) -> None:
        """Refuse what cannot be an observation: a list, or other numbers than compiled rules have."""
        if isinstance(z, list | dict | set | np.ndarray):
            raise InputError(f"observation is {z!r:.60}, expected a value of the rules, such as a tuple")
        sizes = {rules.observation_size for rules in self.rules if rules is not None}
        row = z if isinstance(z, tuple) else (z,)
        if sizes and not (len(row) in sizes and all(isinstance(each, int | np.integer) for each in row)):
            raise InputError(f"observation is {z!r:.60}, expected {min(sizes)} whole numbers, as the rules have them")


def _longer(history: tuple[Any, ...], last: tuple[int, Percept]) -> tuple[Any, ...]:
    """Add a step to a history; of one that is too long to be tracked again, keep the last steps."""
    return (*history[-LONGEST:], last)


def _luck(memory: Tracked, k: int, what: str) -> Luck:
    """Uniform numbers for one task and one purpose: the same ones must not decide twice."""
    return Random(f"{memory.seed} {memory.step} {k} {what}").random
