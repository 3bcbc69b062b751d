"""A whole team as a PettingZoo environment: a person or any policy may take the place of any member."""

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from walkon.arrays import Ints
from walkon.envs.trial import METADATA, Trial, TrialEnv, observation_space, space
from walkon.errors import InputError
from walkon.tasks import TaskLibrary

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
        seats, widths = {task.seats for task in library}, {task.state_numbers.shape[1] for task in library}
        if seats == {()}:
            raise InputError("the teammates of these tasks are folded in: they cannot be replaced")
        if len(seats) > 1 or len(widths) > 1:
            raise InputError(
                "the tasks differ in their teammates' actions or in the numbers of their states: make one team of each"
            )
        self._prepare(library, horizon, stop_when_solved, render_mode)
        self.seats = library[0].seats
        mates = [f"teammate_{i + 1}" for i in range(len(self.seats))]
        self.possible_agents = [AD_HOC, *mates]
        self.agents: list[str] = []
        truth = space(*(task.state_numbers for task in library), flags=(len(library),))
        self.observation_spaces = {AD_HOC: observation_space(library), **dict.fromkeys(mates, truth)}
        self.action_spaces = {AD_HOC: Discrete(len(library[0].pomdp.P))}
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
        self, actions: dict[str, np.int64]
    ) -> tuple[dict[str, Ints], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one step with an action of every agent."""
        for agent in self.agents:
            allowed = self.action_spaces[agent]
            if agent not in actions or not allowed.contains(actions[agent]):
                raise InputError(f"{agent} does {actions.get(agent)!r}, expected an action in {allowed}")
        joint = [int(actions[mate]) for mate in self.possible_agents[1:]]
        teammate_action = int(np.ravel_multi_index(joint, self.seats))
        trial, happened, terminated, truncated = self._play(int(actions[AD_HOC]), teammate_action)
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
        truth = np.concatenate([[trial.k], trial.task.state_numbers[trial.state]])
        views = {agent: truth.copy() for agent in self.possible_agents[1:]}
        return {AD_HOC: self.library.observation_numbers(trial.observation), **views}
