"""Small episodes, recorded."""

import numpy as np

import walkon
from walkon.agents.registry import AGENTS
from walkon.formats.episode_file import Recording
from walkon.simulation.moment import moment


def recorded(world, agent, options, *, task=0, seed=0, horizon=None):
    """A recording, and what the agent remembered at each step."""
    library = walkon.make(world, **options)
    target = task if AGENTS[agent].needs.informed else None
    player = walkon.agent(agent, library, solver=walkon.Perseus(backups=100), target=target, jobs=1)
    memories = []
    episode = walkon.play(library[task], player, horizon=horizon, seed=seed, stop=True, watch=memories.append)
    choices = np.array([player.act(memory) for memory in memories])
    return Recording(world, options, library, task, episode, choices), memories


def moment_of(recording, t, memory=None):
    """A moment of a recording."""
    return moment(recording.episode, recording.library, recording.task, t, recording.choices[t], memory)
