"""A recorded episode as a game: what the agent remembered is worked out anew, which needs no policies.

Beliefs follow from actions and observations alone. So an episode can be looked at without solving anything; to play on
from one of its points, the agent is given its policies then.
"""

from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.registry import AGENTS, agent, told
from walkon.formats.episode_file import Recording
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.simulation.stepping import Step
from walkon.tasks import TaskLibrary
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


def remembering(name: str, library: TaskLibrary, task: int, evidence: Any = "observations") -> Agent[Any]:
    """An agent that remembers as it should, and whose policies are empty."""
    kind, target = AGENTS[name], told(name, task)
    empty: list[Any] = []
    for problem in kind.needs.problems(library, target=target):
        X, A = problem.R.shape
        seen = not isinstance(problem, POMDP)
        empty.append(TabularPolicy(np.zeros((X, A))) if seen else AlphaVectors(np.zeros((1, X)), [0], A))
    return agent(name, library, policies=empty, target=target, **kind.picked({"evidence": evidence}))
