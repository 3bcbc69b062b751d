"""The page of a run: its tables while it grows, its figures, its claims, and its trials."""

import asyncio
import math
import zlib
from collections.abc import Sequence
from functools import partial
from html import escape
from pathlib import Path
from time import monotonic
from urllib.parse import urlencode

from nicegui import background_tasks, ui

from walkon.errors import InputError
from walkon.html import Markup, element, folded, joined, link, paragraph, table
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper import TALLY
from walkon.saying import count, mean, percent, signed, value
from walkon.web.pages.widgets import Select, box, button, html, shell, text
from walkon.web.results import Drawing, Played, Run, select_trials

BETWEEN_LOOKS = 3.0  # seconds
PAUSE = 5  # the pause before the next update, in multiples of the time that the last one took
AT_ONCE = 50  # trials listed


class ResultsPage:
    """The results of a run in one browser."""

    def __init__(self, run: Run, drawing: Drawing) -> None:
        self._run, self._drawing = run, drawing
        self._client = ui.context.client
        self._mark: tuple[int, bool] | None = None
        self._played: list[Played] = []
        self._wanted: dict[str, str] = {}
        self._shown = AT_ONCE
        self._not_before = 0.0
        self._expected = 0
        with shell("/results", True):
            self._status = html(classes="run-status", role="status")
            with box("section", "card", aria_label="Headline"):
                text("h2", "Results by agent")
                self._headline = html('<p class="quiet">Reading the results …</p>')
            with box("section", "card", aria_label="Figures"):
                text("h2", "Figures")
                self._figures = html('<p class="quiet">No figures yet …</p>', classes="figures")
            with box("section", "card", aria_label="Claims"):
                text("h2", "Claims")
                self._claims = html()
            with box("section", "card", aria_label="Trials"):
                text("h2", "Trials")
                with box("div", "choices"):
                    labels = {"sweep": "Experiment", "agent": "Agent", "outcome": "Outcome"}
                    self._selects = {name: Select(labels[name], partial(self._want, name), name) for name in labels}
                self._trials = html()
                self._more = button("More", self._show_more)
        ui.timer(BETWEEN_LOOKS, self.look)

    async def look(self) -> None:
        """Show the progress of the run, and update the tables if there are new results, with pauses."""
        try:
            mark = await asyncio.to_thread(lambda: self._run.mark)
            self._show_status(*mark)
            if mark == self._mark or monotonic() < self._not_before:
                return
            began = monotonic()
            overview = await asyncio.to_thread(self._run.overview)
            self._played = await asyncio.to_thread(self._run.played)
        except InputError as problem:
            self._status.content = paragraph(f"⚠ {problem}", "alarm")
            return
        self._mark, self._expected = mark, overview.expected
        self._not_before = monotonic() + PAUSE * (monotonic() - began)
        if self._client.is_deleted:
            return
        self._show_status(*mark)
        self._headline.content = headline_table(overview.headline)
        self._claims.content = claims_table(overview.verdicts)
        self._list_trials()
        background_tasks.create(self._draw(), name="draw")

    async def _draw(self) -> None:
        """Show the figures, which take longer than the tables."""
        await self._drawing.look()
        if not self._client.is_deleted and self._drawing.figures:
            self._figures.content = "".join(
                f'<figure><img src="/results/figures/{escape(name)}?{zlib.crc32(svg)}" loading="lazy" '
                f'alt="Figure {stem}"><figcaption>Figure {stem}</figcaption></figure>'
                for name, svg in self._drawing.figures.items()
                for stem in [escape(Path(name).stem)]
            )

    def _show_status(self, finished: int, running: bool) -> None:
        expected = f" of {self._expected:,} in the experiments started so far" if self._expected > finished else ""
        going = "● the run is going on" if running else "no run is going on"
        words = f"{finished:,} trials are finished{expected}; {going}."
        self._status.content = joined(element("h1", self._run.folder.name), paragraph(words))

    def _want(self, name: str, value: str) -> None:
        self._wanted[name], self._shown = value, AT_ONCE
        self._list_trials()

    def _show_more(self) -> None:
        self._shown += AT_ONCE
        self._list_trials()

    def _list_trials(self) -> None:
        offers = {
            "sweep": dict.fromkeys(each.sweep for each in self._played),
            "agent": dict.fromkeys(each.trial.agent for each in self._played),
            "outcome": {"solved": None, "not solved": None},
        }
        for name, select in self._selects.items():
            select.offer({"": "all"} | {each: each for each in offers[name]}, self._wanted.get(name, ""))
        found = select_trials(self._played, **self._wanted)
        self._trials.content = paragraph(count(len(found), "trial"), "quiet") + trials_table(found[: self._shown])
        self._more.set_visibility(len(found) > self._shown)


def headline_table(rows: Sequence[Row]) -> Markup:
    """Tabulate the means of each agent; experiments with many points, which the figures show better, are folded."""
    few, many = (_means([row for row in rows if (row["x"] is not None) == pointed]) for pointed in (False, True))
    return joined(few, folded("Experiments with many points", many) if few and many else many)


def claims_table(verdicts: Sequence[Verdict]) -> Markup:
    """Tabulate the verdicts on the claims that have data."""
    cells = [
        (each.claim.figure, each.claim.says, element("span", signed(each.outcome), class_="verdict"), each.words)
        for each in verdicts
        if each.outcome != "no data"
    ]
    left = len(verdicts) - len(cells)
    more = paragraph(f"{left} more have no data yet.", "quiet") if left else ""
    head = ("figure", "claim", "verdict", "measured")
    return joined(_wide("The paper's claims and ours, tested", head, cells), more)


def trials_table(played: Sequence[Played]) -> Markup:
    """Tabulate finished trials, each with a link to its replay."""
    cells = []
    for each in played:
        query, agent, task = urlencode({"key": each.trial.key}), each.trial.agent, each.score.task
        replay = link(f"/trial?{query}", "▶ replay", label=f"Replay {agent} in {task}")
        at = "" if math.isnan(each.x) else f" {each.x:g}"
        cells.append((replay, each.sweep + at, agent, task, _outcome(each)))
    return _wide("Trials", ("", "experiment", "agent", "task", "outcome"), cells)


def _outcome(each: Played) -> str:
    if each.score.tally is not None:
        return f"{each.score.tally:.0f} {TALLY}"
    return f"solved in {each.score.steps:.0f}" if each.score.solved else "not solved"


def _means(rows: Sequence[Row]) -> Markup:
    cells = []
    for row in rows:
        measured = (_mean(row, "steps"), percent(_number(row, "solved")), _mean(row, TALLY))
        cells.append((*(value(row[name]) for name in ("sweep", "x", "agent", "n")), *measured))
    names = ("experiment", "at", "agent", "trials", "steps", "solved", TALLY)
    return _wide("Mean and the paper's 95 % interval, ± 1.96 s/√n", names, cells) if cells else Markup()


def _mean(row: Row, name: str) -> str:
    value, high = _number(row, name), _number(row, f"{name}_high")
    return mean(value, high - value).replace(" ", "\N{NO-BREAK SPACE}")


def _number(row: Row, name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, float | int) else math.nan


def _wide(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    return element("div", table(head, rows, "table left", caption=caption), class_="wide")
