"""Games from episodes and their files, and games as files and films.

Beliefs follow from actions and observations alone, so an episode can be shown without solving anything. To play on from
one of its moments, the agent needs its policies.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.registry import AGENTS, told
from walkon.formats.episode_file import Recording, named_world, parse, recording_of
from walkon.models.pomdp import POMDP
from walkon.pictures.svg import Frame, film
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.simulation.stepping import Step
from walkon.tasks import TaskLibrary
from walkon.trials.trial import Trial
from walkon.web import words
from walkon.web.game import Game, Match
from walkon.web.parts import colour
from walkon.web.setup import check_affordable


def replay(recording: Recording) -> Game:
    """Work out the agent's memory at every moment of a recorded episode."""
    return deque(replaying(recording), 1)[0]


def replaying(recording: Recording) -> Iterator[Game]:
    """Work out the agent's memory moment by moment: the game after each step."""
    episode, trial = recording.episode, recording.trial
    match = Match(trial, recording.library, agent_without_policies(trial, recording.library), ready=False)
    game = Game.begin(match, episode.states.tolist()[0], recording.choices[0])
    yield game
    columns = (episode.teammate_actions, episode.states[1:], episode.observations, episode.rewards, episode.counts)
    for t, happened in enumerate(zip(*map(np.ndarray.tolist, columns), strict=True)):
        game = game.append(int(episode.actions[t]), Step(*happened), recording.choices[t + 1])
        yield game


def agent_without_policies(trial: Trial, library: TaskLibrary) -> Agent[Any]:
    """Make a trial's agent with empty policies: it updates its memory, but cannot act."""
    if not library.tables:
        return trial.make_agent(library)  # which has none
    empty: list[Any] = []
    for problem in AGENTS[trial.agent].needs.problems(library, target=told(trial.agent, trial.task)):
        X, A = problem.R.shape
        vectors = isinstance(problem, POMDP)
        empty.append(AlphaVectors(np.zeros((1, X)), [0], A) if vectors else TabularPolicy(np.zeros((X, A))))
    return trial.make_agent(library, empty)


def open_game(data: bytes, brought: Sequence[TaskLibrary] = ()) -> Iterator[Game]:
    """Read the game in an episode file, step by step; a library is made only after its size is checked."""
    document = parse(data)
    check_affordable(*named_world(document))
    yield from replaying(recording_of(document, brought))


def film_game(game: Game) -> Iterator[str]:
    """Draw a game as an animated SVG: the world, the task belief, and why it changed. Empty until the last part."""
    frames = []
    for t in range(game.steps + 1):
        picture = game.picture(t)
        shares = [] if picture.belief is None else enumerate(picture.belief.tolist())
        rows = tuple((f"{k} {picture.tasks[k]}", share, colour(k)) for k, share in shares)
        frames.append(Frame(picture.scene, rows, f"Step {t}. {words.explain(game, t)}"))
        yield ""
    yield film(frames)
