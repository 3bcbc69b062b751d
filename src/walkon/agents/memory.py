"""What an agent senses at one step, and its memory between two: one frozen value that is passed in and returned.

Beliefs are numbers without names: those of another library may be as many, but mean something else. So a memory holds
its `Origin`, and an agent refuses memories of another origin. Agents over one library understand each other's beliefs;
so do agents over another library with the same numbers, such as one that was saved and loaded.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.deprecated import deprecated
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.packed_beliefs import believing, log_weights, pack, unpack_states
from walkon.saying import briefly, count
from walkon.tasks import Task, TaskLibrary

REMEDY = "a memory goes with what it began with, so begin with agent.start()"
Sense: TypeAlias = Literal["observation", "state", "teammates"]


class Percept(NamedTuple):
    """What an agent senses at one step. An agent declares its senses; all other fields stay None.

    All are numbers, or names in place of them; in a library without tables, they are the values themselves.

    Attributes:
        observation: The observation; None if there was none.
        likelihood: Soft evidence in place of an observation: a weight for each possible one [Z]; without tables, a dict
            from observations to weights.
        state: The state itself, for agents that see it.
        teammates: The teammates' joint action, for agents that see it.
    """

    observation: Any = None
    likelihood: Any = None
    state: Any = None
    teammates: Any = None


class Origin:
    """What a memory is about, and of which libraries. Compared by identity, and by content only where that fails.

    One that was sent to another process has a digest of the libraries in place of the libraries.
    """

    def __init__(self, what: str, libraries: tuple[TaskLibrary, ...], digest: str = "", about: str = "") -> None:
        """Keep the libraries; or, without them, their digest and description."""
        self.what, self.libraries = what, libraries
        self._digest, self._about = digest, about

    def __reduce__(self) -> Any:
        return Origin, (self.what, (), self.digest, self.about)

    def __repr__(self) -> str:
        return f"Origin({self.what} of {self.about})"

    @property
    def digest(self) -> str:
        """A hash of the libraries' models without their names, computed when it is first needed."""
        self._digest = self._digest or content_hash(
            *(tuple(t.pomdp.hash if t.tables else t.hash for t in each) for each in self.libraries)
        )
        return self._digest

    @property
    def about(self) -> str:
        """The libraries in words."""
        return self._about or " and ".join(", ".join(map(_described, each)) for each in self.libraries)

    def check(self, memory: Any) -> None:
        """Refuse a memory of another origin."""
        other = getattr(memory, "of", None)
        if other is self:
            return
        if not isinstance(other, Origin):
            whose = " that does not say what it is of" if hasattr(memory, "of") else ""
            raise InputError(f"this is {briefly(memory)}{whose}, expected a memory of {self.what}: {REMEDY}")
        if other.what != self.what:
            raise InputError(f"this is a memory of {other.what}, expected one of {self.what}: {REMEDY}")
        if (not self.libraries or other.libraries != self.libraries) and other.digest != self.digest:
            raise InputError(f"this is a memory of {other.about:.200}, expected one of {self.about:.200}: {REMEDY}")


def _described(task: Task) -> str:
    return f"{task.name} ({len(task.pomdp.start)} states)" if task.tables else f"{task.name} (without tables)"


class Unexplained(NamedTuple):
    """An observation to which no task gave any probability; the agent started again from its prior."""

    step: int  # how many updates there had been
    action: int
    observation: Any  # None where the evidence was soft


class UnexplainedWarning(UserWarning):
    """No task of the library explains an observation."""


