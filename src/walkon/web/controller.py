"""Carries out keys and choices on the state of a page, without NiceGUI.

`show` is called after every change. Bad input is reported in `message`. Agents think on threads, see
`walkon.web.thinking`.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from walkon.agents.registry import AGENTS
from walkon.domains.registry import WORLDS
from walkon.errors import InputError
from walkon.formats.episode_file import OWN
from walkon.tasks import TaskLibrary
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.game import Game, move_keys
from walkon.web.host import Host
from walkon.web.replay import open_game
from walkon.web.requests import Requests, Work
from walkon.web.setup import LARGEST_SEED, change, read_address, read_moves
from walkon.web.state import State
from walkon.web.thinking import Visitor
from walkon.web.timeline import Timeline

FAILED = "Something went wrong here; the log of walkon serve says what."
THINKING = "The agent is thinking …"
FROM_FILE = "This game is from a file, which no address holds: after a reload of the page, open the file again."
READY = "The agent gets ready. The first time on a machine, this takes up to half a minute …"
Find = Callable[[Sequence[TaskLibrary]], Iterator[Game]]  # a game, from the libraries that there are
log = logging.getLogger("walkon.web")


class Controller(State):
    """Carries out what a page asks for."""

    def __init__(self, host: Host, usual: Trial, agents: tuple[str, ...], show: Callable[[], None]) -> None:
        super().__init__(usual, agents)
        self.host, self._show, self._usual = host, show, usual
        self.visitor = Visitor()
        self._requests = Requests(self._finish, self.fail)

    def arrive(self, query: Mapping[str, str]) -> None:
        """Start the game of an address; if it is wrong, say so and start the usual game."""
        try:
            setup, moves = read_address(query, replace(self.setup, agent=self.agents[0]))
            agents = (setup.agent, *(query.get("other", agent) for agent in self.agents[1:]))
            for agent in agents:
                AGENTS[agent]
            wrong = read_moves(query)[1]
        except InputError as problem:
            setup, moves, agents, wrong = self.setup, (), self.agents, str(problem)
        self.message = f"The address was not understood: {wrong}" if wrong else ""
        self.begin(setup, agents, moves)

    def begin(self, setup: Trial, agents: tuple[str, ...], moves: tuple[int | None, ...] = ()) -> None:
        """Start a game as soon as the agents are ready. Until then the old one stays on the page."""
        domain = setup.world.domain
        self._prepare(lambda: self._begin(setup, agents, moves), f"Planning for {_title(domain, self.host)} …")

    def _prepare(self, work: Work, doing: str) -> None:
        self.running = False
        self._requests.start("game", work)
        self.visitor.spent = 0.0
        self._show_progress(0.0, doing)

    def _finish(self) -> None:
        self.progress, self.doing = None, ""
        self._show()

    def fail(self, problem: Exception) -> None:
        """Log an exception; the page says only that something went wrong."""
        log.error("a page failed", exc_info=problem)
        self.message, self.running = FAILED, False
        self._finish()

    async def settled(self) -> None:
        """Wait until nothing is being prepared or played."""
        await self._requests.settled()

    def leave(self) -> None:
        """Stop running, thinking and solving."""
        self.running = False
        self._requests.stop()

    async def _begin(self, setup: Trial, agents: tuple[str, ...], moves: tuple[int | None, ...]) -> None:
        def watch(i: int) -> Callable[[float], None]:
            return lambda share: self._show_progress((i + share) / len(agents))

        try:
            setup, games = await self.host.timed(setup, agents, self.visitor), []
            for i, agent in enumerate(agents):
                match = await self.host.match(replace(setup, agent=agent), self.visitor, watch(i))
                if self.host.is_new(match):
                    self._show_progress((i + 1) / len(agents), READY)
                games.append(await self.host.begin(match, self.visitor))
        except InputError as problem:
            self.message = str(problem)
            if not self.timelines and setup != self._usual:
                await self._begin(self._usual, self.agents, ())
            return
        if setup.world != self.setup.world:
            self.supposed = None
        self.setup, self.agents = replace(setup, agent=agents[0]), agents
        for i, game in enumerate(games):
            games[i] = await self._follow_moves(game, moves)
        self.timelines, self.opened, self.note = tuple(map(Timeline.of, games)), False, ""

    async def _follow_moves(self, game: Game, moves: Sequence[int | None]) -> Game:
        """Play the moves of an address as far as they are right and the budget lasts."""
        latest = [game]

        def watch(game: Game) -> None:
            latest[:] = [game]
            self._show_progress(game.steps / len(moves), f"Replaying move {game.steps} of {len(moves)} …")

        try:
            if moves:
                return await self.host.thinking.run(self.visitor, game.playing(moves), game.match.kind, watch)
        except InputError as problem:
            self.message = f"The first {latest[0].steps} of the address's {len(moves)} moves were played: {problem}"
        return latest[0]

    def _show_progress(self, share: float, doing: str = "") -> None:
        self.progress, self.doing = share, doing or self.doing
        self._show()

    def open(self, content: str) -> None:
        """Show the episode in a file."""
        if content:
            self.replay(lambda brought: open_game(content.encode(), brought), FROM_FILE)
        else:
            self.say("This file is empty, or too large for an episode.")

    def replay(self, find: Find, note: str = "") -> None:
        """Show a game that was played already; its agent is solved meanwhile, so that it can play on."""
        self._prepare(lambda: self._replay(find, note), "Reading the episode …")

    async def _replay(self, find: Find, note: str) -> None:
        host, brought, visitor = self.host, self.host.brought, self.visitor
        try:
            trembling = replace(host.usual, played_by=None)
            libraries = (brought.library, await host.library(trembling, visitor)) if brought else ()
            game = await host.thinking.run(visitor, find(libraries))
            trial = game.match.trial
            options = dict(trial.world.options)
            if trial.played_by is None:
                options.pop("tremble", None)
            self.setup = replace(trial, world=WorldSpec.of(trial.world.domain, **options), horizon=None)
            self.agents = (trial.agent,) * len(self.agents)
            self.timelines, self.opened, self.note = (Timeline.of(game, 0),) * len(self.agents), True, note
            self.message = ""
            self._show_progress(0.0, f"Planning for {_title(trial.world.domain, host)} …")
            if not game.match.ready:
                agent = await host.agent(trial, game.match.library, visitor, self._show_progress)
                steady = await host.steady(self.setup, visitor)
                self.timelines = tuple(timeline.with_agent(agent, steady) for timeline in self.timelines)
            await self._look()
        except InputError as problem:
            self.message = f"This cannot be opened: {problem}"

    async def _look(self) -> None:
        """Work out what the agents would choose at the shown moment."""
        try:
            while not all(timeline.now.decided for timeline in self.timelines):
                shown = self.timelines
                decided = tuple([await self._think(each, each.decide) for each in shown])
                if self.timelines is shown:
                    self.timelines = decided
        except InputError as problem:
            self.message = str(problem)

    async def _think(self, timeline: Timeline, work: Callable[[], Timeline]) -> Timeline:
        return await self.host.thinking.call(self.visitor, work, timeline.game.match.kind)

    def choose(self, name: str, value: str) -> None:
        """Change the world, an option, the task, the teammate or an agent; the game starts again with the same luck."""
        try:
            setup, agents = change(self.setup, self.agents, name, value, self._usual)
        except InputError as problem:
            self.say(str(problem))
            return
        self.message = ""
        self.begin(setup, agents)

    def restart(self, *, same_luck: bool) -> None:
        """Start again with the same setup, and with the same luck or the next."""
        if same_luck and self.timelines and not self.opened and self.progress is None:
            self.leave()
            self._turn(tuple(Timeline.of(timeline.game.until(0)) for timeline in self.timelines))
            return
        self.message = ""
        seed = self.setup.seed if same_luck else (self.setup.seed + 1) % LARGEST_SEED
        self.begin(replace(self.setup, seed=seed), self.agents)

    def key(self, key: str) -> None:
        """Handle a key: a person's move, or one of the page's own keys."""
        if self.match is None:
            return
        move = move_keys(self.match.played).get(key)
        if move is not None and self.person:
            self.act(move)
        elif key == "b":
            self._requests.soon(lambda: self.rewind(self.at - 1))
        elif key == "f":
            self.act(None)
        elif key == "r":
            self.run(not self.running)
        elif key == "s":
            self.restart(same_luck=True)

    def act(self, move: int | None) -> None:
        """Play one step of every game that is not over; without a move, show the next step if there is one."""
        if move is not None:
            self.running = False
        if not (self.running and self._requests.kind == "step"):  # a running game waits for an agent that is slower
            self._requests.soon(partial(self._act, move))

    def _act(self, move: int | None) -> None:
        if move is None and self.at < self.last:
            self._turn(tuple(timeline.rewind(min(self.at + 1, timeline.game.steps)) for timeline in self.timelines))
        elif self.progress is not None or self.over:
            self.run(False)
        else:
            self.visitor.spent = 0.0
            self._requests.start("step", lambda: self._step(move))
            if any(self.host.thinking.is_slow(each.game.match.kind) for each in self.timelines):
                self.doing = THINKING
                self._show()

    async def _step(self, move: int | None) -> None:
        try:
            played = [
                each if each.over else await self._think(each, partial(each.play, move)) for each in self.timelines
            ]
        except InputError as problem:
            self.message, self.running = str(problem), False
        else:
            self.timelines, self.message = tuple(played), ""
            self.running = self.running and not self.over

    def rewind(self, t: int) -> None:
        """Show another step."""
        self.running = False
        if self.timelines:
            self._requests.soon(lambda: self._rewind(t))

    def _rewind(self, t: int) -> None:
        t = min(max(t, 0), self.last)
        self._turn(tuple(timeline.rewind(min(t, timeline.game.steps)) for timeline in self.timelines))

    def follow(self, line: int) -> None:
        """Show another line of play."""
        self.running = False
        self._requests.soon(lambda: self._follow(line))

    def _follow(self, line: int) -> None:
        self._turn(tuple(timeline.follow(min(line, len(timeline.lines) - 1)) for timeline in self.timelines))

    def run(self, on: bool) -> None:
        """Start or stop playing automatically."""
        self.running = on and bool(self.timelines) and not self.over
        self._show()

    def suppose(self, task: int | None) -> None:
        """Show the state belief of a task."""
        self.supposed = task
        self._show()

    def _turn(self, timelines: tuple[Timeline, ...]) -> None:
        """Show other moments, and have worked out what the agents would choose there."""
        self.timelines, self.message, self.doing = timelines, "", ""
        self.running = self.running and not self.over
        if self._requests.kind is None and not all(timeline.now.decided for timeline in timelines):
            self.visitor.spent, self.doing = 0.0, THINKING
            self._requests.start("look", self._look)
        self._show()

    def say(self, message: str) -> None:
        """Show a message and stop running."""
        self.message, self.running = message, False
        self._show()


def _title(domain: str, host: Host) -> str:
    """The name of a world, or of a library from a file."""
    return host.brought.name if host.brought and domain == OWN else WORLDS[domain].title
