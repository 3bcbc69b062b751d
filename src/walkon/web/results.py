"""A folder of `walkon reproduce`, to look at: its tables while it grows, its figures, and every trial as a game.

Nothing is written, and nothing outside the folder is read.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.registry import AGENTS, agent, told
from walkon.errors import InputError
from walkon.formats.episode_file import Recording
from walkon.formats.policy_cache import PolicyCache
from walkon.measuring.summaries import Row, headline
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict, judge
from walkon.models.pomdp import POMDP
from walkon.paper.sweeps import sweeps
from walkon.runs.store import Row as StoredRow
from walkon.runs.store import Score, Store, being_written
from walkon.runs.sweep import Entry, Settings, entries
from walkon.runs.tabulate import tabulate
from walkon.solvers.solution import Solution
from walkon.solvers.value_iteration import ValueIteration
from walkon.tasks import TaskLibrary
from walkon.trials.episode import Episode, solved_at
from walkon.trials.trial import Trial
from walkon.web.game import Game
from walkon.web.replay import replayed


@dataclass(frozen=True, eq=False)
class Overview:
    """What a run has so far."""

    finished: int
    expected: int  # trials of the experiments that were begun
    running: bool
    headline: Sequence[Row]
    verdicts: Sequence[Verdict]


class Played(NamedTuple):
    """A finished trial, in brief."""

    sweep: str
    x: float
    trial: Trial
    score: Score


class Run:
    """The results in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with Store(folder) as store:  # refuses a folder that has none
            store.count()

    @property
    def mark(self) -> tuple[int, bool]:
        """What changes when the run has got on: how many trials are finished, and whether it is going on."""
        with Store(self.folder) as store:
            return store.count(), being_written(self.folder)

    @cached_property
    def _places(self) -> tuple[Settings, list[Entry]]:
        with Store(self.folder) as store:
            settings = Settings.from_record(store.settings())
        return settings, [entry for sweep in sweeps(settings.quick) for entry in entries(sweep, settings)]

    def table(self) -> Table:
        """The results so far."""
        with Store(self.folder) as store:
            return tabulate(self._places[1], store)

    def overview(self) -> Overview:
        """The tables so far."""
        _, places = self._places
        table, finished = self.table(), self.mark[0]
        begun = set(table["sweep"].tolist())
        expected = len({entry.trial.key for entry in places if entry.sweep in begun})
        return Overview(finished, expected, being_written(self.folder), headline(table), judge(table))

    def played(self) -> list[Played]:
        """Every finished trial that has an episode, in the order of the experiments."""
        with Store(self.folder) as store:
            scores = store.scores()
        _, places = self._places
        unique = {entry.trial.key: entry for entry in reversed(places) if entry.trial.measure != "setup"}
        found = (entry for entry in reversed(unique.values()) if entry.trial.key in scores)
        return [Played(entry.sweep, entry.x, entry.trial, scores[entry.trial.key]) for entry in found]

    @property
    def figures(self) -> dict[str, Path]:
        """The figures that the run drew at its end, by the names of their files."""
        return {path.name: path for path in sorted((self.folder / "figures").glob("*.svg")) if path.is_file()}

    def game(self, key: str) -> Game:
        """A trial as a game."""
        with Store(self.folder) as store:
            row = next(iter(store.rows([key])), None)
        if row is None:
            raise InputError(f"there is no trial {key!r:.40} in {self.folder}")
        return game_of(row)


def game_of(row: StoredRow) -> Game:
    """A stored trial as a game; with what the agent would do at each step, where its policies are still kept."""
    trial, columns = row.trial, row.columns
    if "states" not in columns:
        raise InputError("this trial timed the preparation of an agent: it has no episode")
    library = trial.world.make()
    if library.hash != row.library:
        raise InputError("this trial was played by other rules than this walkon has")
    task, states = library[trial.target], columns["states"]
    T, A = len(columns["actions"]), len(task.pomdp.P)
    episode = Episode(
        task=row.task,
        agent=trial.agent,
        seed=trial.seed,
        horizon=trial.horizon or task.horizon,
        states=states,
        actions=columns["actions"],
        teammate_actions=columns["teammate_actions"],
        observations=columns["observations"],
        rewards=columns["rewards"],
        deliveries=columns["deliveries"],
        solved_at=solved_at(task, states),
        task_beliefs=columns.get("task_beliefs"),
        decision_times=np.full(T, np.nan),
    )
    options = dict(trial.world.options)
    unknown = np.full((T + 1, A), np.nan)
    game = replayed(Recording(trial.world.domain, options, library, trial.target, episode, unknown, trial.evidence))
    policies = _policies(trial, library)
    if policies is None:
        return game
    player = agent(
        trial.agent,
        library,
        policies=policies,
        target=told(trial.agent, trial.target),
        jobs=1,
        **AGENTS[trial.agent].picked({"evidence": trial.evidence}),
    )
    return game.seated_by(player)


def _policies(trial: Trial, library: TaskLibrary) -> list[object] | None:
    """The policies of a trial's agent, if all are kept; MDPs are solved anew where they are not."""
    found: list[object] = []
    for problem in AGENTS[trial.agent].needs.problems(library, target=trial.target):
        kept: Solution[Any] | None = None
        if not isinstance(problem, POMDP):
            kept = PolicyCache().find(problem, ValueIteration()) or ValueIteration().solve(problem)
        elif trial.recipe is not None:
            kept = PolicyCache().find(problem, trial.recipe.make(), seed=trial.recipe.seed)
        if kept is None:
            return None
        found.append(kept.policy)
    return found


def chosen(played: Iterable[Played], sweep: str = "", agent: str = "", outcome: str = "") -> list[Played]:
    """Those of an experiment, of an agent, with an outcome; all where nothing is said."""
    return [
        each
        for each in played
        if sweep in ("", each.sweep)
        and agent in ("", each.trial.agent)
        and (outcome == "" or (outcome == "solved") == bool(each.score.solved))
    ]
