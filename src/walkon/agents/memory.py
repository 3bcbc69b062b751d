"""What an agent remembers between two steps: all of it, in one frozen value that is passed in and returned."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.agents.origin import Origin
from walkon.agents.suspicion import Suspicion
from walkon.arrays import Floats
from walkon.models.packed_beliefs import believing, log_weights, pack, unpack_states


class Unexplained(NamedTuple):
    """Nothing in the library gives what was read any probability; the agent began anew from its prior."""

    step: int  # how many updates there had been
    action: int
    observation: int | None  # None where the evidence was soft


class UnexplainedWarning(UserWarning):
    """Something was read that no task of the library explains."""


class Memory(NamedTuple):
    """The task belief p_t and the state beliefs b_k,t. A named tuple, because one is made at every step.

    Attributes:
        beliefs: Both, packed as `walkon.models.packed_beliefs` says; the properties have them one by one. What is too
            small for a float is shown as the smallest one, and 0 says impossible.
        sizes: How many states each task has.
        step: How many updates there were.
        state: The state, for agents that see it.
        events: What could not be explained.
        suspicion: How badly the library explains what was read, for agents with an alarm.
        likelihood: How probable the agent held what it then read, in the last update; 1 where nothing was read.
        of: What this is a memory of: agents refuse those of anything else.
    """

    beliefs: Floats
    sizes: tuple[int, ...]  # [K]
    step: int = 0
    state: int | None = None
    events: tuple[Unexplained, ...] = ()
    suspicion: Suspicion | None = None
    likelihood: float = 1.0
    of: Origin | None = None

    @property
    def tasks(self) -> Floats:
        """The belief over tasks, [K]."""
        return self.beliefs[: len(self.sizes)]

    @property
    def log_tasks(self) -> Floats:
        """The natural logarithm of each task's belief, also of one that is too small for a float, [K]."""
        K = len(self.sizes)
        return log_weights(self.beliefs, K)[:K]

    @property
    def refuted(self) -> npt.NDArray[np.bool_]:
        """The tasks that cannot have led here; their state beliefs stay as they were, [K]."""
        K = len(self.sizes)
        return np.not_equal(self.beliefs[K : 2 * K], 0.0)

    @property
    def states(self) -> tuple[Floats, ...]:
        """The belief over the states of each task, [K] of [X_k]."""
        return unpack_states(self.beliefs, self.sizes)

    def believing(self, tasks: Floats) -> "Memory":
        """The same with another belief over tasks, [K]."""
        return self._replace(beliefs=believing(self.beliefs, tasks))


def remember(
    tasks: Floats,
    states: Sequence[Floats],
    refuted: npt.NDArray[np.bool_] | None = None,
    step: int = 0,
    state: int | None = None,
    events: tuple[Unexplained, ...] = (),
    of: Origin | None = None,
) -> Memory:
    """A memory of a belief over tasks [K] and beliefs over their states, [K] of [X_k]."""
    out = np.zeros(len(tasks)) if refuted is None else refuted.astype(np.float64)
    return Memory(pack(tasks, out, states), tuple(map(len, states)), step, state, events, of=of)
