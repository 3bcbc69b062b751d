"""One agent at work: the world, what it believes, and why."""

from html import escape

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.domains.registry import WORLDS
from walkon.html import table
from walkon.simulation.moment import Moment
from walkon.web import words
from walkon.web.controller import Controller
from walkon.web.game import Game
from walkon.web.pages.widgets import Select, box, html, put, text
from walkon.web.parts import bars
from walkon.web.parts.board import board, legend
from walkon.web.parts.heat import heat
from walkon.web.parts.history import history
from walkon.web.timeline import Timeline

HEAD = ("task", "before", "likelihood", "log Bayes factor", "after")


class Panel:
    """The parts that show one timeline."""

    def __init__(self, controller: Controller, index: int, *, side_by_side: bool) -> None:
        self._controller, self._index = controller, index
        self._title = text("h2", "", "panel-title") if side_by_side else None
        with box("section", "card world", aria_label="The world"):
            self._goal = html(classes="goal")
            self._board = html(classes="board-box")
            self._legend = html(classes="legend-box")
            self._did = html(classes="did", aria_live="polite", role="status")
            self.under_board = box("div", "under-board")
        self.beside = box("section", "card clock", aria_label="Time") if not side_by_side else self.under_board
        with box("section", "card belief", aria_label="What the agent believes about the task"):
            text("h2" if not side_by_side else "h3", "Which task is it?")
            self._why = html(classes="why", aria_live="polite", role="status")
            self._surprise = html(classes="surprise")
            self._tasks = html()
            self._history = html(classes="history-box")
            with box("details", "numbers") as self._details:
                text("summary", "The numbers behind it")
                self._numbers = html()
        with box("section", "card states", aria_label="Where the agent believes things to be"):
            text("h2" if not side_by_side else "h3", "Where is everything?")
            self._supposing = Select("if the task is", self._suppose, f"supposed-{index}")
            self._states = html(classes="heats")
        with box("section", "card next", aria_label="What the agent does next"):
            text("h2" if not side_by_side else "h3", "What does it do next?")
            self._actions = html()

    def _suppose(self, value: str) -> None:
        self._controller.suppose(int(value) if value.isdigit() else None)

    def show(self, timeline: Timeline) -> None:
        """Show the point that is looked at."""
        game, t = timeline.game, timeline.at
        task = self._supposed(game)
        seen = game.moment(t, task)
        if self._title is not None:
            self._title.text = game.table.agent.name
        self._goal.content = _goal(game, seen)
        self._board.content = board(seen.scene)
        self._legend.content = legend(seen.scene, game.table.seat is None)
        self._did.content = _did(game, t, seen)
        point = timeline.now
        self._why.content = f"<p>{escape(words.why(game, t))}</p>"
        self._surprise.content = _surprise(game, t)
        self._tasks.content = bars.tasks(seen, point.memory.refuted.tolist())
        self._history.content = _history(game, t)
        self._numbers.content = _numbers(game, t)
        put(self._details, hidden=None if game.table.agent.identifies else "")
        self._actions.content = bars.actions(seen)
        self._show_states(game, t, seen, task)

    def _supposed(self, game: Game) -> int | None:
        """The task whose state belief is shown; None for the most probable one."""
        supposed = self._controller.supposed
        return supposed if supposed is not None and supposed < len(game.table.agent.library) else None

    def _show_states(self, game: Game, t: int, seen: Moment, task: int | None) -> None:
        names = game.table.agent.library.names
        options = {"": "the most probable one"} | {str(k): f"{k} · {name}" for k, name in enumerate(names)}
        self._supposing.offer(options, "" if task is None else str(task))
        senses = "observation" in AGENTS[game.table.agent.name].senses
        self._supposing.visible(senses and not game.table.library.observed and len(names) > 1)
        memory = game.points[t].memory
        note = "" if task is not None else f'<p class="quiet">Now: {escape(seen.supposing)}.</p>'
        if not senses:
            self._states.content = f'<p class="quiet">It senses {escape(seen.sensed)}.</p>'
        elif game.table.library.observed:
            self._states.content = '<p class="quiet">It sees the whole state: there is nothing to guess.</p>'
        elif seen.heats:
            self._states.content = note + "".join(map(heat, seen.heats))
        else:
            k = int(np.argmax(memory.tasks)) if task is None else task
            supposed = game.table.agent.library[k]
            truth = game.points[t].state if supposed is game.table.played else None
            self._states.content = note + bars.states(supposed.states, memory.states[k], truth)


def _goal(game: Game, seen: Moment) -> str:
    """What is going on, for whoever plays."""
    table, name = game.table, f"task {game.table.task} · {game.table.played.name}"
    goal = escape(WORLDS[table.world].goal) if table.world in WORLDS else ""
    if table.seat is None:
        return (
            f"<p><strong>You are the teammate</strong> and know the task: <em>{escape(name)}</em>. "
            f"{escape(table.agent.name)} has to find out. {goal}</p>"
        )
    other = "" if table.seat == table.task else f", played by the teammates of task {table.seat}"
    return f"<p>The task is <em>{escape(name)}</em>{escape(other)}. {goal}</p>"


def _did(game: Game, t: int, seen: Moment) -> str:
    """How far it is, what was done, and what was read."""
    solved = seen.status == "solved"
    state = f"<p><strong>Step {t} of {seen.horizon}</strong> · {'★ ' if solved else ''}{escape(seen.status)}</p>"
    done = f"<p>{escape(seen.did)}</p>" if seen.did else ""
    read = "" if t == 0 and not game.table.library.observed else f"<p>It sensed: {escape(_short(game, t, seen))}</p>"
    return state + done + read


def _short(game: Game, t: int, seen: Moment) -> str:
    senses = game.table.agent.senses
    if "observation" not in senses or game.table.library.observed:
        return seen.sensed
    return words.read(game, t) + ("; and what the teammates did" if "teammates" in senses else "")


def _surprise(game: Game, t: int) -> str:
    said = [words.surprise(game, t), words.stray(game, t)]
    alarm = said[0].startswith("Nothing")
    first = (
        f'<p class="{"alarm" if alarm else "quiet"}">{"⚠ " if alarm else ""}{escape(said[0])}</p>' if said[0] else ""
    )
    return first + (f'<p class="stray">✻ {escape(said[1])}</p>' if said[1] else "")


def _history(game: Game, t: int) -> str:
    if not game.table.agent.identifies:
        return ""
    beliefs = np.array([point.memory.tasks for point in game.points])
    return history(beliefs, game.table.library.names, t, game.table.horizon)


def _numbers(game: Game, t: int) -> str:
    rows = words.table_of(game.points[t], game.table.agent.library.names)
    if not rows:
        return '<p class="quiet">Nothing was read yet.</p>'
    return table(HEAD, rows, "table", label="The numbers behind the sentence", named=True)
