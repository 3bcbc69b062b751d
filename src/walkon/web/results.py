"""A folder of `walkon reproduce`, to look at: its tables while it grows, its figures, and every trial as a game.

Nothing is written, and nothing outside the folder is read.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkon.agents.registry import AGENTS, agent, told
from walkon.errors import InputError
from walkon.formats.episode_file import Recording
from walkon.formats.policy_cache import PolicyCache
from walkon.measuring.claims import BEYOND as EXPECTED
from walkon.measuring.claims import read_claims
from walkon.measuring.summaries import Row, headline
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict, judge
from walkon.models.pomdp import POMDP
from walkon.paper import BEYOND, PAPER, TALLY
from walkon.runs.store import EPISODE, Score, Store, being_written, unpack
from walkon.runs.store import Row as StoredRow
from walkon.runs.sweep import Settings
from walkon.runs.tabulate import tabulate
from walkon.runs.work import play_trials
from walkon.solvers.solution import Solution
from walkon.solvers.value_iteration import ValueIteration
from walkon.tasks import TaskLibrary
from walkon.trials.episode import Episode
from walkon.trials.trial import Trial
from walkon.web.game import Game
from walkon.web.replay import replayed

if TYPE_CHECKING:
    from walkon.paper.run import Run as Asked


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
    def _asked(self) -> "Asked":
        from walkon.paper.run import Run as Asked  # with all that draws figures, which is slow to load

        with Store(self.folder) as store:
            return Asked(Settings.from_record(store.settings()))

    def table(self) -> Table:
        """The results so far, of the paper and beyond it."""
        with Store(self.folder) as store:
            begun = self._asked.begun(store)
            return tabulate([entry for part in (PAPER, BEYOND) for entry in begun[part]], store)

    def overview(self) -> Overview:
        """The tables so far."""
        with Store(self.folder) as store:
            begun = self._asked.begun(store)
        table, finished = self.table(), self.mark[0]
        there = set(table["sweep"].tolist())
        expected = {entry.trial.key for places in begun.values() for entry in places if entry.sweep in there}
        verdicts = judge(table, [*read_claims(), *(read_claims(EXPECTED) if begun[BEYOND] else [])])
        return Overview(finished, len(expected), being_written(self.folder), headline(table, TALLY), verdicts)

    def played(self) -> list[Played]:
        """Every finished trial that has an episode, in the order of the experiments."""
        with Store(self.folder) as store:
            scores, begun = store.scores(), self._asked.begun(store)
        found: dict[str, Played] = {}
        for part, places in begun.items():
            under = "" if part in (PAPER, BEYOND) else f", {part}"
            for sweep, x, _, trial in places:
                if trial.key in scores and trial.measure != "setup":
                    found.setdefault(trial.key, Played(sweep + under, x, trial, scores[trial.key]))
        return list(found.values())

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
        return game_of(_played_again(row) if row.trial.measure == "return" else row)


def _played_again(row: StoredRow) -> StoredRow:
    """A trial of which only the return was kept, with its episode: the same luck, and the policies that are kept."""
    again = play_trials([replace(row.trial, measure="episode")], str(PolicyCache().folder))[0]
    return row._replace(columns=unpack(again.episode))


def game_of(row: StoredRow) -> Game:
    """A stored trial as a game; with what the agent would do at each step, where its policies are still kept."""
    trial, columns = row.trial, row.columns
    if "states" not in columns:
        raise InputError("this trial timed the preparation of an agent: it has no episode")
    library = trial.world.make()
    if library.hash != row.library:
        raise InputError("this trial was played by other rules than this walkon has")
    known: dict[str, Any] = {name: columns.get(name) for name in EPISODE}
    episode = Episode.of(
        library[trial.target],
        trial.agent,
        trial.seed,
        horizon=trial.horizon,
        **known,
    )
    T, A = len(episode.actions), len(library[0].pomdp.P)
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
