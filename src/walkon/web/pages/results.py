"""The page of a run: its tables while it grows, its figures, its claims, and every trial to be replayed."""

import asyncio
import zlib
from html import escape
from pathlib import Path
from time import monotonic

from nicegui import background_tasks, ui

from walkon.errors import InputError
from walkon.web import results as runs
from walkon.web.drawing import Drawing
from walkon.web.pages.shell import shell
from walkon.web.pages.widgets import Select, box, button, html, text
from walkon.web.parts import tables
from walkon.web.results import Played, Run

BETWEEN_LOOKS = 3.0  # seconds
SHARE = 5  # how many times longer than a look the next one waits: playing goes first
AT_ONCE = 50  # trials that are listed


class ResultsPage:
    """One look at a run."""

    def __init__(self, run: Run, drawing: Drawing) -> None:
        self._run, self._drawing = run, drawing
        self._client = ui.context.client
        self._mark: tuple[int, bool] | None = None
        self._played: list[Played] = []
        self._wanted = {"sweep": "", "agent": "", "outcome": ""}
        self._shown = AT_ONCE
        self._not_before = 0.0
        self._expected = 0
        with shell("/results", True):
            self._status = html(classes="run-status", role="status")
            with box("section", "card", aria_label="Headline"):
                text("h2", "What each agent did")
                self._headline = html('<p class="quiet">Reading the results …</p>')
            with box("section", "card", aria_label="Figures"):
                text("h2", "Figures")
                self._figures = html('<p class="quiet">None yet …</p>', classes="figures")
            with box("section", "card", aria_label="Claims"):
                text("h2", "The claims")
                self._claims = html()
            with box("section", "card", aria_label="Trials"):
                text("h2", "Every trial")
                with box("div", "choices"):
                    self._selects = {
                        "sweep": Select("Experiment", lambda value: self._want("sweep", value), "sweep"),
                        "agent": Select("Agent", lambda value: self._want("agent", value), "agent"),
                        "outcome": Select("Outcome", lambda value: self._want("outcome", value), "outcome"),
                    }
                self._trials = html()
                self._more = button("More", self._show_more)
        ui.timer(BETWEEN_LOOKS, self.look)

    async def look(self) -> None:
        """Say how far the run has got; and if it has got on, show its tables anew, though not all the time."""
        try:
            mark = await asyncio.to_thread(lambda: self._run.mark)
            self._say(*mark)
            if mark == self._mark or monotonic() < self._not_before:
                return
            began = monotonic()
            overview = await asyncio.to_thread(self._run.overview)
            self._played = await asyncio.to_thread(self._run.played)
        except InputError as problem:
            self._status.content = f'<p class="alarm">⚠ {escape(str(problem))}</p>'
            return
        self._mark, self._expected = mark, overview.expected
        self._not_before = monotonic() + SHARE * (monotonic() - began)
        if self._client.is_deleted:
            return
        self._say(*mark)
        self._headline.content = tables.headline(overview.headline)
        self._claims.content = tables.claims(overview.verdicts)
        self._list()
        background_tasks.create(self._draw(), name="draw")

    async def _draw(self) -> None:
        """The figures take longer than the tables, and come after them."""
        await self._drawing.look()
        if not self._client.is_deleted and self._drawing.figures:
            self._figures.content = _figures(self._drawing)

    def _say(self, finished: int, running: bool) -> None:
        expected = f", of {self._expected:,} in the experiments that were begun" if self._expected > finished else ""
        going = "● a run is going on" if running else "no run is going on"
        self._status.content = (
            f"<h1>{escape(self._run.folder.name)}</h1><p>{finished:,} trials are finished{expected}; {going}.</p>"
        )

    def _want(self, name: str, value: str) -> None:
        self._wanted[name], self._shown = value, AT_ONCE
        self._list()

    def _show_more(self) -> None:
        self._shown += AT_ONCE
        self._list()

    def _list(self) -> None:
        offers = {
            "sweep": dict.fromkeys(each.sweep for each in self._played),
            "agent": dict.fromkeys(each.trial.agent for each in self._played),
            "outcome": {"solved": None, "not solved": None},
        }
        for name, select in self._selects.items():
            select.offer({"": "all"} | {each: each for each in offers[name]}, self._wanted[name])
        found = runs.chosen(self._played, **self._wanted)
        self._trials.content = f'<p class="quiet">{len(found):,} trials</p>' + tables.trials(found[: self._shown])
        self._more.set_visibility(len(found) > self._shown)


def _figures(drawing: Drawing) -> str:
    return "".join(
        f'<figure><img src="/results/figures/{escape(name)}?{zlib.crc32(svg)}" loading="lazy" '
        f'alt="Figure {escape(Path(name).stem)}"><figcaption>Figure {escape(Path(name).stem)}</figcaption></figure>'
        for name, svg in drawing.figures.items()
    )
