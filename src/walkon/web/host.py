"""The host of a page: makes the libraries, has the agents solved, and seats people at tables. All pages share it."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from walkon.agents.agent import Agent
from walkon.agents.bopa import evidence_of
from walkon.agents.registry import AGENTS, agent, told
from walkon.domains.registry import WORLDS
from walkon.errors import InputError
from walkon.formats.episode_file import OWN
from walkon.tasks import TaskLibrary
from walkon.tasks.library import trembling
from walkon.trials.trial import WorldSpec
from walkon.web.brought import Brought
from walkon.web.game import Game, Table
from walkon.web.offers import TREMBLE, offered
from walkon.web.setup import Setup
from walkon.web.solving import Solving, Watch

MOST_LIBRARIES, MOST_AGENTS = 12, 32  # in memory

T = TypeVar("T")


class Cache(OrderedDict[Any, T]):
    """Things that are kept until there are too many; what was not used for longest goes first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    async def get_or_make(self, key: Any, make: Callable[[], Awaitable[T]]) -> T:
        """The thing of that name, made if it is not there."""
        if key not in self:
            self[key] = await make()
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
        return self[key]


class Host:
    """What all pages share."""

    def __init__(self, processes: int = 2, own: Brought | None = None) -> None:
        self.own = own
        self.solving = Solving(processes)
        self._libraries: Cache[TaskLibrary] = Cache(MOST_LIBRARIES)
        self._agents: Cache[Agent[Any]] = Cache(MOST_AGENTS)
        self._making = asyncio.Lock()

    @property
    def worlds(self) -> tuple[str, ...]:
        """What can be played."""
        return (*([OWN] if self.own else []), *WORLDS.working())

    @property
    def usual(self) -> Setup:
        """What is played by somebody who has chosen nothing."""
        if self.own is None:
            return Setup(offered(next(iter(WORLDS)), {}), task=2, seed=11)  # neither short nor long
        alone = not any(task.seats for task in self.own.library)
        return Setup(WorldSpec.of(OWN), self.own.agent.name if self.own.agent else "atpo", seat=0 if alone else None)

    async def library(self, setup: Setup) -> TaskLibrary:
        """The tasks that the agent holds possible."""

        async def make() -> TaskLibrary:
            if setup.world.domain != OWN:
                return await asyncio.to_thread(setup.library.make)
            if self.own is None:
                raise InputError("no library was named on the command line: start walkon serve FILE")
            if setup.seat is not None:
                return self.own.library
            return await asyncio.to_thread(trembling, self.own.library, TREMBLE, named="{}", folded=True)

        async with self._making:  # one at a time: two pages that want the same make it once
            return await self._libraries.get_or_make(setup.library, make)

    async def table(self, setup: Setup, watch: Watch | None = None) -> Table:
        """A table for a choice, once the agent is ready."""
        library = await self.library(setup)
        return Table(
            world=setup.world.domain,
            options=dict(setup.library.options),
            library=library,
            task=_index("task", setup.task, library),
            agent=await self.agent(setup.agent, library, setup.task, watch),
            seed=setup.seed,
            seat=_seat(setup.seat, setup.task, library),
            horizon=library[setup.task].horizon,
        )

    async def agent(
        self, name: str, library: TaskLibrary, task: int, watch: Watch | None = None, evidence: Any = None
    ) -> Agent[Any]:
        """An agent with its policies; with the evidence that its belief over tasks is to follow, if that matters."""
        kind, target = AGENTS[name], told(name, _index("task", task, library))
        brought = self.own.agent if self.own else None
        if brought is not None and (brought.name, brought.library.hash) == (name, library.hash):
            evidence = evidence or evidence_of(brought)
            if evidence == evidence_of(brought):
                return brought
        options = kind.picked({"evidence": evidence or "observations"})

        async def make() -> Agent[Any]:
            problems = await asyncio.to_thread(kind.needs.problems, library, None, target)
            policies = None
            if problems:
                policies = await self.solving.policies(problems, kind.needs.solver(problems), watch)
            return await asyncio.to_thread(
                partial(agent, name, library, policies=policies, target=target, jobs=1, **options)
            )

        return await self._agents.get_or_make((name, library.hash, target, *options.values()), make)

    async def prepare(self) -> None:
        """Have ready what most people play first, so that nobody waits for it."""
        with suppress(InputError):
            table = await self.table(self.usual)
            await asyncio.to_thread(lambda: Game.begin(table).again([None]))  # loads what decides

    def close(self) -> None:
        """End what was started."""
        self.solving.close()


def _index(name: str, k: int, library: TaskLibrary) -> int:
    if not 0 <= k < len(library):
        raise InputError(f"{name} is {k}, expected a number from 0 to {len(library) - 1}")
    return k


def _seat(seat: int | None, task: int, library: TaskLibrary) -> int | None:
    """Whose teammates play, if they can play this task."""
    if seat is None:
        if not library[task].seats:
            raise InputError(
                f'the teammates of task {task} ("{library[task].name}") are folded into its model: there is no move '
                "for a person to make; let them play by themselves"
            )
        return None
    theirs, ours = library[_index("seat", seat, library)], library[task]
    if theirs.seats != ours.seats or len(theirs.pomdp.start) != len(ours.pomdp.start):
        raise InputError(f"the teammates of task {seat} cannot play task {task}: its states or their actions differ")
    return seat