class Suspicion(NamedTuple):
    """How badly the library explains the observations so far: the e-process of `walkon.agents.alarm`.

    Attributes:
        tasks: The beliefs over the states of the library's tasks, packed; over tasks, they are uniform. With a hazard
            rate, beliefs over tasks and states for each task at the start, [K].
        others: The beliefs over the alternatives and their states, packed; None where there are no alternatives, or
            none explains the observations.
        likelihood: The logarithm of the probability of all observations under each task, [K]; with a hazard rate, of
            what no chain of tasks that begins with it exceeds.
        alternatives: The same under the mixture of the alternatives.
        uniform: The same under uniform observations.
        evidence: log E_k for each task, [K].
        alarm: After how many observations the alarm was raised; None if it was not.
        observations: How many there were.
        of: The library and the alternatives that were weighed.
    """

    tasks: tuple[Floats, ...]
    others: Floats | None
    likelihood: Floats
    alternatives: float
    uniform: float
    evidence: Floats
    alarm: int | None = None
    observations: int = 0
    of: Origin | None = None

    def __repr__(self) -> str:
        raised = "no alarm" if self.alarm is None else f"alarm after {self.alarm}"
        return f"Suspicion({count(self.observations, 'observation')}, {raised})"


class Memory(NamedTuple):
    """The task belief p_t and the state beliefs b_k,t. A named tuple, because one is made at every step.

    Attributes:
        beliefs: Both, packed as in `walkon.models.packed_beliefs`; the properties unpack them. A weight that is too
            small for a float appears as the smallest float, and 0 means impossible.
        sizes: How many states each task has.
        step: How many updates there were.
        state: The state, for agents that see it.
        events: The observations that no task explained.
        suspicion: How badly the library explains the observations, for agents with an alarm.
        likelihood: The probability that the agent gave to its last observation; 1 where there was none.
        of: The origin: agents refuse memories of any other.
    """

    beliefs: Floats
    sizes: tuple[int, ...]  # [K]
    step: int = 0
    state: int | None = None
    events: tuple[Unexplained, ...] = ()
    suspicion: Suspicion | None = None
    likelihood: float = 1.0
    of: Origin | None = None

    def __repr__(self) -> str:
        known = self.of.libraries[0].names if self.of is not None and self.of.libraries else ()
        names = known if len(known) == len(self.sizes) else tuple(f"task {k}" for k in range(len(self.sizes)))
        likely = sorted(zip(self.tasks.tolist(), names, strict=True), key=lambda each: -each[0])
        parts = [f"{name} {p:.3g}" for p, name in likely[:4]]
        parts += [f"{len(likely) - 4} more"] if len(likely) > 4 else []
        parts += [] if self.state is None else [f"state {self.state}"]
        parts += [count(len(self.events), "unexplained observation")] if self.events else []
        parts += ["an alarm"] if self.suspicion is not None and self.suspicion.alarm is not None else []
        return f"Memory({', '.join([f'step {self.step}', *parts])})"

    @property
    def chance(self) -> float:
        """Deprecated: use `likelihood`."""
        deprecated("chance", "likelihood")
        return self.likelihood

    @property
    def tasks(self) -> Floats:
        """The belief over tasks, [K]."""
        return self.beliefs[: len(self.sizes)]

    @property
    def log_tasks(self) -> Floats:
        """The natural logarithm of each task's belief, even where that is too small for a float, [K]."""
        K = len(self.sizes)
        return log_weights(self.beliefs, K)[:K]

    @property
    def refuted(self) -> npt.NDArray[np.bool_]:
        """The tasks under which the observations are impossible; their state beliefs stay as they were, [K]."""
        K = len(self.sizes)
        return np.not_equal(self.beliefs[K : 2 * K], 0.0)

    @property
    def states(self) -> tuple[Floats, ...]:
        """The belief over the states of each task, [K] of [X_k]."""
        return unpack_states(self.beliefs, self.sizes)

    def believing(self, tasks: Floats) -> "Memory":
        """The same memory with another belief over tasks, [K]."""
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
    """Make a memory of a belief over tasks [K] and beliefs over their states, [K] of [X_k]."""
    out = np.zeros(len(tasks)) if refuted is None else refuted.astype(np.float64)
    return Memory(pack(tasks, out, states), tuple(map(len, states)), step, state, events, of=of)
