"""The page of a part of a run: its results by agent, its figures, its claims, and its trials."""

from collections.abc import Mapping
from urllib.parse import urlencode

from nicegui import background_tasks, ui
from nicegui.element import Element

from walkon.html import Markup, joined, paragraph
from walkon.saying import count
from walkon.web.pages.trials import Trials
from walkon.web.pages.widgets import box, html, put, shell, text
from walkon.web.results import Run
from walkon.web.results_parts import SECTIONS, contents, parts_menu
from walkon.web.trial_list import Wanted
from walkon.web.workbench import Shown, Workbench

BETWEEN_LOOKS = 1.0  # seconds; the workbench looks at the folder less often
READING = '<p class="quiet">Reading the results …</p>'
LARGE = (  # a figure that was opened; page.js fills it
    '<dialog class="large" aria-label="Figure"><div class="large-bar"><button type="button" class="button" '
    'data-turn="-1" aria-label="Previous figure">←</button><button type="button" class="button" data-turn="1" '
    'aria-label="Next figure">→</button><form method="dialog"><button class="button">Close</button></form></div>'
    '<div class="large-figure" aria-live="polite" tabindex="0"></div></dialog>'
)


class ResultsPage:
    """A part of a run in one browser."""

    def __init__(self, run: Run, workbench: Workbench, query: Mapping[str, str]) -> None:
        self._run, self._workbench = run, workbench
        self._part = query.get("part", "")
        self._shown: Shown | None = None
        self._client = ui.context.client
        with shell("/results", True):
            self._title = text("h1", "Results", "run-title")
            self._status = html(classes="run-status", role="status")
            self._warnings = html(classes="run-warnings")
            self._menu = html(classes="run-parts", tag="nav", aria_label="Parts of the run")
            with box("div", "run"):
                self._contents = html(contents(()), "run-contents", "nav", aria_label="On this page")
                with box("div", "run-sections"):
                    self._sections = {name: self._section(name) for name in ("results", "figures", "claims")}
                    with box("section", "card", id="trials", aria_labelledby="trials-title"):
                        text("h2", SECTIONS["trials"], id="trials-title")
                        self._trials = Trials(Wanted.of(query), self._keep_address)
            html(LARGE)
        self._show()  # at once, if somebody was here before
        ui.timer(BETWEEN_LOOKS, self.look)

    def _section(self, name: str) -> tuple[Element, ui.html]:
        with box("section", "card", id=name, aria_labelledby=f"{name}-title") as section:
            text("h2", SECTIONS[name], id=f"{name}-title")
            return section, html(READING, name)

    async def look(self) -> None:
        """Show new results."""
        await self._workbench.look(self._part)
        if not self._client.is_deleted:
            with self._client:
                self._show()

    def _show(self) -> None:
        before, shown = self._shown, self._workbench.find(self._part)
        self._shown = shown
        self._show_status()
        if shown is None or shown is before:
            return
        seen = shown.seen
        waiting = paragraph("Drawing the figures …", "quiet") if seen.plates and not shown.drawn else ""
        parts = {"results": seen.results, "figures": joined(shown.figures, waiting), "claims": seen.claims}
        for name, (section, content) in self._sections.items():
            content.content = parts[name]
            put(section, hidden=None if parts[name] else "")
        if before is None or before.seen is not seen:  # else only pictures are new
            self._title.text = f"Results: {seen.title[:1].lower()}{seen.title[1:]}"
            self._warnings.content = joined(*(paragraph(f"⚠ {each}", "banner") for each in seen.warnings))
            self._menu.content = parts_menu(seen.parts, seen.name)
            self._contents.content = contents(seen.plates, [name for name in SECTIONS if parts.get(name, "trials")])
            background_tasks.create(self._trials.fill(seen.played), name="list trials")

    def _show_status(self) -> None:
        problem, mark, known = self._workbench.problem(self._part), self._workbench.mark, self._shown
        if problem or mark is None:
            self._status.content = paragraph(f"⚠ {problem}", "alarm") if problem else Markup(READING)
            return
        done = f"{count(mark[0], 'trial')} finished in {self._run.folder.name}/"
        words = [f"{done}, {known.seen.settings}." if known else f"{done}.", "The run is going on." if mark[1] else ""]
        self._status.content = joined(paragraph(known.seen.about) if known else "", paragraph(" ".join(words)))

    def _keep_address(self, wanted: Wanted) -> None:
        query = ({"part": self._part} if self._part else {}) | wanted.query
        ui.navigate.history.replace(f"/results?{urlencode(query)}" if query else "/results")
