"""The results in a folder of `walkon reproduce`: its tables while it grows, its figures, and its trials as games.

Nothing is written, and nothing outside the folder is read.
"""

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.figures.files import as_bytes
from walkon.formats.episode_file import Recording
from walkon.formats.policy_cache import PolicyCache
from walkon.measuring.claims import BEYOND as EXPECTED
from walkon.measuring.claims import read_claims
from walkon.measuring.summaries import Row, headline
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict, judge
from walkon.paper import BEYOND, PAPER, TALLY
from walkon.paper.run import BEYOND_FIGURES, FIGURES
from walkon.paper.run import Run as Asked
from walkon.processes import Workers
from walkon.runs.columns import EPISODE, unpack
from walkon.runs.store import Row as StoredRow
from walkon.runs.store import Score, Store, being_written
from walkon.runs.sweep import Settings
from walkon.runs.tabulate import tabulate
from walkon.runs.work import play_trials
from walkon.trials.episode import Episode
from walkon.trials.trial import MeasuredTrial
from walkon.web.game import Game
from walkon.web.replay import replay
from walkon.web.solving import lower_priority

PAUSE = 5  # the pause before the next drawing, in multiples of the time that the last one took


class Overview(NamedTuple):
    """The results of a run so far."""

    expected: int  # trials of the experiments that have started
    headline: Sequence[Row]
    verdicts: Sequence[Verdict]


class Played(NamedTuple):
    """A finished trial, in brief."""

    sweep: str
    x: float
    trial: MeasuredTrial
    score: Score


class Run:
    """The results in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with Store(folder) as store:  # refuses a folder without results
            store.count()

    @property
    def mark(self) -> tuple[int, bool]:
        """How many trials are finished, and whether the run is going on: it changes with the results."""
        with Store(self.folder) as store:
            return store.count(), being_written(self.folder)

    @cached_property
    def _asked(self) -> Asked:
        with Store(self.folder) as store:
            return Asked(Settings.from_record(store.settings()))

    def table(self) -> Table:
        """The results so far, of the paper and beyond it."""
        with Store(self.folder) as store:
            begun = self._asked.begun(store)
            return tabulate([entry for part in (PAPER, BEYOND) for entry in begun[part]], store)

    def overview(self) -> Overview:
        """Work out the tables and the verdicts so far."""
        with Store(self.folder) as store:
            begun = self._asked.begun(store)
        table = self.table()
        there = set(table["sweep"].tolist())
        expected = {entry.trial.key for places in begun.values() for entry in places if entry.sweep in there}
        verdicts = judge(table, [*read_claims(), *(read_claims(EXPECTED) if begun[BEYOND] else [])])
        return Overview(len(expected), headline(table, TALLY), verdicts)

    def played(self) -> list[Played]:
        """All finished trials with an episode, in the order of the experiments."""
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
        """The figures that the run drew at its end, by file name."""
        return {path.name: path for path in sorted((self.folder / "figures").glob("*.svg")) if path.is_file()}

    def game(self, key: str) -> Game:
        """Open a trial as a game. One whose return alone was kept is played again."""
        with Store(self.folder) as store:
            row = next(iter(store.rows([key])), None)
        if row is None:
            raise InputError(f"there is no trial {key!r:.40} in {self.folder}")
        if row.trial.measure == "return":
            again = play_trials([replace(row.trial, measure="episode")], str(PolicyCache().folder))[0]
            row = row._replace(columns=unpack(again.episode))
        return game_of(row)


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
    policies = None  # without a recipe, there are only MDPs, which are solved quickly
    if trial.recipe is not None:
        problems = AGENTS[trial.agent].needs.problems(library, target=trial.task)
        found = [PolicyCache().find(each, trial.recipe.make(), seed=trial.recipe.seed) for each in problems]
        policies = [each.policy for each in found if each is not None]
        if len(policies) < len(problems):
            return game
    return game.with_agent(trial.make_agent(library, policies))


def select_trials(played: Iterable[Played], sweep: str = "", agent: str = "", outcome: str = "") -> list[Played]:
    """Select the trials of an experiment, of an agent, with an outcome; an empty value selects all."""
    return [
        each
        for each in played
        if sweep in ("", each.sweep)
        and agent in ("", each.trial.agent)
        and (outcome == "" or (outcome == "solved") == bool(each.score.solved))
    ]


class Drawing:
    """The figures of a run, for all pages: those it drew at its end, or new ones of its trials so far.

    They are drawn in a process of their own, so that no page has to wait.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._mark: tuple[int, bool] | None = None
        self._not_before = 0.0
        self._alone = asyncio.Lock()
        self.figures: dict[str, bytes] = {}  # SVG, by file name

    async def look(self) -> None:
        """Draw the figures again if there are new results; during a run, with pauses."""
        async with self._alone:
            mark = await asyncio.to_thread(lambda: self._run.mark)
            if mark == self._mark or (mark[1] and monotonic() < self._not_before):
                return
            began = monotonic()
            kept = {} if mark[1] else self._run.figures
            self.figures = {name: path.read_bytes() for name, path in kept.items()} or await self._draw()
            self._mark, self._not_before = mark, monotonic() + PAUSE * (monotonic() - began)

    async def _draw(self) -> dict[str, bytes]:
        """Draw the figures in a process of their own; none if the process is killed."""
        process = Workers(1, begin=lower_priority)
        try:
            return await asyncio.get_running_loop().run_in_executor(process, draw_figures, self._run.folder)
        except BrokenProcessPool:
            return {}
        finally:
            process.shutdown(wait=False, cancel_futures=True)


def draw_figures(folder: Path) -> dict[str, bytes]:
    """Draw all figures for which a run has trials, as SVG."""
    table = Run(folder).table()
    found = {name: figure for name, figure in (FIGURES | BEYOND_FIGURES).items() if figure.rows(table)}
    return {f"{name}.svg": as_bytes(figure.draw(table), "svg", name) for name, figure in found.items()}
