"""The page to play on, with one panel, and the page to compare agents, with two."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from nicegui import background_tasks, ui

from walkon.trials.trial import Trial
from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.host import Host
from walkon.web.pages.controls import Choices, Message, Moves, Time, add_files
from walkon.web.pages.panel import Panel
from walkon.web.pages.widgets import box, html, shell

PACE = 0.7  # seconds between two steps of a running game
AT_ONCE = 0.5  # seconds to wait for a game before the page is sent without it
KEYS = """
<details class="keys"><summary>Keys</summary><dl>
<dt><kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd></dt><dd>move</dd>
<dt><kbd>space</kbd></dt><dd>stay, or act</dd><dt><kbd>n</kbd></dt><dd>do nothing</dd>
<dt><kbd>1</kbd> … <kbd>9</kbd></dt><dd>any move by its number</dd>
<dt><kbd>b</kbd> <kbd>f</kbd></dt><dd>back, forward</dd><dt><kbd>r</kbd></dt><dd>run or pause</dd>
<dt><kbd>s</kbd></dt><dd>start again with the same luck</dd></dl></details>
"""
FAILED = "Something went wrong here; the log of walkon serve says what."
log = logging.getLogger("walkon.web")


class GamePage:
    """A page in one browser."""

    def __init__(self, host: Host, path: str, usual: Trial, agents: tuple[str, ...], results: bool) -> None:
        self._client = ui.context.client
        self._path = path
        self.controller = Controller(host, usual, agents, self.show)
        pair = len(agents) > 1
        with shell(path, results):
            self._choices = Choices(self.controller)
            self._message = Message(self.controller)
            shared = box("div", "card shared") if pair else None
            with box("div", f"stage stage-{len(agents)}"):
                self._panels = [Panel(self.controller, i, side_by_side=pair) for i in range(len(agents))]
            self._moves = Moves(self.controller, shared or self._panels[0].under_board)
            with shared or self._panels[0].beside:
                self._time = Time(self.controller)
            with box("footer", "foot", role="contentinfo"):
                add_files(self.controller, self._client)
                html(KEYS)
        ui.on("walkon-key", lambda event: self.controller.key(str(event.args)[:20]))
        self._timer = ui.timer(PACE, lambda: self.controller.act(None), active=False)
        self._address = ""
        self._client.on_delete(self.controller.leave)
        self._client.on_exception(self._failed)

    async def begin(self, query: Mapping[str, str]) -> None:
        """Start the game of an address, and wait a moment for it."""
        self.controller.arrive(query)
        await self._wait()

    async def replay(self, key: str, find: Callable[[Any], Game]) -> None:
        """Show a stored trial."""
        self._path = f"{self._path}?{urlencode({'key': key})}"
        self.controller.replay(find)
        await self._wait()

    async def _wait(self) -> None:
        waiting = background_tasks.create(self.controller.settled(), name="settled")
        await asyncio.wait([waiting], timeout=AT_ONCE)
        self.show()

    def show(self) -> None:
        """Show the controller's state."""
        if self._client.is_deleted:
            return
        with self._client:
            for part in (self._choices, self._message, self._moves, self._time):
                part.show()
            for panel, timeline in zip(self._panels, self.controller.timelines, strict=False):
                panel.show(timeline)
            if self._timer.active != self.controller.running:
                self._timer.active = self.controller.running
            home = "/" if self._path.startswith("/trial") else self._path  # a trial may be left for a new game
            address = f"{home}?{self.controller.query}" if self.controller.query else self._path
            if self.controller.timelines and address != self._address:
                self._address = address
                ui.navigate.history.replace(address)

    def _failed(self, problem: Exception) -> None:
        """Log an exception; the page says only that something went wrong."""
        log.error("a page failed", exc_info=problem)
        self.controller.message, self.controller.running = FAILED, False
        self._message.show()
