"""One agent's panel on the page: the world, what the agent believes and why, and what it does next."""

import re
from typing import Any

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.arrays import Floats
from walkon.domains.registry import WORLDS
from walkon.html import Markup, element, joined, paragraph, table
from walkon.policies.ties import best
from walkon.simulation.picture import Picture
from walkon.tasks import Task
from walkon.tasks.naming import name_of
from walkon.web import parts, words
from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.pages.widgets import Select, box, html, number, put, text
from walkon.web.timeline import Timeline

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
            self._title = text("h2", "", "panel-title") if side_by_side else None
            with box("section", "card world", aria_label=f"The world{whose}"):
                self._goal = None if side_by_side else html(classes="goal")
                self._board = html(classes="board-box")
                self._legend = html(classes="legend-box")
                self._did = html(classes="did", aria_live="polite", role="status")
                self.under_board = box("div", "under-board")
            self.beside = self.under_board if side_by_side else box("section", "card clock", aria_label="Time")
            with box("section", "card belief", aria_label=f"What the agent believes about the task{whose}"):
                text(heading, "Which task is it?")
                self._why = html(classes="why", aria_live="polite", role="status")
                self._surprise = html(classes="surprise")
                self._tasks = html(classes="tasks")
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
        name = AGENTS[match.agent.name].title
        self.score = f"{name}: step {t}, {_status(picture)}"
        if self._title is not None:
            self._title.text = name
        if self._goal is not None:
            self._goal.content = goal(game, f"{name} has")
        self._board.content = parts.board(picture.scene, numbered=any(map(CELL.search, match.library.names)))
        self._legend.content = parts.legend(picture.scene, match.trial.played_by is None)
        self._did.content = _did(game, t, picture)
        self._why.content = paragraph(words.explain(game, t))
        self._surprise.content = _surprise(game, t)
        self._tasks.content = parts.task_bars(picture, timeline.now.memory.refuted.tolist())
        self._history.content = _history(timeline)
        self._numbers.content = _numbers(game, t)
        put(self._details, hidden=None if match.agent.identifies else "")
        over = game.until(t).over
        self._actions.content = paragraph("Nothing: the game is over.", "quiet") if over else parts.action_bars(picture)
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


def goal(game: Game, who: str) -> Markup:
    """Say what is played, a person's role, and who has to find out, such as "ATPO has"."""
    trial, played = game.match.trial, game.match.played
    name = element("em", f"task {trial.task} · {played.name}")
    rule = WORLDS[trial.world.domain].goal if trial.world.domain in WORLDS else ""
    if trial.played_by is None:
        you = element("strong", "You are the first teammate" if len(played.seats) > 1 else "You are the teammate")
        return element("p", you, " and know the task: ", name, f". {who} to find out. {rule}")
    other = "" if trial.played_by == trial.task else f", played by the teammates of task {trial.played_by}"
    return element("p", "The task is ", name, f"{other}. {rule}")


def _did(game: Game, t: int, picture: Picture) -> Markup:
    """Say how far the game is, what was done, and what the agent sensed."""
    state = element("p", element("strong", f"Step {t} of {picture.horizon}"), f" · {_status(picture)}")
    match = game.match
    sensed = picture.sensed
    if "observation" in match.agent.senses and not match.library.observed:
        also = "; and what the teammates did" if "teammates" in match.agent.senses else ""
        sensed = words.describe_observation(game, t) + also
    seen = "" if t == 0 and not match.library.observed else paragraph(f"It sensed: {sensed}")
    end = words.describe_end(game.until(t))
    return joined(state, paragraph(picture.did) if picture.did else "", seen, paragraph(end, "end") if end else "")


def _status(picture: Picture) -> str:
    """Say how far the task has come."""
    if picture.status == "not solved yet" and picture.step >= picture.horizon:
        return "not solved"
    return f"★ {picture.status}" if picture.status == "solved" else picture.status


def _surprise(game: Game, t: int) -> Markup:
    surprise, stray = words.describe_surprise(game, t), words.describe_stray(game, t)
    alarm = surprise.startswith("Nothing")
    first = paragraph(f"⚠ {surprise}", "alarm") if alarm else ""  # else the surprise is among the numbers
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
    surprise = words.describe_surprise(game, t)
    said = paragraph(surprise, "quiet") if surprise and not surprise.startswith("Nothing") else ""
    return joined(table(HEAD, rows, "table", label="The numbers behind the sentence", named=True), said)
