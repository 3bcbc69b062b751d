"""Small episodes, recorded."""

import numpy as np

import walkon
from walkon.agents.registry import AGENTS
from walkon.formats.episode_file import Recording
from walkon.simulation.picture import picture_of
from walkon.trials.trial import Trial, WorldSpec


def recorded(world, agent, options, *, task=0, seed=0, horizon=None):
    """A recording, and what the agent remembered at each step."""
    library = walkon.make(world, **options)
    target = task if AGENTS[agent].needs.informed else None
    player = walkon.agent(agent, library, solver=walkon.Perseus(backups=100), target=target, jobs=1)
    memories = []
    episode = walkon.play(library[task], player, horizon=horizon, seed=seed, stop=True, watch=memories.append)
    choices = np.array([player.act(memory) for memory in memories])
    trial = Trial(
        world=WorldSpec.of(world, **options),
        task=task,
        agent=agent,
        seed=seed,
        played_by=None if options.get("tremble") else task,
        horizon=episode.horizon,
    )
    return Recording(trial, library, episode, choices), memories


def recorded_picture(recording, t, memory=None):
    """A picture of a recording at one step."""
    return picture_of(recording.episode, recording.library, recording.task, t, recording.choices[t], memory)
