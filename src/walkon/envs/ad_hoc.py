"""The ad hoc agent's seat as a Gymnasium environment: the task is hidden, the teammates play by themselves."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from walkon.arrays import Ints
from walkon.envs.trial import RENDER_MODES, Trial, begun, checked_mode, observation_space, picture
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.tasks.observation_numbers import observation

METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}


class AdHocEnv(gymnasium.Env[Ints, np.int64]):
    """Take the place of the ad hoc agent in a library of tasks.

    Each reset draws a task, which stays hidden; `reset(options={"task": 2})` chooses it. `reset(seed=7)` fixes the
    task and all luck of the episode.

    Observation: the numbers of the last observation. Where the state is not fully observed, a first number tells
        whether there was one: 0 after reset, when nothing was read yet (and the other numbers mean nothing), 1 from
        then on.
    Action: the number of an action of the library. Reward: what the step paid; it is there for learners, no agent of
    the paper is told. An episode is truncated at its horizon; it terminates when the task is solved only if asked to.

    `info["observation"]` is the index of the observation in the library's models, None before the first. With
    `privileged`, `info` also has the true "task", its "task_name", the true "state", and, after a step, "teammates":
    their joint action.
    """

    metadata = METADATA

    def __init__(
        self,
        library: TaskLibrary,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        privileged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Put a library behind the seat.

        Args:
            library: The tasks that may be met.
            horizon: The number of steps of an episode; that of the tasks if not given.
            stop_when_solved: End the episode when the task is solved.
            privileged: Tell the truth in `info`.
            render_mode: "ansi" for text, "rgb_array" for pixels.
        """
        self.library = library
        self.horizon = library[0].horizon if horizon is None else horizon
        self.stop_when_solved = stop_when_solved
        self.privileged = privileged
        self.render_mode = self._mode = checked_mode(render_mode)
        self.action_space = Discrete(len(library[0].pomdp.P))
        self.observation_space = observation_space(library)
        self._trial: Trial | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Ints, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        self._trial = begun(self.library, self.np_random, seed, options, self.horizon)
        return observation(self.library, self._trial.observation), self._info(self._trial)

    def step(self, action: np.int64) -> tuple[Ints, float, bool, bool, dict[str, Any]]:
        """Play one step."""
        if not self.action_space.contains(action):
            last = len(self.library[0].pomdp.P) - 1
            raise InputError(f"action {action!r} does not exist: they are numbered 0 to {last}")
        trial, happened = self._now().play(int(action))
        self._trial = trial
        info = self._info(trial)
        if self.privileged:
            info["teammates"] = happened.teammate_action
        ended = self.stop_when_solved and trial.solved
        return observation(self.library, trial.observation), happened.reward, ended, trial.over and not ended, info

    def render(self) -> Any:
        """The moment as text (a string) or pixels (an array [height, width, 3]); None without a render mode."""
        return None if self._mode is None else picture(self._now(), self._mode)

    def _now(self) -> Trial:
        if self._trial is None:
            raise InputError("no episode has begun: call reset first")
        return self._trial

    def _info(self, trial: Trial) -> dict[str, Any]:
        info: dict[str, Any] = {"observation": trial.observation}
        if self.privileged:
            info |= {"task": trial.k, "task_name": trial.task.name, "state": trial.state}
        return info
