"""Where the agent is and what is going on: K state beliefs and the task belief, from actions and readings.

For every task k, one pass gives joint_k(y) = (b_k P_k,a)(y) O_k,a(z|y). Its sum is the likelihood of the reading under
the task, its normalisation the next b_k. Then p(k) is multiplied by the likelihood and normalised.

- Nothing was read: the beliefs are only predicted, and p stays (it is the sum over all readings).
- Soft evidence w: O_k,a(z|y) becomes sum_z w(z) O_k,a(z|y).
- A task that gives a reading probability 0 is refuted: p(k) = 0 from then on.
- No task explains a reading: the event is kept in the memory, a warning is given once, and the agent begins anew from
  its prior and the start beliefs (or the state, where that is seen). Nothing is smoothed, and no exception ends the
  episode.
"""

import warnings
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from walkon.agents.inference_kernels import posterior_of_arrays, predict_all, weigh
from walkon.agents.memory import Memory, Unexplained, UnexplainedWarning
from walkon.agents.percept import Percept
from walkon.errors import InputError
from walkon.models.distributions import Floats, Ints, distribution, numbers
from walkon.models.stacked import Stacked
from walkon.tasks import TaskLibrary


@dataclass(frozen=True, init=False, eq=False)
class Inference:
    """The beliefs over a library: where they start, and how they change."""

    library: TaskLibrary
    prior: Floats  # [K]
    offsets: Ints  # [K + 1]
    A: int  # the number of actions
    Z: int  # the number of observations

    def __init__(self, library: TaskLibrary, prior: Any = None) -> None:
        """Check and keep the prior over tasks, [K]; uniform if not given."""
        K = len(library)
        put = object.__setattr__
        put(self, "library", library)
        put(self, "prior", distribution("prior", np.full(K, 1 / K) if prior is None else prior, K))
        put(self, "A", len(library[0].pomdp.P))
        put(self, "Z", library[0].pomdp.O[0].shape[1])
        put(self, "offsets", np.cumsum([0, *(len(task.pomdp.start) for task in library)]))

    def start(self, percept: Percept | None = None) -> Memory:
        """Before the first action: the prior and the start beliefs, or the first state where that is seen."""
        K = len(self.library)
        memory = Memory(self.prior.copy(), self.first_beliefs.copy(), self.offsets, np.zeros(K, dtype=np.bool_))
        first = None if percept is None else percept.observation if percept.state is None else percept.state
        if first is None or not self.library.observed:
            return memory
        chances = np.array([task.pomdp.start[_check("state", first, len(task.pomdp.start))] for task in self.library])
        return self.weighed(memory, -1, first, self._seen(first), chances, step=0)

    def update(self, memory: Memory, action: int, percept: Percept) -> Memory:
        """After an action and what was read, if anything was."""
        if not 0 <= action < self.A:
            _check("action", action, self.A)
        reading = percept.observation
        if reading is None and self.library.observed:
            reading = percept.state
        if percept.likelihood is not None:
            if reading is not None:
                raise InputError(f"both an observation ({reading}) and a likelihood were given: expected one of them")
            return self._weigh_softly(memory, action, percept.likelihood)
        if reading is None:
            belief = np.where(self._spread(memory.refuted), memory.belief, self._predicted(memory, action))
            return memory._replace(belief=belief, step=memory.step + 1)
        if not 0 <= reading < self.Z:
            _check("observation", reading, self.Z)
        tasks, belief, refuted, total = posterior_of_arrays(
            *self.transitions,
            *self.readings,
            self.offsets,
            self.A,
            memory.tasks,
            memory.refuted,
            memory.belief,
            action,
            reading,
        )
        if not total > 0.0:
            return self._unexplained(memory, action, reading)
        return Memory(tasks, belief, self.offsets, refuted, memory.step + 1, memory.state, memory.events)

    def weighed(
        self,
        memory: Memory,
        action: int,
        observation: int | None,
        belief: Floats,
        likelihood: Floats,
        step: int | None = None,
    ) -> Memory:
        """The task belief multiplied by the tasks' likelihoods; or a new beginning where nothing explains them."""
        tasks, total = weigh(memory.tasks, likelihood)
        if not total > 0.0:
            return self._unexplained(memory, action, observation)
        return Memory(
            tasks,
            belief,
            self.offsets,
            memory.refuted | (likelihood == 0.0),
            memory.step + 1 if step is None else step,
            memory.state,
            memory.events,
        )

    def _weigh_softly(self, memory: Memory, action: int, weights: Any) -> Memory:
        w = numbers("likelihood", weights, (self.Z,), "(Z,)")
        if (w < 0).any() or not w.any():
            raise InputError("likelihood has a negative weight or none at all; expected weights over the readings")
        joint = self._predicted(memory, action) * np.concatenate([task.pomdp.O[action] @ w for task in self.library])
        likelihood = np.add.reduceat(joint, self.offsets[:-1])
        known = self._spread(np.where(likelihood > 0, likelihood, 1.0))
        belief = np.where(self._spread(likelihood > 0), joint / known, memory.belief)
        return self.weighed(memory, action, None, belief, likelihood)

    def _predicted(self, memory: Memory, action: int) -> Floats:
        """The state beliefs after an action and before its reading; zero for refuted tasks."""
        return predict_all(self.transitions, self.offsets, self.A, memory.refuted, memory.belief, action)

    def _spread(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A value of each task, at each of its states."""
        return np.repeat(values, np.diff(self.offsets))

    def _seen(self, state: int) -> Floats:
        """All belief in a state that was seen, whatever the task."""
        belief = np.zeros(len(self.first_beliefs))
        belief[self.offsets[:-1] + state] = 1.0
        return belief

    def _unexplained(self, memory: Memory, action: int, observation: int | None) -> Memory:
        """Begin anew: from the prior, and from the start beliefs or the state where that is seen."""
        belief = self.first_beliefs.copy()
        if observation is not None and self.library.observed:
            belief = self._seen(observation)
        event = Unexplained(memory.step, action, observation)
        if not memory.events:
            warnings.warn(
                f"no task of the library explains observation {observation} after action {action} at step "
                f"{memory.step}: beginning anew from the prior",
                UnexplainedWarning,
                stacklevel=4,
            )
        none = np.zeros(len(self.library), dtype=np.bool_)
        events = (*memory.events, event)
        return Memory(self.prior.copy(), belief, self.offsets, none, memory.step + 1, memory.state, events)

    @cached_property
    def first_beliefs(self) -> Floats:
        """The start beliefs of all tasks, behind one another."""
        return np.concatenate([task.pomdp.start for task in self.library])

    @cached_property
    def transitions(self) -> Stacked:
        """The dynamics of all tasks: row A * offsets[k] + a * X_k + x holds P_k,a(.|x)."""
        return _join([task.pomdp.transitions for task in self.library], self.offsets)

    @cached_property
    def readings(self) -> Stacked:
        """The sensors of all tasks: row A * offsets[k] + a * X_k + y holds O_k,a(.|y)."""
        return _join([task.pomdp.readings for task in self.library], np.zeros_like(self.offsets))


def _join(stacks: list[Stacked], offsets: Ints) -> Stacked:
    """Stacks under one another, the columns of each moved to where its task's states stand."""
    ends = np.cumsum([0, *(len(stack.data) for stack in stacks)])
    return Stacked(
        np.concatenate([[0], *(stack.indptr[1:] + end for stack, end in zip(stacks, ends, strict=False))]),
        np.concatenate([stack.indices + shift for stack, shift in zip(stacks, offsets, strict=False)]).astype(np.int32),
        np.concatenate([stack.data for stack in stacks]),
    )


def _check(what: str, index: int, size: int) -> int:
    if not 0 <= index < size:
        raise InputError(f"{what} {index} does not exist: they are numbered 0 to {size - 1}")
    return index
