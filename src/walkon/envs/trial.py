"""A trial in progress, and how its numbers are shown: what both kinds of environment share."""

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import MultiDiscrete

from walkon.arrays import Ints
from walkon.errors import InputError
from walkon.pictures.text import text
from walkon.simulation.luck import Luck
from walkon.simulation.step import Step, first_state, step
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.named_view import view_of

RenderMode: TypeAlias = Literal["ansi", "rgb_array"]
RENDER_MODES: list[RenderMode] = ["ansi", "rgb_array"]


@dataclass(frozen=True, eq=False)
class Trial:
    """One trial after t steps.

    Attributes:
        k: The number of the true task in its library.
        task: The true task.
        luck: The luck of the trial.
        t: The number of steps played.
        state: The true state.
        observation: What the ad hoc agent read last; None before its first observation.
    """

    k: int
    task: Task
    luck: Luck
    t: int
    state: int
    observation: int | None

    @classmethod
    def begin(cls, library: TaskLibrary, k: int, seed: int, horizon: int) -> "Trial":
        """The trial before its first step. Where the state is fully observed, it is seen from the start."""
        task, luck = library[k], Luck.of(seed, horizon)
        x = first_state(task, luck)
        return cls(k, task, luck, 0, x, x if task.observed else None)

    def play(self, action: int, teammate_action: int | None = None) -> tuple["Trial", Step]:
        """The trial one step later, and what happened in it."""
        if self.over:
            raise InputError(f"the episode ended after {self.t} steps: call reset first")
        happened = step(self.task, self.state, action, self.luck[self.t], teammate_action)
        return replace(self, t=self.t + 1, state=happened.state, observation=happened.observation), happened

    @property
    def over(self) -> bool:
        """Whether the horizon is reached."""
        return self.t == len(self.luck.steps)

    @property
    def solved(self) -> bool:
        """Whether the task is solved."""
        return self.task.solved is not None and bool(self.task.solved[self.state])


def begun(library: TaskLibrary, rng: np.random.Generator, seed: int | None, options: Any, horizon: int) -> Trial:
    """A new trial: the task is drawn, unless the options name it; so is the luck, unless a seed fixes it."""
    wanted = (options or {}).get("task")
    drawn = int(rng.integers(len(library)))  # drawn in any case: the luck does not depend on who chose the task
    k = drawn if wanted is None else int(wanted)
    if not 0 <= k < len(library):
        raise InputError(f"task {k} does not exist: they are numbered 0 to {len(library) - 1}")
    return Trial.begin(library, k, int(rng.integers(2**63)) if seed is None else seed, horizon)


def space(*tables: Ints, flags: tuple[int, ...] = ()) -> MultiDiscrete:
    """The space of the tuples in tables, after some leading numbers 0, ..., flag - 1."""
    low = np.min([table.min(axis=0) for table in tables], axis=0)
    high = np.max([table.max(axis=0) for table in tables], axis=0)
    sizes = np.concatenate([np.array(flags, dtype=np.int64), high - low + 1])
    return MultiDiscrete(sizes, start=np.concatenate([np.zeros(len(flags), dtype=np.int64), low]))


def observation_space(library: TaskLibrary) -> MultiDiscrete:
    """What the ad hoc agent reads."""
    return space(library[0].observation_numbers, flags=() if library.observed else (2,))


def checked_mode(mode: str | None) -> RenderMode | None:
    """A render mode that exists."""
    if mode is None:
        return None
    if mode not in RENDER_MODES:
        raise InputError(f"render_mode is {mode!r}, expected one of {', '.join(map(repr, RENDER_MODES))}")
    return RENDER_MODES[RENDER_MODES.index(mode)]


def picture(trial: Trial, mode: RenderMode) -> str | npt.NDArray[np.uint8]:
    """The trial as text or pixels: what is true, and what the ad hoc agent read."""
    scene = view_of(trial.task).scene(trial.state, observation=None if trial.task.observed else trial.observation)
    if mode == "ansi":
        return text(scene)
    from walkon.pictures.pixels import pixels  # matplotlib is slow to load, and few need it

    return pixels(scene)
