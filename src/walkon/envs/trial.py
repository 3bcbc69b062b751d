"""A trial in progress, and the parts that both kinds of environment share."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from gymnasium.spaces import MultiDiscrete

from walkon.arrays import Ints
from walkon.checks import one_of
from walkon.errors import InputError
from walkon.pictures.text import text
from walkon.simulation.luck import Luck
from walkon.simulation.stepping import Step, first_state, step
from walkon.tasks import Task, TaskLibrary

RENDER_MODES = ["ansi", "rgb_array"]
METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}


@dataclass(frozen=True, eq=False)
class Trial:
    """One trial after t steps."""

    k: int  # the number of the true task in its library
    task: Task  # the true task
    luck: Luck
    t: int  # the number of steps so far
    state: int  # the true state
    observation: int | None  # the ad hoc agent's last one; None before its first


class TrialEnv:
    """An environment that plays trials of a library, one after the other."""

    metadata = METADATA

    def _prepare(self, library: TaskLibrary, horizon: int | None, stop: bool, render_mode: str | None) -> None:
        self.library = library
        self.horizon = library[0].horizon if horizon is None else horizon
        self.stop_when_solved = stop
        self.render_mode = None if render_mode is None else str(one_of("render_mode", render_mode, RENDER_MODES))
        self._trial: Trial | None = None

    def _begin(self, rng: np.random.Generator, seed: int | None, options: dict[str, Any] | None) -> Trial:
        """Begin a trial: the task is drawn unless the options name it, the luck unless a seed fixes it."""
        library, wanted = self.library, (options or {}).get("task")
        drawn = int(rng.integers(len(library)))  # drawn in any case, so that the luck does not depend on the options
        k = drawn if wanted is None else int(wanted)
        if not 0 <= k < len(library):
            raise InputError(f"task {k} does not exist: they are numbered 0 to {len(library) - 1}")
        luck = Luck.of(int(rng.integers(2**63)) if seed is None else seed, self.horizon)
        x = first_state(library[k], luck)
        self._trial = Trial(k, library[k], luck, 0, x, x if library[k].observed else None)
        return self._trial

    def _play(self, action: int, teammate_action: int | None = None) -> tuple[Trial, Step, bool, bool]:
        """Play one step; return the trial, the step, and whether the episode is terminated or truncated."""
        now = self._now()
        if now.t == len(now.luck.steps):
            raise InputError(f"the episode ended after {now.t} steps: call reset first")
        happened = step(now.task, now.state, action, now.luck[now.t], teammate_action)
        trial = replace(now, t=now.t + 1, state=happened.state, observation=happened.observation)
        self._trial, solved = trial, now.task.solved
        ended = self.stop_when_solved and solved is not None and bool(solved[trial.state])
        return trial, happened, ended, trial.t == len(trial.luck.steps) and not ended

    def _now(self) -> Trial:
        if self._trial is None:
            raise InputError("no episode has begun: call reset first")
        return self._trial

    def render(self) -> Any:
        """Draw the true state and the ad hoc agent's observation.

        As text (a string) or pixels (an array [height, width, 3]); None without a render mode.
        """
        if self.render_mode is None:
            return None
        task, state, observation = self._now().task, self._now().state, self._now().observation
        scene = task.drawing.scene(state, observation=None if task.observed else observation)
        if self.render_mode == "ansi":
            return text(scene)
        from walkon.pictures.pixels import pixels  # matplotlib is slow to load, and rarely needed

        return pixels(scene)


def space(*tables: Ints, flags: tuple[int, ...] = ()) -> MultiDiscrete:
    """Make the space of the tuples in tables, after some leading numbers 0, ..., flag - 1."""
    low = np.min([table.min(axis=0) for table in tables], axis=0)
    high = np.max([table.max(axis=0) for table in tables], axis=0)
    sizes = np.concatenate([np.array(flags, dtype=np.int64), high - low + 1])
    return MultiDiscrete(sizes, start=np.concatenate([np.zeros(len(flags), dtype=np.int64), low]))


def observation_space(library: TaskLibrary) -> MultiDiscrete:
    """Make the space of the ad hoc agent's observations."""
    return space(library[0].observation_numbers, flags=() if library.observed else (2,))
