"""What a person can press and choose: the world and who plays, the moves, and the way through time."""

from collections.abc import Callable
from html import escape

from nicegui.element import Element

from walkon.agents.registry import AGENTS
from walkon.domains.registry import WORLDS
from walkon.formats.episode_file import OWN
from walkon.web import words
from walkon.web.controller import Controller
from walkon.web.offers import offers
from walkon.web.pages.widgets import Select, Slider, box, button, html, put, text
from walkon.web.seats import KEYS
from walkon.web.setup import YOU

ARROWS = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "Stay": "•", "Noop": "…", "Act": "◆"}
KEY_NAMES = {" ": "space", "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}


class Choices:
    """The world, its options, the task, who plays the teammate, and the agents."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        with box("form", "choices", aria_label="What is played").on("submit", js_handler="(e) => e.preventDefault()"):
            self._world = self._select("World", "world")
            labels = {name: each.label for world in controller.host.worlds for name, each in offers(world).items()}
            self._options = {name: self._select(label, name) for name, label in labels.items()}
            self._task = self._select("Task", "task")
            self._seat = self._select("Teammate", "seat")
            self._agents = [self._select("Agent", "agent")]
            if len(controller.agents) > 1:
                self._agents.append(self._select("against", "other"))

    def _select(self, label: str, name: str) -> Select:
        return Select(label, lambda value: self._controller.choose(name, value), name)

    def show(self) -> None:
        """Offer what there is for the world that is chosen."""
        controller = self._controller
        setup = controller.setup
        own = controller.host.own
        titles = {name: own.name if name == OWN and own else WORLDS[name].title for name in controller.host.worlds}
        if setup.world.domain not in titles:  # an episode that was opened
            titles[setup.world.domain] = setup.world.domain
        self._world.offer(titles, setup.world.domain)
        now = dict(setup.world.options)
        for name, select in self._options.items():
            option = offers(setup.world.domain).get(name)
            select.visible(option is not None)
            if option is not None:
                value = now.get(name, option.page[0])
                shown = {str(each): option.said(each) for each in dict.fromkeys((*option.page, value))}
                select.offer(shown, str(value))
        for select, agent in zip(self._agents, controller.agents, strict=True):
            select.offer({name: name for name in AGENTS}, agent)
        if controller.timelines:
            library = controller.timelines[0].game.table.library
            self._task.offer({str(k): f"{k} · {name}" for k, name in enumerate(library.names)}, str(setup.task))
            seats = {YOU: "you"} if library[setup.task].seats else {}
            seats |= {str(k): f"that of task {k}" for k in range(len(library))}
            self._seat.offer(seats, YOU if setup.seat is None else str(setup.seat))


class Moves:
    """Buttons for what a person can do as the teammate."""

    def __init__(self, controller: Controller, parent: Element) -> None:
        self._controller = controller
        self._shown: tuple[str, ...] | None = None
        with parent:
            self._pad = box("div", "pad", role="group", aria_label="Your move")
            self._hint = html(classes="hint quiet")

    def show(self) -> None:
        """The buttons for the seat."""
        moves = self._controller.moves
        hint = words.usual_move(self._controller.timelines[0].past) if moves and not self._controller.over else ""
        self._hint.content = f"<p>{escape(hint)}</p>" if hint else ""
        put(self._hint, hidden=None if hint else "")
        if moves == self._shown:
            return
        self._shown = moves
        self._pad.clear()
        put(self._pad, hidden=None if moves else "")
        with self._pad:
            for own, name in enumerate(moves):
                key = KEYS.get(name, str(own + 1))
                place = f"move-{name.lower()}" if name in ARROWS else "move-other"
                with button("", self._moved(own), f"move {place}", aria_label=f"{name}, key {KEY_NAMES.get(key, key)}"):
                    text("span", ARROWS.get(name, str(own + 1)), "move-sign", aria_hidden="true")
                    text("span", name, "move-name", aria_hidden="true")

    def _moved(self, own: int) -> Callable[[], None]:
        return lambda: self._controller.act(own)


class Time:
    """The way through time: back, forward, run, any step, any line, and anew."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        with box("div", "time", role="group", aria_label="Time"):
            with box("div", "buttons"):
                button("|◀ Start", lambda: controller.rewind(0), title="To the first step")
                button("◀ Back", lambda: controller.rewind(controller.at - 1), title="One step back (key b)")
                self._step = button("▶ Step", lambda: controller.act(None), title="One step on (key f)")
                self._run = button(
                    "▶▶ Run", lambda: controller.run(not controller.running), title="Run or pause (key r)"
                )
            self._slider = Slider("Step", controller.rewind)
            self._line = Select("Line", lambda value: controller.follow(int(value) if value.isdigit() else 0), "line")
            with box("div", "buttons"):
                button("↺ Same luck", lambda: controller.restart(same_luck=True), title="Begin anew (key s)")
                button("⚄ New luck", lambda: controller.restart(same_luck=False), title="Begin anew with other luck")
                self._seed = text("span", "", "quiet seed")

    def show(self) -> None:
        """Where we are."""
        controller = self._controller
        self._run.text = "❚❚ Pause" if controller.running else "▶▶ Run"
        self._step.text = "▶ Step" if not controller.person or controller.at < controller.last else "▶ Let it step"
        put(
            self._step,
            title="One step on (key f)" if not controller.person else "The task's own teammate moves (key f)",
        )
        self._slider.show(controller.at, controller.last, f"step {controller.at} of {controller.last}")
        first = controller.timelines[0] if controller.timelines else None
        lines = {str(i): f"{i + 1}: {game.steps} steps" for i, game in enumerate(first.lines)} if first else {}
        self._line.visible(len(lines) > 1)
        self._line.offer(lines, str(first.line) if first else "")
        self._seed.text = f"luck {controller.setup.seed}"


class Message:
    """What went wrong, and how far solving is."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._said = html(classes="message", role="alert")
        with box("div", "solving", role="status") as self._solving:
            text("span", "The agent is planning for every task …")
            self._bar = box("progress", max="1", value="0", aria_label="Planning")

    def show(self) -> None:
        """Say it, or say nothing."""
        self._said.content = f"<p>{escape(self._controller.message)}</p>" if self._controller.message else ""
        share = self._controller.progress
        put(self._solving, hidden="" if share is None else None)
        if share is not None:
            put(self._bar, value=f"{share:.3f}")
