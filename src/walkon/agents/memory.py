"""What an agent remembers between two steps: all of it, in one frozen value that is passed in and returned."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.models.distributions import Floats, Ints


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
        tasks: The belief over tasks.
        belief: The beliefs over states, those of all tasks behind one another; `states` takes them apart.
        offsets: Where each task's states begin in `belief`.
        refuted: The tasks that cannot have led here; their state beliefs stay as they were.
        step: How many updates there were.
        state: The state, for agents that see it.
        events: What could not be explained.
    """

    tasks: Floats  # [K]
    belief: Floats  # [sum of X_k]
    offsets: Ints  # [K + 1]
    refuted: npt.NDArray[np.bool_]  # [K]
    step: int = 0
    state: int | None = None
    events: tuple[Unexplained, ...] = ()

    @property
    def states(self) -> tuple[Floats, ...]:
        """The belief over the states of each task, [K] of [X_k]."""
        return tuple(self.belief[begin:end] for begin, end in zip(self.offsets, self.offsets[1:], strict=False))
