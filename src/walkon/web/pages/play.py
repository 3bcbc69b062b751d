"""The page to play on, and the page to compare two agents: controls, and a panel for each agent."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from nicegui import ui

from walkon.html import paragraph
from walkon.trials.trial import Trial
from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.host import Host
from walkon.web.pages.controls import KEY_HELP, Choices, Message, Moves, Time, add_files
from walkon.web.pages.panel import Panel, goal
from walkon.web.pages.widgets import PAGES, box, html, put, shell, text

PACE = 0.7  # seconds between two steps of a running game
CONNECTS = 60.0  # seconds in which a browser that has the head of a page has to connect
COMING = (
    '<p class="coming">Soon here: the board at every step, what the agent believes about the task and why, where it '
    "believes everything to be, and what it does next.</p>"
)
MOST_QUERY = 20_000  # characters that a browser may send as the query of an address


def _choice(address: str) -> str:
    """What an address chooses, without the moves."""
    return address.partition("&moves=")[0]


class GamePage:
    """A page in one browser: its head at once, and the rest when the browser has connected."""

    def __init__(self, host: Host, path: str, usual: Trial, agents: tuple[str, ...], results: bool) -> None:
        self._client = ui.context.client
        self._path = path
        self._address, self._went_back = "", False  # the address that the browser has, and whether it just went there
        self._built = False
        self.controller = Controller(host, usual, agents, self.show)
        with shell(path, results, game=host.brought is None and not results) as self._main:
            text("h1", PAGES.get(path, "Replay"), "for-readers")
            if path == "/trial":
                html('<p><a href="/results#trials">◀ All trials</a></p>')
            self._opening = html('<p class="quiet opening">Opening the game …</p>', role="status")
        self._foot = box("footer", "foot", role="contentinfo")
        ui.on("walkon-key", lambda event: self.controller.key(str(event.args)[:20]))
        ui.on("walkon-back", lambda event: self.go_back(str(event.args)[:MOST_QUERY]))
        ui.on("walkon-open", lambda event: self.controller.open(str(event.args)))
        self._client.on_connect(lambda: host.thinking.put(self.controller.visitor, present=True))
        self._client.on_disconnect(lambda: host.thinking.put(self.controller.visitor, present=self._connected))
        self._client.on_delete(self.controller.leave)
        self._client.on_exception(self.controller.fail)

    @property
    def _connected(self) -> bool:
        return self._client.has_socket_connection

    async def begin(self, query: Mapping[str, str]) -> None:
        """Start the game of an address when the browser has connected."""
        if await self._build():
            self.controller.arrive(query)

    def go_back(self, query: str) -> None:
        """Start the game of an address that the browser went back or forward to."""
        if query != self.controller.query:
            self._went_back = True
            self.controller.arrive(dict(parse_qsl(query)))

    async def replay(self, key: str, find: Callable[[Any], Iterator[Game]]) -> None:
        """Show a stored trial when the browser has connected."""
        self._path = f"{self._path}?{urlencode({'key': key})}"
        if await self._build():
            self.controller.replay(find)

    async def _build(self) -> bool:
        """Build the page when the browser has connected, and return whether it has."""
        try:
            await self._client.connected(CONNECTS)
        except TimeoutError:
            if not self._client.is_deleted:  # NiceGUI may have been quicker
                self._client.delete()
        async with self.controller.host.building:
            if not self._client.is_deleted:
                self._add_parts()
            await asyncio.sleep(0)  # others have their turn
        return self._built

    def _add_parts(self) -> None:
        controller = self.controller
        pair = len(controller.agents) > 1
        self._opening.delete()
        with self._main:
            self._choices = Choices(controller)
            self._message = Message(controller)
            self._coming = html(COMING)
            shared = box("div", "card shared") if pair else None
            with shared or self._main:
                self._goal = html(classes="goal") if pair else None
            with box("div", f"stage stage-{len(controller.agents)}") as self._stage:
                self._panels = [Panel(controller, i, side_by_side=pair) for i in range(len(controller.agents))]
            self._empty = [self._choices.form, self._stage, self._foot, *([shared] if shared else [])]
            self._moves = Moves(controller, shared or self._panels[0].under_board)
            with shared or self._panels[0].beside:
                self._time = Time(controller)
                self._scores = html(classes="scores", role="status")
            self._timer = ui.timer(PACE, lambda: controller.act(None), active=False)
        with self._foot:
            add_files(controller, self._client)
            html(KEY_HELP)
        self._built = True

    def show(self) -> None:
        """Show the controller's state."""
        if self._client.is_deleted or not self._built:
            return
        controller = self.controller
        with self._client:
            for part in (self._choices, self._message, self._moves, self._time):
                part.show()
            for each in self._empty:
                put(each, hidden=None if controller.timelines else "")
            put(self._coming, hidden="" if controller.timelines or not controller.doing else None)
            put(self._stage, aria_busy=None if controller.progress is None else "true")  # the style sheet dims it
            for panel, timeline in zip(self._panels, controller.timelines, strict=False):
                panel.show(timeline)
            if self._goal is not None and controller.timelines:
                self._goal.content = goal(controller.timelines[0].game, "Both agents have")
                self._scores.content = paragraph(" · ".join(panel.score for panel in self._panels))
            if self._timer.active != controller.running:
                self._timer.active = controller.running
            if controller.timelines and controller.progress is None:
                self._keep_address()

    def _keep_address(self) -> None:
        """Write the game's address: another choice adds an entry to the browser's history, a move does not."""
        home = "/" if self._path.startswith("/trial") else self._path  # a trial may be left for a new game
        query, before, came = self.controller.query, self._address, self._went_back
        self._address, self._went_back = f"{home}?{query}" if query else self._path, False
        if self._address == before:
            return
        chosen = before and not came and _choice(before) != _choice(self._address)
        history = ui.navigate.history
        (history.push if chosen else history.replace)(self._address)
