"""The results in a folder of `walkon reproduce`: how far it has come, its figures, and its trials as games.

Nothing is written, and nothing outside the folder is read.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.formats.episode_file import Recording
from walkon.formats.policy_cache import PolicyCache
from walkon.runs.columns import EPISODE, unpack
from walkon.runs.store import Row as StoredRow
from walkon.runs.store import Store, being_written
from walkon.runs.work import play_trials
from walkon.tasks import TaskLibrary
from walkon.trials.episode import Episode
from walkon.trials.trial import MeasuredTrial
from walkon.web.game import Game
from walkon.web.replay import replay

PLAYED = ("return", "cost", "score")  # measures that keep numbers, and not the episode
Mark = tuple[int, bool]  # how many trials are finished, and whether the run is going on


class Run:
    """The results in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with Store(folder) as store:  # refuses a folder without results
            store.count()

    @property
    def mark(self) -> Mark:
        """How many trials are finished, and whether the run is going on: it changes with the results."""
        with Store(self.folder) as store:
            return store.count(), being_written(self.folder)

    def game(self, key: str) -> Game:
        """Open a trial as a game. One of which only numbers were kept is played again."""
        with Store(self.folder) as store:
            row = next(iter(store.rows([key])), None)
        if row is None:
            raise InputError(f"there is no trial {key!r:.40} in {self.folder.name}/")
        if "states" not in row.columns and row.trial.measure in PLAYED:
            return _played_again(row)
        return game_of(row)


def _played_again(row: StoredRow) -> Game:
    """Play a trial again of which only numbers were kept, up to the step after its end."""
    policies = _kept_policies(row.trial, row.trial.world.make())
    if policies is None:
        raise InputError(
            "of this trial only its numbers were kept, and the policies to play it again are not in the cache of this "
            "machine: run its experiments here first"
        )
    again = play_trials([replace(row.trial, measure="episode")], str(PolicyCache().folder))[0]
    game = game_of(row._replace(columns=unpack(again.episode)))
    end = game.episode.solved_at
    return game if end is None else game.until(min(end + 1, game.steps))


def game_of(row: StoredRow) -> Game:
    """Open a stored trial as a game, with the agent's choices at each step if its policies are still kept."""
    trial, columns = row.trial, row.columns
    if "states" not in columns:
        raise InputError("this trial timed the preparation of an agent: it has no episode")
    library = trial.world.make()
    if library.hash != row.library:
        raise InputError("this trial was played by other rules than this version of walkon has")
    known: dict[str, Any] = {name: columns.get(name) for name in EPISODE}
    known["task_names"] = () if known["task_beliefs"] is None else library.names
    episode = Episode.of(library[trial.task], trial.agent, trial.seed, horizon=trial.horizon, **known)
    unknown = np.full((len(episode.actions) + 1, len(library[0].pomdp.P)), np.nan)
    game = replay(Recording(trial.trial, library, episode, unknown))
    policies = _kept_policies(trial, library)
    return game if policies is None else game.with_agent(trial.make_agent(library, policies or None))


def _kept_policies(trial: MeasuredTrial, library: TaskLibrary) -> list[Any] | None:
    """Return the policies of a trial's agent: none where MDPs are solved at once, and None if they are not kept."""
    if trial.recipe is None:
        return []
    problems = AGENTS[trial.agent].needs.problems(library, target=trial.task)
    found = [PolicyCache().find(each, trial.recipe.make(), seed=trial.recipe.seed) for each in problems]
    policies = [each.policy for each in found if each is not None]
    return policies if len(policies) == len(problems) else None


def drawn_figures(folder: Path) -> dict[str, Path]:
    """Return the figures that a run drew at its end, by file name."""
    return {path.name: path for path in sorted((folder / "figures").glob("*.svg")) if path.is_file()}
