"""The state of a page, without NiceGUI: one or two timelines with the same setup, played by the same keys.

`show` is called after every change. Bad input is reported in `message`.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace

from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.game import Game, Match, Timeline, move_keys, move_names
from walkon.web.host import Host
from walkon.web.replay import open_game
from walkon.web.setup import LARGEST_SEED, address_of, change, is_offered, read_address


class Controller:
    """The state of a page."""

    def __init__(self, host: Host, usual: Trial, agents: tuple[str, ...], show: Callable[[], None]) -> None:
        self.host, self._show = host, show
        self.agents = agents  # one, or two to compare
        self.setup = self._usual = usual  # its world has no tremble
        self.timelines: tuple[Timeline, ...] = ()  # one for each agent; none before the first match is ready
        self.progress: float | None = None  # the share of solving that is done; None if nothing is being solved
        self.message = ""  # the last error or notice
        self.running = False  # whether steps are played automatically
        self.supposed: int | None = None  # the task whose state belief is shown; None for the most probable one
        self.opened = False  # whether the game is from a file or a run, so that no address leads to it
        self._solving: asyncio.Task[None] | None = None

    def arrive(self, query: Mapping[str, str]) -> None:
        """Start the game of an address; if it is wrong, say so and start the usual game."""
        try:
            setup, moves = read_address(query, replace(self.setup, agent=self.agents[0]))
            agents = (setup.agent, *(query.get("other", agent) for agent in self.agents[1:]))
            for agent in agents:
                AGENTS[agent]
        except InputError as problem:
            setup, moves, agents = self.setup, (), self.agents
            self.message = f"The address was not understood: {problem}"
        self.begin(setup, agents, moves)

    def begin(self, setup: Trial, agents: tuple[str, ...], moves: tuple[int | None, ...] = ()) -> None:
        """Start a game as soon as the agents are ready. Until then the old one stays on the page."""
        self._start(self._begin(setup, agents, moves))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        self.leave()
        self.progress = 0.0
        self._solving = asyncio.get_running_loop().create_task(work)

    async def settled(self) -> None:
        """Wait until nothing is being solved."""
        while self._solving is not None and not self._solving.done():
            await asyncio.wait([self._solving])

    def leave(self) -> None:
        """Stop running and solving."""
        self.running = False
        if self._solving is not None:
            self._solving.cancel()
            self._solving = None

    async def _begin(self, setup: Trial, agents: tuple[str, ...], moves: tuple[int | None, ...]) -> None:
        def watch(i: int) -> Callable[[float], None]:
            return lambda share: self._show_progress((i + share) / len(agents))

        try:
            matches = [await self.host.match(replace(setup, agent=a), watch(i)) for i, a in enumerate(agents)]
            timelines = tuple(Timeline.of(Game.begin(match).play(moves)) for match in matches)
        except InputError as problem:
            self.message = str(problem)
            if not self.timelines and setup != self._usual:
                self.begin(self._usual, self.agents)
        else:
            if setup.world != self.setup.world:
                self.supposed = None
            self.setup, self.agents = replace(setup, agent=agents[0]), agents
            self.timelines, self.opened = timelines, False
        self._finish()

    def _show_progress(self, share: float) -> None:
        self.progress = share
        self._show()

    def _finish(self) -> None:
        if self._solving is asyncio.current_task():
            self.progress = None
        self._show()

    def open(self, content: str) -> None:
        """Show the episode in a file."""
        if content:
            self.replay(lambda brought: open_game(content.encode(), brought))
        else:
            self.say("This file is empty, or too large for an episode.")

    def replay(self, find: Callable[[Sequence[TaskLibrary]], Game]) -> None:
        """Show a game that was played already; its agent is solved meanwhile, so that it can play on."""
        self._start(self._replay(find))

    async def _replay(self, find: Callable[[Sequence[TaskLibrary]], Game]) -> None:
        host, brought = self.host, self.host.brought
        libraries = (brought.library, await host.library(replace(host.usual, played_by=None))) if brought else ()
        try:
            game = await asyncio.to_thread(find, libraries)
            trial = game.match.trial
            options = dict(trial.world.options)
            if trial.played_by is None:
                options.pop("tremble", None)
            self.setup = replace(trial, world=WorldSpec.of(trial.world.domain, **options), horizon=None)
            self.agents = (trial.agent,) * len(self.agents)
            self.timelines, self.opened, self.message = (Timeline.of(game, 0),) * len(self.agents), True, ""
            self._show()
            if not game.match.ready:
                agent = await host.agent(trial, game.match.library, self._show_progress)
                self.timelines = tuple(timeline.with_agent(agent) for timeline in self.timelines)
        except InputError as problem:
            self.message = f"This cannot be opened: {problem}"
        self._finish()

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
        if same_luck and self.timelines and not self.opened:
            self.running = False
            self._put(tuple(Timeline.of(Game.begin(timeline.game.match)) for timeline in self.timelines))
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
            self.rewind(self.at - 1)
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
        if move is None and self.at < self.last:
            self._put(tuple(timeline.rewind(min(self.at + 1, timeline.game.steps)) for timeline in self.timelines))
            return
        if self.progress is not None or self.over:
            self.run(False)
            return
        try:
            self._put(tuple(timeline if timeline.over else timeline.play(move) for timeline in self.timelines))
        except InputError as problem:
            self.say(str(problem))

    def rewind(self, t: int) -> None:
        """Show another step."""
        self.running = False
        if self.timelines:
            t = min(max(t, 0), self.last)
            self._put(tuple(timeline.rewind(min(t, timeline.game.steps)) for timeline in self.timelines))

    def follow(self, line: int) -> None:
        """Show another line of play."""
        self.running = False
        self._put(tuple(timeline.follow(min(line, len(timeline.lines) - 1)) for timeline in self.timelines))

    def run(self, on: bool) -> None:
        """Start or stop playing automatically."""
        self.running = on and bool(self.timelines) and not self.over
        self._show()

    def suppose(self, task: int | None) -> None:
        """Show the state belief of a task."""
        self.supposed = task
        self._show()

    @property
    def match(self) -> Match | None:
        """The first match; None before it is ready."""
        return self.timelines[0].game.match if self.timelines else None

    @property
    def person(self) -> bool:
        """Whether a person plays the teammate."""
        return self.match is not None and self.match.trial.played_by is None

    @property
    def moves(self) -> tuple[str, ...]:
        """The names of a person's moves."""
        return move_names(self.match.played) if self.match is not None and self.person else ()

    @property
    def at(self) -> int:
        """The shown step."""
        return max((timeline.at for timeline in self.timelines), default=0)

    @property
    def last(self) -> int:
        """The last step played."""
        return max((timeline.game.steps for timeline in self.timelines), default=0)

    @property
    def over(self) -> bool:
        """Whether every game is over at the shown step."""
        return all(timeline.over for timeline in self.timelines)

    @property
    def query(self) -> str:
        """The query of the address that leads back here; empty for an opened game and for a world not offered."""
        if self.opened or not self.timelines or not is_offered(self.setup.world):
            return ""
        longest = max(self.timelines, key=lambda timeline: timeline.at)
        return address_of(self.setup, longest.past.moves, self.agents[1] if len(self.agents) > 1 else "")

    def _put(self, timelines: tuple[Timeline, ...]) -> None:
        self.timelines, self.message = timelines, ""
        self.running = self.running and not self.over
        self._show()

    def say(self, message: str) -> None:
        """Show a message and stop running."""
        self.message, self.running = message, False
        self._show()
