"""The ad hoc agent's place as a Gymnasium environment: the task is hidden, the teammates play by themselves."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from walkon.arrays import Ints
from walkon.envs.trial import Trial, TrialEnv, observation_space
from walkon.errors import InputError
from walkon.tasks import TaskLibrary


class AdHocEnv(TrialEnv, gymnasium.Env[Ints, np.int64]):
    """Take the place of the ad hoc agent in a library of tasks.

    Each reset draws a task, which stays hidden; `reset(options={"task": 2})` chooses it. `reset(seed=7)` fixes the
    task and all luck of the episode.

    Observation: the numbers of the last observation. Where the state is not fully observed, a first number tells
        whether there was one: 0 after reset, before the first observation (and the other numbers mean nothing), 1
        from then on.
    Action: the number of an action of the library. Reward: the reward of the step; it is meant for learners, no agent
    of the paper receives it. An episode is truncated at its horizon; it terminates when the task is solved only with
    `stop_when_solved`.

    `info["observation"]` is the index of the observation in the library's models, None before the first. With
    `privileged`, `info` also has the true "task", its "task_name", the true "state", and, after a step, "teammates":
    their joint action.
    """

    def __init__(
        self,
        library: TaskLibrary,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        privileged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment.

        Args:
            library: The tasks from which each reset draws one.
            horizon: The number of steps of an episode; that of the tasks if not given.
            stop_when_solved: End the episode when the task is solved.
            privileged: Put the truth into `info`.
            render_mode: "ansi" for text, "rgb_array" for pixels.
        """
        self._prepare(library, horizon, stop_when_solved, render_mode)
        self.privileged = privileged
        self.action_space = Discrete(len(library[0].pomdp.P))
        self.observation_space = observation_space(library)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Ints, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        trial = self._begin(self.np_random, seed, options)
        return self.library.observation_numbers(trial.observation), self._info(trial)

    def step(self, action: np.int64) -> tuple[Ints, float, bool, bool, dict[str, Any]]:
        """Play one step."""
        if not self.action_space.contains(action):
            last = len(self.library[0].pomdp.P) - 1
            raise InputError(f"action {action!r} does not exist: they are numbered 0 to {last}")
        trial, happened, terminated, truncated = self._play(int(action))
        info = self._info(trial)
        if self.privileged:
            info["teammates"] = happened.teammate_action
        return self.library.observation_numbers(trial.observation), happened.reward, terminated, truncated, info

    def _info(self, trial: Trial) -> dict[str, Any]:
        info: dict[str, Any] = {"observation": trial.observation}
        if self.privileged:
            info |= {"task": trial.k, "task_name": trial.task.name, "state": trial.state}
        return info
