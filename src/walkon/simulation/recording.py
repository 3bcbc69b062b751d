"""Records an episode with what the agent would have done at each step, so that it can be saved and shown again."""

import warnings
from typing import Any

import numpy as np

from walkon.agents.agent import Agent, check_agent
from walkon.agents.bopa import evidence_of
from walkon.agents.memory import UnexplainedWarning
from walkon.agents.registry import AGENTS
from walkon.checks import whole
from walkon.errors import InputError
from walkon.formats.episode_file import OWN, Recording
from walkon.simulation.stepping import begun, sensed
from walkon.tasks import TaskLibrary
from walkon.tasks.given import check_library
from walkon.trials.episode import Episode
from walkon.trials.trial import Trial, WorldSpec


def record(
    episode: Episode, agent: Agent[Any], library: TaskLibrary, task: int = 0, *, world: str = OWN, **options: Any
) -> Recording:
    """Record an episode, for `walkon.write_episode`.

    Args:
        episode: The episode, as `walkon.play` returned it.
        agent: The agent that played.
        library: The library that contains the task.
        task: The number of the task in it.
        world: The name of the world that made the library, if `walkon.make` did. The file can then be read without
            the library; otherwise `walkon.read_episode` needs it.
        options: The options of that world.
    """
    check_agent(agent)
    check_library(library)
    AGENTS[agent.name]  # whoever reads the file knows agents only by name
    played = library[whole("task", task, 0, len(library) - 1)]
    if episode.task != played.name:
        raise InputError(f'the episode is of task "{episode.task}", and task {task} is "{played.name}": name that one')
    if episode.agent != agent.name:
        raise InputError(f"the episode was played by {episode.agent}, not by {agent.name}: give the agent that played")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnexplainedWarning)  # the episode has its events
        memory = begun(agent, played, episode.states.tolist()[0])
        clocked = getattr(getattr(agent, "options", None), "seconds", None) is not None  # it would not choose so again
        certain = np.eye(library.action_count)
        choices = []
        columns = (episode.actions, episode.states[1:], episode.observations, episode.teammate_actions)
        for action, *happened in zip(*map(np.ndarray.tolist, columns), strict=True):
            choices.append(certain[action] if clocked else agent.act(memory))
            memory = agent.update(memory, action, sensed(agent, played, *happened))
        choices.append(agent.act(memory))
    trial = Trial(
        world=WorldSpec.of(world, **options),
        task=task,
        agent=agent.name,
        seed=episode.seed,
        played_by=task,
        evidence=evidence_of(agent),
        horizon=episode.horizon,
    )
    return Recording(trial, library, episode, np.array(choices))
