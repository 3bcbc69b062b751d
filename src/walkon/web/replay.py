"""A recorded episode as a game: what the agent remembered is worked out anew, which needs no policies.

Beliefs follow from actions and observations alone. So an episode can be looked at without solving anything; to play on
from one of its points, the agent is given its policies then.
"""

from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.registry import SEEING, TOLD, agent
from walkon.formats.episode_file import Recording
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.simulation.step import Step
from walkon.tasks import TaskLibrary
from walkon.tasks.union import Union
from walkon.web.game import Game, Table


def replayed(recording: Recording) -> Game:
    """The game that was recorded. A library whose teammates tremble was played by a person."""
    episode = recording.episode
    trembles = bool(recording.options.get("tremble"))
    table = Table(
        world=recording.world,
        options=recording.options,
        library=recording.library,
        task=recording.task,
        agent=remembering(episode.agent, recording.library, recording.task, recording.evidence),
        seed=episode.seed,
        seat=None if trembles else recording.task,
        horizon=episode.horizon,
        ready=False,
    )
    game = Game.begin(table, int(episode.states[0]), recording.choices[0])
    columns = (episode.teammate_actions, episode.states[1:], episode.observations, episode.rewards, episode.counts)
    for t, happened in enumerate(zip(*map(np.ndarray.tolist, columns), strict=True)):
        game = game.happened(int(episode.actions[t]), Step(*happened), recording.choices[t + 1])
    return game


def remembering(name: str, library: TaskLibrary, task: int, evidence: Any = "observations") -> Agent:
    """An agent that remembers as it should, and whose policies are empty."""
    by_state = name in SEEING or (library.observed and name != "bayes")
    union = Union.of(library, np.full(len(library), 1 / len(library))) if name == "bayes" else None
    empty: list[Any] = []
    for problem in [task.pomdp for task in library] if union is None else [union.pomdp]:
        X, A = problem.R.shape
        empty.append(TabularPolicy(np.zeros((X, A))) if by_state else AlphaVectors(np.zeros((1, X)), [0], A))
    target = task if name in TOLD else None
    return agent(name, library, policies=empty, target=target, evidence=evidence)
