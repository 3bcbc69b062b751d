"""The page to play on, and the page to compare two agents: controls, and a panel for each agent."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

import numpy as np
from nicegui import ui

from walkon.agents.registry import AGENTS
from walkon.arrays import Floats
from walkon.domains.registry import WORLDS
from walkon.html import Markup, element, joined, paragraph, table
from walkon.policies.ties import best
from walkon.simulation.picture import Picture
from walkon.tasks import Task
from walkon.tasks.naming import name_of
from walkon.trials.trial import Trial
from walkon.web import parts, words
from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.host import Host
from walkon.web.pages.controls import KEY_HELP, Choices, Message, Moves, Time, add_files
from walkon.web.pages.widgets import PAGES, Select, box, html, number, put, shell, text
from walkon.web.timeline import Timeline

PACE = 0.7  # seconds between two steps of a running game
CONNECTS = 60.0  # seconds in which a browser that has the head of a page has to connect
MOST_QUERY = 20_000  # characters that a browser may send as the query of an address
CELL = re.compile(r"\(\d+,\d+\)")  # a task that is named by cells, which have to be found on the board
HEAD = ("task", "before", "likelihood", "log Bayes factor", "after")


class Panel:
    """One agent's panel: the world, the agent's beliefs and their reasons, and its next action."""

    def __init__(self, controller: Controller, index: int, *, side_by_side: bool) -> None:
        self._controller = controller
        self._shown: tuple[Timeline, int | None] | None = None
        self.score = ""  # how far the game has come
        heading = "h3" if side_by_side else "h2"
        whose = f", agent {index + 1}" if side_by_side else ""  # names of regions differ
        with box("div", "panel"):
            self._title = text("h2", controller.agents[index], "panel-title") if side_by_side else None
            with box("section", "card world", aria_label=f"The world{whose}"):
                self._goal = html(classes="goal")
                self._board = html(classes="board-box")
                self._legend = html(classes="legend-box")
                self._did = html(classes="did", aria_live="polite", role="status")
                self.under_board = box("div", "under-board")
            self.beside = self.under_board if side_by_side else box("section", "card clock", aria_label="Time")
            with box("section", "card belief", aria_label=f"What the agent believes about the task{whose}"):
                text(heading, "Which task is it?")
                self._why = html(classes="why", aria_live="polite", role="status")
                self._surprise = html(classes="surprise")
                self._tasks = html()
                self._history = html(classes="history-box")
                with box("details", "numbers") as self._details:
                    text("summary", "The numbers behind it")
                    self._numbers = html()
            with box("section", "card states", aria_label=f"Where the agent believes things to be{whose}"):
                text(heading, "Where is everything?")
                self._supposing = Select(
                    "if the task is", lambda task: controller.suppose(number(task)), f"supposed-{index}"
                )
                self._states = html(classes="heats")
            with box("section", "card next", aria_label=f"What the agent does next{whose}"):
                text(heading, "What does it do next?")
                self._actions = html()

    def show(self, timeline: Timeline) -> None:
        """Show the present moment of a timeline."""
        game, t, match = timeline.game, timeline.at, timeline.game.match
        supposed = self._controller.supposed
        supposed = supposed if supposed is not None and supposed < len(match.agent.library) else None
        if self._shown is not None and self._shown[0] is timeline and self._shown[1] == supposed:
            return
        self._shown = timeline, supposed
        picture = game.picture(t, supposed)
        self.score = f"{match.agent.name}: step {t}, {_status(picture, t)}"
        if self._title is not None:
            self._title.text = match.agent.name
        self._goal.content = _goal(game)
        self._board.content = parts.board(picture.scene, numbered=any(map(CELL.search, match.library.names)))
        self._legend.content = parts.legend(picture.scene, match.trial.played_by is None)
        self._did.content = _did(game, t, picture)
        self._why.content = paragraph(words.explain(game, t))
        self._surprise.content = _surprise(game, t)
        self._tasks.content = parts.task_bars(picture, timeline.now.memory.refuted.tolist())
        self._history.content = _history(timeline)
        self._numbers.content = _numbers(game, t)
        put(self._details, hidden=None if match.agent.identifies else "")
        self._actions.content = parts.action_bars(picture)
        self._show_states(game, t, picture, supposed)

    def _show_states(self, game: Game, t: int, picture: Picture, supposed: int | None) -> None:
        match, memory = game.match, game.moments[t].memory
        library = match.agent.library
        options = {"": "the most probable one"} | {str(k): f"{k} · {name}" for k, name in enumerate(library.names)}
        self._supposing.offer(options, "" if supposed is None else str(supposed))
        senses = "observation" in AGENTS[match.agent.name].senses
        self._supposing.visible(senses and not match.library.observed and len(library) > 1)
        tie = ", as likely as others" if len(memory.tasks) and best(memory.tasks).sum() > 1 else ""
        note = "" if supposed is not None else paragraph(f"Now: {picture.supposing}{tie}.", "quiet")
        if not senses:
            self._states.content = paragraph(f"It senses {picture.sensed}.", "quiet")
        elif match.library.observed:
            self._states.content = paragraph("It sees the whole state: there is nothing to guess.", "quiet")
        elif picture.heats:
            self._states.content = joined(note, *map(parts.heat_map, picture.heats))
        else:
            k = int(np.argmax(memory.tasks)) if supposed is None else supposed
            truth = game.moments[t].state if library[k] is match.played else None
            self._states.content = joined(note, *_bars(library[k], memory.states[k], truth))


def _bars(task: Task, belief: Any, truth: Any) -> tuple[Markup, ...]:
    """Draw the most probable states of a task, and what its picture says of the belief."""
    if task.tables:
        return (parts.state_bars(task.states, belief, truth),)
    states = list(belief)
    said = task.drawing.scene(states[0], belief=belief).notes if states else ()
    place = states.index(truth) if truth in belief else None
    shown = parts.state_bars(tuple(map(name_of, states)), np.array(list(belief.values())), place)
    return (*(paragraph(note, "quiet") for note in said), shown)


def _goal(game: Game) -> Markup:
    """Say what is played, and a person's role."""
    trial, played = game.match.trial, game.match.played
    name = element("em", f"task {trial.task} · {played.name}")
    goal = WORLDS[trial.world.domain].goal if trial.world.domain in WORLDS else ""
    if trial.played_by is None:
        you = element("strong", "You are the teammate")
        return element("p", you, " and know the task: ", name, f". {trial.agent} has to find out. {goal}")
    other = "" if trial.played_by == trial.task else f", played by the teammates of task {trial.played_by}"
    return element("p", "The task is ", name, f"{other}. {goal}")


