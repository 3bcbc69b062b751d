"""All seats of a team as a PettingZoo environment: a person or any policy may sit anywhere."""

from typing import Any

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from walkon.arrays import Ints
from walkon.envs.trial import RENDER_MODES, Trial, begun, checked_mode, observation_space, picture, space
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.tasks.observation_numbers import observation

AD_HOC = "ad_hoc"
METADATA: dict[str, Any] = {
    "name": "walkon_team_v0",
    "render_modes": RENDER_MODES,
    "render_fps": 4,
    "is_parallelizable": True,
}


class TeamEnv(ParallelEnv[str, Ints, np.int64]):
    """The seats "ad_hoc", "teammate_1", "teammate_2", ... in a library of tasks.

    The ad hoc seat observes the numbers of its observation, as in `AdHocEnv`. A teammate's seat knows the task and sees
    the state, as the paper assumes of teammates: its observation is the number of the task in the library, then the
    numbers of the state (`task.state_numbers`: columns and rows of the ad hoc agent and of each teammate at night;
    where the teammate and the prey are from the ad hoc agent in Pursuit; the seven numbers of the kitchen).

    All seats receive the same reward, what the step paid. `reset(seed=7)` fixes the task and all luck of the episode,
    `reset(options={"task": 2})` chooses the task. An episode is truncated at its horizon; it terminates when the task
    is solved only if asked to.
    """

    metadata = METADATA

    def __init__(
        self,
        library: TaskLibrary,
        *,
        horizon: int | None = None,
        stop_when_solved: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Put a library behind the seats.

        Args:
            library: The tasks that may be met, each with its teammates.
            horizon: The number of steps of an episode; that of the tasks if not given.
            stop_when_solved: End the episode when the task is solved.
            render_mode: "ansi" for text, "rgb_array" for pixels.
        """
        seats, widths = {task.seats for task in library}, {task.state_numbers.shape[1] for task in library}
        if seats == {()}:
            raise InputError("the teammates of these tasks are folded in already: nobody else can take their seats")
        if len(seats) > 1 or len(widths) > 1:
            raise InputError("the tasks differ in their seats or in the numbers of their states: make one team of each")
        self.library = library
        self.horizon = library[0].horizon if horizon is None else horizon
        self.stop_when_solved = stop_when_solved
        self.render_mode = checked_mode(render_mode)
        self.seats = library[0].seats
        mates = [f"teammate_{i + 1}" for i in range(len(self.seats))]
        self.possible_agents = [AD_HOC, *mates]
        self.agents: list[str] = []
        truth = space(*(task.state_numbers for task in library), flags=(len(library),))
        self.observation_spaces = {AD_HOC: observation_space(library), **dict.fromkeys(mates, truth)}
        self.action_spaces = {AD_HOC: Discrete(len(library[0].pomdp.P))}
        self.action_spaces |= {mate: Discrete(n) for mate, n in zip(mates, self.seats, strict=True)}
        self._chance, _ = np_random(None)
        self._trial: Trial | None = None

    def observation_space(self, agent: str) -> Space[Ints]:
        """What a seat observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[np.int64]:
        """What a seat may do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Ints], dict[str, dict[str, Any]]]:
        """Begin an episode."""
        if seed is not None:
            self._chance, _ = np_random(seed)
        self._trial = begun(self.library, self._chance, seed, options, self.horizon)
        self.agents = list(self.possible_agents)
        return self._observations(self._trial), {seat: {} for seat in self.agents}

    def step(
        self, actions: dict[str, np.int64]
    ) -> tuple[dict[str, Ints], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play one step with an action of every seat."""
        for seat in self.agents:
            if seat not in actions or not self.action_spaces[seat].contains(actions[seat]):
                space = self.action_spaces[seat]
                raise InputError(f"{seat} does {actions.get(seat)!r}, expected an action in {space}")
        joint = [int(actions[mate]) for mate in self.possible_agents[1:]]
        trial, happened = self._now().play(int(actions[AD_HOC]), int(np.ravel_multi_index(joint, self.seats)))
        self._trial = trial
        ended = self.stop_when_solved and trial.solved
        seats = list(self.agents)
        if ended or trial.over:
            self.agents = []
        return (
            self._observations(trial),
            dict.fromkeys(seats, happened.reward),
            dict.fromkeys(seats, ended),
            dict.fromkeys(seats, trial.over and not ended),
            {seat: {} for seat in seats},
        )

    def render(self) -> Any:
        """The moment as text (a string) or pixels (an array [height, width, 3]); None without a render mode."""
        return None if self.render_mode is None else picture(self._now(), self.render_mode)

    def _now(self) -> Trial:
        if self._trial is None:
            raise InputError("no episode has begun: call reset first")
        return self._trial

    def _observations(self, trial: Trial) -> dict[str, Ints]:
        truth = np.concatenate([[trial.k], trial.task.state_numbers[trial.state]])
        views = {seat: truth.copy() for seat in self.possible_agents[1:]}
        return {AD_HOC: observation(self.library, trial.observation), **views}
