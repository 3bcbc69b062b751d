"""A Gymnasium environment for the ad hoc agent, a PettingZoo environment for the whole team, and what they share."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from walkon.arrays import Ints
from walkon.checks import index_of, one_of
from walkon.envs.spaces import Spaces
from walkon.errors import InputError
from walkon.pictures.text import text
from walkon.simulation.stepping import Step, first_state, step
from walkon.tasks import Task, TaskLibrary, joint_actions
from walkon.tasks.given import check_library
from walkon.tasks.last_states import is_last
from walkon.trials.luck import Luck

RENDER_MODES = ["ansi", "rgb_array"]
METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}


@dataclass(frozen=True, eq=False)
class Trial:
    """One trial after t steps."""

    k: int  # the number of the true task in its library
    task: Task  # the true task
    luck: Luck
    t: int  # the number of steps so far
    state: Any  # the true state: its number, or itself where the task has no tables
    observation: Any  # the ad hoc agent's last one, likewise; None before its first


class TrialEnv:
    """An environment that plays trials of a library, one after the other."""

    metadata = METADATA
    ignored: frozenset[str] = frozenset()  # options of reset that mean nothing and are taken

    def _prepare(self, library: TaskLibrary, horizon: int | None, stop: bool, render_mode: str | None) -> None:
        check_library(library)
        self.library = library
        self._spaces = Spaces(library)
        self.horizon = library[0].horizon if horizon is None else horizon
        self.stop_when_solved = stop
        self.render_mode = None if render_mode is None else str(one_of("render_mode", render_mode, RENDER_MODES))
        self._trial: Trial | None = None

    def _draw(self, rng: np.random.Generator, seed: int | None, options: Any = None) -> tuple[int, Luck]:
        """Draw the number of the task, unless the options name it, and the luck, unless a seed fixes it."""
        if not isinstance(options or {}, Mapping):
            raise InputError(f'options is {options!r:.60}, expected a dictionary: reset(options={{"task": 0}})')
        library, wanted = self.library, (options or {}).get("task")
        if unknown := (options or {}).keys() - {"task"} - self.ignored:
            name = min(map(str, unknown))
            raise InputError(f'reset has no option {name!r:.60}: it has "task", the task\'s number or name')
        drawn = int(rng.integers(len(library)))  # drawn in any case, so that the luck does not depend on the options
        k = drawn if wanted is None else index_of("task", wanted, len(library), library.names)
        return k, Luck.of(int(rng.integers(2**63)) if seed is None else seed, self.horizon)

    def _begin(self, rng: np.random.Generator, seed: int | None, options: dict[str, Any] | None) -> Trial:
        library, (k, luck) = self.library, self._draw(rng, seed, options)
        x = first_state(library[k], luck)
        self._trial = Trial(k, library[k], luck, 0, x, x if library[k].observed else None)
        return self._trial

    def _play(self, action: int, teammate_action: Any = None) -> tuple[Trial, Step, bool, bool]:
        """Play one step; return the trial, the step, and whether the episode is terminated or truncated."""
        now = self._now()
        if now.t == len(now.luck):
            raise InputError(f"the episode ended after {now.t} steps: call reset first")
        happened = step(now.task, now.state, action, now.luck[now.t], teammate_action)
        trial = replace(now, t=now.t + 1, state=happened.state, observation=happened.observation)
        self._trial = trial
        ended = self.stop_when_solved and is_last(now.task, trial.state)
        return trial, happened, ended, trial.t == len(trial.luck) and not ended

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
        return self._picture(self._now().task, self._now().state, self._now().observation)

    def _picture(self, task: Task, state: Any, observation: Any) -> Any:
        scene = task.drawing.scene(state, observation=None if task.observed else observation)
        if self.render_mode == "ansi":
            return text(scene)
        from walkon.pictures.pixels import pixels  # matplotlib is slow to load, and rarely needed

        return pixels(scene)


class AdHocEnv(TrialEnv, gymnasium.Env[Ints, np.int64]):
    """Take the place of the ad hoc agent in a library of tasks.

    Each reset draws a task, which stays hidden; `reset(options={"task": 2})` chooses it, by its number or name.
    `reset(seed=7)` fixes the task and all luck of the episode.

    Observation: the numbers of the last observation. Where the state is not fully observed, a first number tells
        whether there was one: 0 after reset, before the first observation (and the other numbers mean nothing), 1
        from then on.
    Action: an action of the library, by its number or name. Reward: the reward of the step; it is meant for learners,
    no agent of the paper receives it. An episode is truncated at its horizon; it terminates when the task is solved
    only with `stop_when_solved`.

    `info["observation"]`, which is not there before the first observation, is its index in the library's models; where
    these have no tables, it is the observation itself, and the numbers are those that it is made of. With
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
        self.action_space = Discrete(library.action_count)
        self.observation_space = self._spaces.observations

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Ints, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        trial = self._begin(self.np_random, seed, options)
        return self._spaces.observation(trial.observation), self._info(trial)

    def step(self, action: np.int64 | int | str) -> tuple[Ints, float, bool, bool, dict[str, Any]]:
        """Play one step; the action may be given by its name."""
        number = index_of("action", action, self.library.action_count, self.library.actions)
        trial, happened, terminated, truncated = self._play(number)
        info = self._info(trial)
        if self.privileged:
            info["teammates"] = happened.teammate_action
        return self._spaces.observation(trial.observation), happened.reward, terminated, truncated, info

    def _info(self, trial: Trial) -> dict[str, Any]:
        info: dict[str, Any] = {} if trial.observation is None else {"observation": trial.observation}
        if self.privileged:
            info |= {"task": trial.k, "task_name": trial.task.name, "state": trial.state}
        return info