def _did(game: Game, t: int, picture: Picture) -> Markup:
    """Say how far the game is, what was done, and what the agent sensed."""
    state = element("p", element("strong", f"Step {t} of {picture.horizon}"), f" · {_status(picture, t)}")
    match = game.match
    sensed = picture.sensed
    if "observation" in match.agent.senses and not match.library.observed:
        also = "; and what the teammates did" if "teammates" in match.agent.senses else ""
        sensed = words.describe_observation(game, t) + also
    seen = "" if t == 0 and not match.library.observed else paragraph(f"It sensed: {sensed}")
    return joined(state, paragraph(picture.did) if picture.did else "", seen)


def _status(picture: Picture, t: int) -> str:
    """Say how far the task has come, and that nothing more will come of it."""
    if picture.status == "not solved yet" and t >= picture.horizon:
        return "it is over, and not solved"
    return f"★ {picture.status}" if picture.status == "solved" else picture.status


def _surprise(game: Game, t: int) -> Markup:
    surprise, stray = words.describe_surprise(game, t), words.describe_stray(game, t)
    alarm = surprise.startswith("Nothing")
    first = paragraph(f"⚠ {surprise}" if alarm else surprise, "alarm" if alarm else "quiet") if surprise else ""
    return joined(first, paragraph(f"✻ {stray}", "stray") if stray else "")


def _history(timeline: Timeline) -> str:
    """Draw the task belief of what was seen of this line, and of the other lines."""
    match = timeline.game.match
    if not match.agent.identifies:
        return ""
    others = [_beliefs(game) for game in timeline.others]
    beliefs = _beliefs(timeline.game)[: timeline.seen + 1]
    return parts.history(beliefs, match.library.names, timeline.at, match.horizon, others)


def _beliefs(game: Game) -> Floats:
    return np.array([moment.memory.tasks for moment in game.moments])  # [T + 1, K]


def _numbers(game: Game, t: int) -> Markup:
    rows = words.evidence_rows(game.moments[t], game.match.agent.library.names)
    if not rows:
        return paragraph("No observation yet.", "quiet")
    return table(HEAD, rows, "table", label="The numbers behind the sentence", named=True)


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
            shared = box("div", "card shared") if pair else None
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
            put(self._stage, aria_busy=None if controller.progress is None else "true")  # the style sheet dims it
            for panel, timeline in zip(self._panels, controller.timelines, strict=False):
                panel.show(timeline)
            if len(self._panels) > 1:
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
