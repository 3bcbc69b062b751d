"""The controls: what is played, a person's moves, the steps, files, and messages."""

from functools import partial

from nicegui import Client
from nicegui.element import Element

from walkon.agents.registry import AGENTS
from walkon.domains.registry import WORLDS
from walkon.errors import InputError
from walkon.formats.episode_file import OWN, encode
from walkon.html import element, joined, paragraph
from walkon.web import words
from walkon.web.controller import Controller
from walkon.web.game import KEYS, Game
from walkon.web.pages.widgets import Select, Slider, box, button, html, number, put, text
from walkon.web.replay import film_game
from walkon.web.setup import YOU, offers
from walkon.web.thinking_time import COUNTED, SECONDS, TIMED, searching

KEY_HELP = """
<details class="keys"><summary>Keys</summary><dl>
<dt><kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd></dt><dd>move</dd>
<dt><kbd>space</kbd></dt><dd>stay, or act</dd><dt><kbd>n</kbd></dt><dd>do nothing</dd>
<dt><kbd>1</kbd> … <kbd>9</kbd></dt><dd>any move by its number</dd>
<dt><kbd>b</kbd> <kbd>f</kbd></dt><dd>back, forward</dd><dt><kbd>r</kbd></dt><dd>run or pause</dd>
<dt><kbd>s</kbd></dt><dd>start again with the same luck</dd></dl></details>
"""
ARROWS = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "Stay": "•", "Noop": "…", "Act": "◆"}
LONG_SEED = 10**6  # one of a run's own; the address and the saved episode have it
KEY_NAMES = {" ": "space", "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}
OPEN = (
    '<label class="button">Open an episode … '
    '<input type="file" accept=".json,application/json" data-open class="file"></label>'
)


class Choices:
    """The world, its options, the task, the teammate and the agents."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self.form = box("form", "choices", aria_label="What is played")
        with self.form.on("submit", js_handler="(e) => e.preventDefault()"):
            self._world = self._select("World", "world")
            labels = {name: each.label for world in controller.host.worlds for name, each in offers(world).items()}
            self._options = {name: self._select(label, name) for name, label in labels.items()}
            self._task = self._select("Task", "task")
            self._teammate = self._select("Teammate", "seat")
            self._agents = [self._select("Agent", "agent")]
            if len(controller.agents) > 1:
                self._agents.append(self._select("against", "other"))
            self._thinking = self._select("Thinks", TIMED)
            self._about = html(classes="about quiet")

    def _select(self, label: str, name: str) -> Select:
        return Select(label, lambda value: self._controller.choose(name, value), name)

    def show(self) -> None:
        """Offer the choices of the present world."""
        controller = self._controller
        setup = controller.setup
        world, brought = setup.world.domain, controller.host.brought
        titles = {name: WORLDS[name].title for name in controller.host.worlds if name != OWN}
        if brought is not None:
            titles = {OWN: brought.name} | titles
        self._world.offer({world: world} | titles if world not in titles else titles, world)
        now = dict(setup.world.options)
        for name, select in self._options.items():
            option = offers(world).get(name)
            select.visible(option is not None)
            if option is not None:
                value = now.get(name, option.page[0])
                shown = {option.said(each): str(each) for each in (*option.page, value)}  # each as it is said, once
                select.offer({each: said for said, each in shown.items()}, str(value))
        agents = [name for name in dict.fromkeys(controller.agents) if name in AGENTS]
        for select, agent in zip(self._agents, controller.agents, strict=True):
            select.offer({name: each.title for name, each in AGENTS.items()}, agent)
        self._thinking.visible(bool(searching(agents)))
        count = dict(setup.options).get(COUNTED)
        times = {"": "as long as usual"} | {each: f"{each} s a decision" for each in SECONDS}
        self._thinking.offer({COUNTED: f"{count:,} simulations"} | times if count else times, COUNTED if count else "")
        self._about.content = joined(*(paragraph(f"{AGENTS[name].title}: {AGENTS[name].summary}") for name in agents))
        if controller.match is not None:
            library = controller.match.library
            self._task.offer({str(k): f"{k} · {name}" for k, name in enumerate(library.names)}, str(setup.task))
            teammates = {YOU: "you"} if library[setup.task].seats else {}
            teammates |= {str(k): f"of task {k}" for k in range(len(library))}
            self._teammate.offer(teammates, YOU if setup.played_by is None else str(setup.played_by))


class Moves:
    """Buttons for a person's moves as the teammate."""

    def __init__(self, controller: Controller, parent: Element) -> None:
        self._controller = controller
        self._shown: tuple[str, ...] | None = None
        with parent:
            self._pad = box("div", "pad", role="group", aria_label="Your move")
            self._hint = html(classes="hint quiet")
            with box("div", "pad", role="group", aria_label="The game is over") as self._again:
                button("↺ Again, same luck", lambda: controller.restart(same_luck=True), "again")
                button("⚄ Another game", lambda: controller.restart(same_luck=False), "again")

    def show(self) -> None:
        """Show the moves of the task, and a hint; when the game is over, what there is to do next."""
        moves, over = self._controller.moves, self._controller.over
        hint = words.hint(self._controller.timelines[0].past) if moves and not over else ""
        self._hint.content = paragraph(hint) if hint else ""
        put(self._hint, hidden=None if hint else "")
        put(self._pad, hidden=None if moves and not over else "")
        put(self._again, hidden=None if moves and over else "")
        if moves == self._shown:
            return
        self._shown = moves
        self._pad.clear()
        with self._pad:
            for move, name in enumerate(moves):
                known = name.capitalize()
                key = KEYS.get(known, str(move + 1))
                label = f"{name}, key {KEY_NAMES.get(key, key)}" if known in ARROWS else f"{key} {name}"
                sign = element("span", ARROWS.get(known, key), class_="move-sign", aria_hidden="true")
                shown = joined(sign, " ", element("span", name, class_="move-name", aria_hidden="true"))
                button(shown, partial(self._controller.act, move), "move", aria_label=label)


class Time:
    """Buttons for back, forward, run and start again, and the choice of a step and of a line of play."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        with box("div", "time", role="group", aria_label="Time"):
            with box("div", "buttons"):
                button("|◀ Start", lambda: controller.rewind(0), title="Go to the first step")
                button("◀ Back", lambda: controller.rewind(controller.at - 1), title="One step back (key b)")
                self._step = button("▶ Step", lambda: controller.act(None), title="One step forward (key f)")
                self._run = button("▶▶ Run", lambda: controller.run(not controller.running), title="Key r")
            self._slider = Slider("Step", controller.rewind)
            self._line = Select("Line", lambda value: controller.follow(number(value) or 0), "line")
            with box("div", "buttons"):
                button("↺ Same luck", lambda: controller.restart(same_luck=True), title="Start again (key s)")
                button("⚄ New luck", lambda: controller.restart(same_luck=False), title="Start again with other luck")
                self._seed = text("span", "", "quiet seed")

    def show(self) -> None:
        """Show the present step and line."""
        controller = self._controller
        self._run.content = "❚❚ Pause" if controller.running else "▶▶ Run"
        self._step.content = "▶ Step" if not controller.person or controller.at < controller.last else "▶ Auto step"
        own = "The task's own teammate moves (key f)"
        put(self._step, title=own if controller.person else "One step forward (key f)")
        self._slider.show(controller.at, controller.last, f"step {controller.at} of {controller.last}")
        first = controller.timelines[0] if controller.timelines else None
        lines = {str(i): f"{i + 1}: {game.steps} steps" for i, game in enumerate(first.lines)} if first else {}
        self._line.visible(len(lines) > 1)
        self._line.offer(lines, str(first.line) if first else "")
        self._seed.text = f"seed {controller.setup.seed}" if controller.setup.seed < LONG_SEED else ""


class Message:
    """Errors and notices, and what the page is waiting for."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._text = html(classes="message", role="alert")
        self._note = html(classes="note", role="status")
        with box("div", "solving", role="status") as self._solving:
            self._doing = text("span", "")
            self._bar = box("progress", max="1", value="0", aria_label="Planning")

    def show(self) -> None:
        """Show the message, and what is being done, with its progress if that is known."""
        doing, share = self._controller.doing, self._controller.progress
        self._text.content = paragraph(self._controller.message) if self._controller.message else ""
        self._note.content = paragraph(self._controller.note) if self._controller.note else ""
        put(self._solving, hidden=None if doing else "")
        self._doing.text = doing
        known = (
            None if share is None or share >= 1 else f"{share:.3f}"
        )  # when all is planned, nobody knows how long it takes
        put(self._bar, value=known, hidden="" if share is None else None)


def add_files(controller: Controller, client: Client) -> None:
    """Add buttons to save a game as an episode or a film, and to open an episode."""

    def save() -> None:
        if controller.at:
            game = controller.timelines[0].past
            client.download(encode(game.recording), f"{_file_name(game)}.json", "application/json")
        else:
            controller.say("Play a step first: an episode without steps cannot be saved.")

    async def save_film() -> None:
        if controller.timelines:
            game = controller.timelines[0].past
            try:
                film = await controller.host.thinking.run(controller.visitor, film_game(game))
            except InputError as problem:
                controller.say(f"The film cannot be drawn: {problem}")
            else:
                client.download(film.encode(), f"{_file_name(game)}.svg", "image/svg+xml")

    with box("div", "buttons", role="group", aria_label="Share"):
        button("⤓ Episode (JSON)", save)
        button("⤓ Film (SVG)", save_film)
        html(OPEN, "open-box")


def _file_name(game: Game) -> str:
    trial = game.match.trial
    return f"walkon-{trial.world.domain}-{trial.agent}-{trial.seed}"