AD_HOC = "ad_hoc"


class TeamEnv(TrialEnv, ParallelEnv[str, Ints, np.int64]):
    """The agents "ad_hoc", "teammate_1", "teammate_2", ... in a library of tasks.

    The ad hoc agent observes the numbers of its observation, as in `AdHocEnv`. A teammate knows the task and observes
    the state, as the paper assumes: its observation is the number of the task in the library, followed by the numbers
    of the state (`task.state_numbers`: columns and rows of the ad hoc agent and of each teammate at night; the
    positions of the teammate and the prey relative to the ad hoc agent in Pursuit; the seven numbers of the kitchen).

    All agents receive the same reward, that of the step. `reset(seed=7)` fixes the task and all luck of the episode,
    `reset(options={"task": 2})` chooses the task. An episode is truncated at its horizon; it terminates when the task
    is solved only with `stop_when_solved`.
    """

    metadata = METADATA | {"name": "walkon_team_v0", "is_parallelizable": True}
    ignored = frozenset({"options"})  # PettingZoo's own test of environments gives it

    def __init__(
        self,
        library: TaskLibrary,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment.

        Args:
            library: The tasks from which each reset draws one, each with its teammates.
            horizon: The number of steps of an episode; that of the tasks if not given.
            stop_when_solved: End the episode when the task is solved.
            render_mode: "ansi" for text, "rgb_array" for pixels.
        """
        self._prepare(library, horizon, stop_when_solved, render_mode)
        seats = {task.seats for task in library}
        if seats == {()}:
            raise InputError("the teammates of these tasks are folded in: they cannot be replaced")
        if len(seats) > 1 or not self._spaces.alike:
            raise InputError(
                "the tasks differ in their teammates' actions or in the numbers of their states: make one team of each"
            )
        self.seats = library[0].seats
        mates = [f"teammate_{i + 1}" for i in range(len(self.seats))]
        self.possible_agents = [AD_HOC, *mates]
        self.agents: list[str] = []
        self.observation_spaces = {AD_HOC: self._spaces.observations, **dict.fromkeys(mates, self._spaces.states)}
        self.action_spaces = {AD_HOC: Discrete(library.action_count)}
        self.action_spaces |= {mate: Discrete(n) for mate, n in zip(mates, self.seats, strict=True)}
        self._rng, _ = np_random(None)

    def observation_space(self, agent: str) -> Space[Ints]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[np.int64]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Ints], dict[str, dict[str, Any]]]:
        """Begin an episode."""
        if seed is not None:
            self._rng, _ = np_random(seed)
        trial = self._begin(self._rng, seed, options)
        self.agents = list(self.possible_agents)
        return self._observations(trial), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, np.int64 | int | str]
    ) -> tuple[dict[str, Ints], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one step with an action of every agent, by its number, or by its name where it has one."""
        names = {AD_HOC: self.library.actions}
        if len(self.seats) == 1:
            names["teammate_1"] = joint_actions.names_of_one(self.library[0])
        taken = {}
        for agent in self.agents or self.possible_agents:
            if agent not in actions:
                raise InputError(f"{agent} has no action: give one for each of {', '.join(self.possible_agents)}")
            size = self.library.action_count if agent == AD_HOC else self.seats[self.possible_agents.index(agent) - 1]
            taken[agent] = index_of(f"the action of {agent}", actions[agent], size, names.get(agent))
        joint = [taken[mate] for mate in self.possible_agents[1:]]
        teammate_action = joint_actions.joined(self._now().task, joint)
        trial, happened, terminated, truncated = self._play(taken[AD_HOC], teammate_action)
        agents = self.agents
        if terminated or truncated:
            self.agents = []
        return (
            self._observations(trial),
            dict.fromkeys(agents, happened.reward),
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            {agent: {} for agent in agents},
        )

    def _observations(self, trial: Trial) -> dict[str, Ints]:
        truth = self._spaces.state(trial.k, trial.state)
        views = {agent: truth.copy() for agent in self.possible_agents[1:]}
        return {AD_HOC: self._spaces.observation(trial.observation), **views}
