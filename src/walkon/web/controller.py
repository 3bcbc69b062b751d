"""What a page does: one or two timelines on the same choice, moved by the same keys. It knows nothing of NiceGUI.

Whatever changes, `show` is called. Whatever goes wrong because of what somebody asked for is said in `message`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from walkon.agents.bopa import evidence_of
from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.trials.trial import WorldSpec
from walkon.web.choosing import changed
from walkon.web.game import Game
from walkon.web.host import Host
from walkon.web.seats import choices, keys
from walkon.web.setup import LARGEST_SEED, Setup, chosen
from walkon.web.sharing import opened
from walkon.web.timeline import Timeline

BACK, FORWARD, RUN, AGAIN = "b", "f", "r", "s"  # keys


class Controller:
    """A page's state.

    Attributes:
        agents: Who joins the team: one agent, or two to compare.
        timelines: a timeline for each of them; none before the first was made.
        progress: The share of solving that is done; None when nothing is being solved.
        message: What went wrong last, or what there is to say; empty if nothing.
        running: Whether steps follow one another by themselves.
        supposed: The task whose state belief is looked at; None for the most probable one.
    """

    def __init__(self, host: Host, usual: Setup, agents: tuple[str, ...], show: Callable[[], None]) -> None:
        self.host, self.agents, self._show = host, agents, show
        self.setup = self._usual = usual
        self.timelines: tuple[Timeline, ...] = ()
        self.progress: float | None = None
        self.message = ""
        self.running = False
        self.supposed: int | None = None
        self.opened = False  # whether the game came from a file, so that the address cannot say it
        self._solving: asyncio.Task[None] | None = None

    def arrive(self, query: Mapping[str, str]) -> None:
        """Begin with what the address says; what it says wrong is said, and the usual game begins."""
        try:
            setup, moves = chosen(query, replace(self.setup, agent=self.agents[0]))
            agents = (setup.agent, *(query.get("other", agent) for agent in self.agents[1:]))
            for agent in agents:
                AGENTS[agent]
        except InputError as problem:
            setup, moves, agents = self.setup, (), self.agents
            self.message = f"The address was not understood: {problem}"
        self.begin(setup, agents, moves)

    def begin(self, setup: Setup, agents: tuple[str, ...], moves: tuple[int | None, ...] = ()) -> None:
        """Begin a game, once the agents are ready. Until then the old one can be looked at."""
        self.leave()
        self.running = False
        self.progress = 0.0
        self._solving = asyncio.get_running_loop().create_task(self._seat(setup, agents, moves))

    async def settled(self) -> None:
        """Wait until nothing is being solved."""
        while self._solving is not None and not self._solving.done():
            await asyncio.wait([self._solving])

    def leave(self) -> None:
        """Nobody waits any longer."""
        self.running = False
        if self._solving is not None:
            self._solving.cancel()
            self._solving = None

    async def _seat(self, setup: Setup, agents: tuple[str, ...], moves: tuple[int | None, ...]) -> None:
        shares = [0.0] * len(agents)

        def watch(i: int) -> Callable[[float], None]:
            def told(share: float) -> None:
                shares[i] = share
                self.progress = sum(shares) / len(shares)
                self._show()

            return told

        try:
            tables = [await self.host.table(replace(setup, agent=a), watch(i)) for i, a in enumerate(agents)]
            timelines = tuple(Timeline.of(Game.begin(table).again(moves)) for table in tables)
        except InputError as problem:
            self.message = str(problem)
            if not self.timelines and setup != self._usual:
                self.begin(self._usual, self.agents)
        else:
            if setup.world != self.setup.world:
                self.supposed = None
            self.setup, self.agents, self.timelines, self.opened = (
                replace(setup, agent=agents[0]),
                agents,
                timelines,
                False,
            )
        if self._solving is asyncio.current_task():
            self.progress = None
        self._show()

    def open(self, content: str) -> None:
        """Look at an episode that somebody kept; its agent is solved meanwhile, to play on."""
        if not content:
            self.say("This file is empty, or too large for an episode.")
            return
        self.replay(lambda own: opened(content.encode(), own))

    def replay(self, find: Callable[[Sequence[TaskLibrary]], Game]) -> None:
        """Look at a game that was played already, which is found beside the page."""
        self.leave()
        self.progress = 0.0
        self._solving = asyncio.get_running_loop().create_task(self._replay(find))

    async def _replay(self, find: Callable[[Sequence[TaskLibrary]], Game]) -> None:
        host = self.host
        own = () if host.own is None else (host.own.library, await host.library(replace(host.usual, seat=None)))
        try:
            self._look_at(await asyncio.to_thread(find, own))
            table = self.timelines[0].game.table
            if not table.ready:
                follows = evidence_of(table.agent)
                agent = await host.agent(table.agent.name, table.library, table.task, self._watch, follows)
                self.timelines = tuple(timeline.seated_by(agent) for timeline in self.timelines)
        except InputError as problem:
            self.message = f"This cannot be opened: {problem}"
        if self._solving is asyncio.current_task():
            self.progress = None
        self._show()

    def _look_at(self, game: Game) -> None:
        table = game.table
        self.agents = (table.agent.name,) * len(self.agents)
        plain = {name: value for name, value in table.options.items() if name != "tremble" or table.seat is not None}
        self.setup = Setup(WorldSpec.of(table.world, **plain), table.agent.name, table.task, table.seed, table.seat)
        self.timelines, self.opened, self.message = (Timeline.of(game, 0),) * len(self.agents), True, ""
        self._show()

    def _watch(self, share: float) -> None:
        self.progress = share
        self._show()

    def choose(self, name: str, value: str) -> None:
        """Another world, option, task, seat or agent; the game begins anew with the same luck."""
        try:
            setup, agents = changed(self.setup, self.agents, name, value, self._usual)
        except InputError as problem:
            self.say(str(problem))
            return
        self.message = ""
        self.begin(setup, agents)

    def restart(self, *, same_luck: bool) -> None:
        """The same choice again, with the same luck or with the next."""
        seed = self.setup.seed if same_luck else (self.setup.seed + 1) % LARGEST_SEED
        if same_luck and self.timelines and not self.opened:
            self.running = False
            self._put(tuple(Timeline.begin(timeline.game.table) for timeline in self.timelines))
            return
        self.message = ""
        self.begin(replace(self.setup, seed=seed), self.agents)

    def key(self, key: str) -> None:
        """A key was pressed: a move of the person, or one of the page's own keys."""
        if not self.timelines:
            return
        own = keys(self.timelines[0].game.table.played).get(key)
        if own is not None and self.person:
            self.act(own)
        elif key == BACK:
            self.rewind(self.at - 1)
        elif key == FORWARD:
            self.act(None)
        elif key == RUN:
            self.run(not self.running)
        elif key == AGAIN:
            self.restart(same_luck=True)

    def act(self, own: int | None) -> None:
        """One step of every game that is not over."""
        if own is not None:
            self.running = False
        if own is None and self.at < self.last:
            self._put(tuple(timeline.rewind(min(self.at + 1, timeline.game.steps)) for timeline in self.timelines))
            return
        if self.progress is not None or self.over:
            self.run(False)
            return
        try:
            self._put(tuple(timeline if timeline.over else timeline.play(own) for timeline in self.timelines))
        except InputError as problem:
            self.say(str(problem))

    def rewind(self, t: int) -> None:
        """Look at another step."""
        self.running = False
        if self.timelines:
            t = min(max(t, 0), self.last)
            self._put(tuple(timeline.rewind(min(t, timeline.game.steps)) for timeline in self.timelines))

    def follow(self, line: int) -> None:
        """Look at another line."""
        self.running = False
        try:
            self._put(tuple(timeline.follow(min(line, len(timeline.lines) - 1)) for timeline in self.timelines))
        except InputError as problem:
            self.say(str(problem))

    def run(self, on: bool) -> None:
        """Let steps follow one another, or stop that."""
        self.running = on and bool(self.timelines) and not self.over
        self._show()

    def suppose(self, task: int | None) -> None:
        """Look at the state belief of a task."""
        self.supposed = task
        self._show()

    @property
    def person(self) -> bool:
        """Whether a person plays the teammate."""
        return bool(self.timelines) and self.timelines[0].game.table.seat is None

    @property
    def moves(self) -> tuple[str, ...]:
        """What a person can do."""
        return choices(self.timelines[0].game.table.played) if self.person else ()

    @property
    def at(self) -> int:
        """The step that is looked at."""
        return max((timeline.at for timeline in self.timelines), default=0)

    @property
    def last(self) -> int:
        """The last step that was played."""
        return max((timeline.game.steps for timeline in self.timelines), default=0)

    @property
    def over(self) -> bool:
        """Whether every game is over at the step that is looked at."""
        return all(timeline.over for timeline in self.timelines)

    @property
    def query(self) -> str:
        """The address that leads back here; empty for a game that came from a file, or in a world of a file."""
        if self.opened or not self.timelines or not self.setup.on_offer:
            return ""
        longest = max(self.timelines, key=lambda timeline: timeline.at)
        other = self.agents[1] if len(self.agents) > 1 else ""
        return self.setup.query(longest.past.moves, other)

    def _put(self, timelines: tuple[Timeline, ...]) -> None:
        self.timelines, self.message = timelines, ""
        self.running = self.running and not self.over
        self._show()

    def say(self, message: str) -> None:
        """Say something."""
        self.message, self.running = message, False
        self._show()
