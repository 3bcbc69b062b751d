"""The memory of an agent without tables: the belief over tasks, the beliefs over their states, and what happened.

It takes the place of `walkon.agents.memory.Memory`, whose beliefs are arrays over lists of states.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.agents.array_belief import Belief
from walkon.agents.memory import Origin, Percept, Unexplained
from walkon.agents.sparse_belief import Kind
from walkon.arrays import Floats
from walkon.saying import count


class Depleted(NamedTuple):
    """An observation that none of a task's particles explained."""

    step: int  # how many updates there had been
    task: int
    action: int
    observation: Any
    renewed: bool  # whether tracking the task again from the start found particles that do


class Tracked(NamedTuple):
    """The task belief p_t and the state beliefs b_k,t of an agent without tables.

    Attributes:
        log_joint: The logarithm of each task's prior probability times the evidence for it, [K].
        beliefs: The belief over the states of each task, [K].
        step: How many updates there were.
        seed: Fixes all luck of later updates, together with the step.
        history: The actions and percepts since the last start, at most the last 1001.
        first: The percept before them.
        state: None: no agent without tables is told the state.
        events: The observations that no task explained.
        depleted: The observations that none of a task's particles explained.
        likelihood: The probability that the agent gave to its last observation; 1 where there was none.
        intent: What the agent means to do until it is done or something speaks against it; only `search` has one.
        of: The origin: agents refuse memories of any other.
    """

    log_joint: Floats
    beliefs: tuple[Belief, ...]
    step: int = 0
    seed: int = 0
    history: tuple[tuple[int, Percept], ...] = ()
    first: Percept = Percept()
    state: None = None
    events: tuple[Unexplained, ...] = ()
    depleted: tuple[Depleted, ...] = ()
    likelihood: float = 1.0
    intent: Any = None
    of: Origin | None = None

    def __repr__(self) -> str:
        likely = sorted(enumerate(self.tasks.tolist()), key=lambda each: -each[1])[:4]
        parts = [f"task {k} {p:.3g} ({self.kinds[k]})" for k, p in likely]
        parts += [count(len(self.events), "unexplained observation")] if self.events else []
        parts += [f"particles ran out {count(len(self.depleted), 'time')}"] if self.depleted else []
        return f"Tracked({', '.join([f'step {self.step}', *parts])})"

    @property
    def tasks(self) -> Floats:
        """The belief over tasks, [K]."""
        return np.asarray(np.exp(self.log_tasks))

    @property
    def log_tasks(self) -> Floats:
        """The natural logarithm of each task's belief, even where that is too small for a float, [K]."""
        return np.asarray(self.log_joint - np.logaddexp.reduce(self.log_joint))

    @property
    def refuted(self) -> npt.NDArray[np.bool_]:
        """The tasks under which the observations are impossible, or which the prior excludes, [K]."""
        return np.isneginf(self.log_joint)

    @property
    def states(self) -> tuple[dict[Any, float], ...]:
        """The belief over the states of each task, as the probability of each state that it holds possible, [K]."""
        return tuple(belief.probabilities for belief in self.beliefs)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Whether each belief is "exact" or "particles", [K]."""
        return tuple(belief.kind for belief in self.beliefs)
