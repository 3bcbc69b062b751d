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
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from walkon.agents.inference_kernels import posterior
from walkon.agents.memory import Memory, Unexplained, UnexplainedWarning, remember
from walkon.agents.percept import Percept
from walkon.errors import InputError
from walkon.models.distributions import Floats, Ints, distribution, numbers
from walkon.models.packed_beliefs import pack
from walkon.tasks import TaskLibrary

Models: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats, Ints]


@dataclass(frozen=True, init=False, eq=False)
class Inference:
    """The beliefs over a library: where they start, and how they change."""

    library: TaskLibrary
    prior: Floats  # [K]
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

    def start(self, percept: Percept | None = None) -> Memory:
        """Before the first action: the prior and the start beliefs, or the first state where that is seen."""
        memory = Memory(self.first.copy(), self.sizes)
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
        models, known = self.models, reading
        if percept.likelihood is not None:
            if reading is not None:
                raise InputError(f"both an observation ({reading}) and a likelihood were given: expected one of them")
            models, known = self._softly(percept.likelihood), 0
        elif known is None:
            models, known = self.blind, 0
        elif not 0 <= known < self.Z:
            _check("observation", known, self.Z)
        beliefs, total = posterior(*models, memory.beliefs, action, known)
        if not total > 0.0:
            return self._unexplained(memory, action, reading)
        after = Memory(beliefs, memory.sizes, memory.step + 1, memory.state, memory.events)
        return after.believing(memory.tasks) if reading is None and percept.likelihood is None else after

    def _softly(self, likelihood: Any) -> Models:
        """The models with sensors that have one reading only, 0: soft evidence, given as weights over all readings."""
        w = numbers("likelihood", likelihood, (self.Z,), "(Z,)")
        if (w < 0).any() or not w.any():
            raise InputError("likelihood has a negative weight or none at all; expected weights over the readings")
        indptr, indices, data, offsets = self.models
        half = len(indptr) // 2
        sensors = indptr[half]
        soft = csr_array((data[sensors:], indices[sensors:], indptr[half:] - sensors), shape=(half, self.Z)) @ w
        return (
            np.concatenate([indptr[:half], sensors + np.arange(half + 1)]),
            np.concatenate([indices[:sensors], np.zeros(half, dtype=np.int32)]),
            np.concatenate([data[:sensors], soft]),
            offsets,
        )

    def weighed(
        self,
        memory: Memory,
        action: int,
        observation: int | None,
        states: Sequence[Floats],
        likelihood: Floats,
        step: int | None = None,
    ) -> Memory:
        """The task belief multiplied by the tasks' likelihoods; or a new beginning where nothing explains them."""
        joint = memory.tasks * likelihood
        total = joint.sum()
        if not total > 0.0:
            return self._unexplained(memory, action, observation)
        refuted = memory.refuted | (likelihood == 0.0)
        step = memory.step + 1 if step is None else step
        return remember(joint / total, states, refuted, step, memory.state, memory.events)

    def _seen(self, state: int) -> list[Floats]:
        """All belief in a state that was seen, whatever the task."""
        return [np.eye(1, X, state)[0] for X in self.sizes]

    def _unexplained(self, memory: Memory, action: int, observation: int | None) -> Memory:
        """Begin anew: from the prior, and from the start beliefs or the state where that is seen."""
        events = (*memory.events, Unexplained(memory.step, action, observation))
        if not memory.events:
            warnings.warn(
                f"no task of the library explains observation {observation} after action {action} at step "
                f"{memory.step}: beginning anew from the prior",
                UnexplainedWarning,
                stacklevel=4,
            )
        states = [task.pomdp.start for task in self.library]
        if observation is not None and self.library.observed:
            states = self._seen(observation)
        return remember(self.prior, states, None, memory.step + 1, memory.state, events)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many states each task has, [K]."""
        return tuple(len(task.pomdp.start) for task in self.library)

    @cached_property
    def first(self) -> Floats:
        """The prior and the start beliefs, packed."""
        return pack(self.prior, np.zeros(len(self.library)), [task.pomdp.start for task in self.library])

    @cached_property
    def models(self) -> Models:
        """What the kernel takes: the dynamics of all tasks, their sensors below, and where each one's states begin."""
        tasks = [task.pomdp for task in self.library]
        stacks = [*(task.transitions for task in tasks), *(task.readings for task in tasks)]
        ends = np.cumsum([0, *(len(each.data) for each in stacks)])
        return (
            np.concatenate([[0], *(each.indptr[1:] + end for each, end in zip(stacks, ends, strict=False))]),
            np.concatenate([each.indices for each in stacks]),
            np.concatenate([each.data for each in stacks]),
            np.cumsum([0, *self.sizes]),
        )

    @cached_property
    def blind(self) -> Models:
        """The same where nothing is read."""
        return self._softly(np.ones(self.Z))


def _check(what: str, index: int, size: int) -> int:
    if not 0 <= index < size:
        raise InputError(f"{what} {index} does not exist: they are numbered 0 to {size - 1}")
    return index
