"""The host that all pages share: it makes the libraries, has the agents solved, and sets up matches."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from walkon.agents.agent import Agent, Needs
from walkon.agents.atpo import ATPO
from walkon.agents.bopa import evidence_of
from walkon.agents.changing import same_states
from walkon.agents.registry import AGENTS, told, usual
from walkon.domains.registry import WORLDS
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.episode_file import OWN
from walkon.formats.library_file import CODE, read_library
from walkon.formats.model_file import POMDPS
from walkon.tasks import TaskLibrary
from walkon.tasks.library import trembling
from walkon.trials.trial import Trial, WorldSpec
from walkon.web.first_game import ready_policies
from walkon.web.game import Game, Match
from walkon.web.setup import TREMBLE, choose_world, library_world
from walkon.web.solving import Cache, Solving, Watch
from walkon.web.thinking import MOST_KINDS, Thinking, Visitor
from walkon.web.thinking_time import TIMED, check_count, counted, searching, thinking_for, time_of

MOST_LIBRARIES, MOST_AGENTS = 12, 32  # in memory


class Brought(NamedTuple):
    """A library from files named on the command line, and an agent that is ready to play if a bundle has one."""

    name: str  # of the first file
    library: TaskLibrary
    agent: Agent[Any] | None = None


def read_brought(paths: Sequence[Path]) -> Brought:
    """Read the library in some files, and the agent if a bundle has one."""
    first = paths[0]
    if len(paths) == 1 and first.is_file() and first.suffix.lower() not in (CODE, *POMDPS):
        thing: Any = load(first)
        if hasattr(thing, "library") and hasattr(thing, "act"):
            return Brought(first.stem, thing.library, thing)
    return Brought(first.stem, read_library(*paths))


class Host:
    """Libraries, agents and solvers for all pages."""

    def __init__(self, processes: int = 2, brought: Brought | None = None) -> None:
        self.brought = brought
        self.solving, self.thinking = Solving(processes), Thinking()
        self.building = asyncio.Lock()  # pages are built one at a time, so that keys are handled in between
        self._libraries: Cache[TaskLibrary] = Cache(MOST_LIBRARIES)
        self._agents: Cache[Agent[Any]] = Cache(MOST_AGENTS)
        self._played: Cache[bool] = Cache(MOST_KINDS)  # the agents that have played a step, with their libraries
        self._making = asyncio.Lock()

    @property
    def worlds(self) -> tuple[str, ...]:
        """The worlds that can be played."""
        return (*([OWN] if self.brought else []), *WORLDS.working())

    @property
    def usual(self) -> Trial:
        """The setup at the first visit."""
        if self.brought is None:
            return Trial(world=choose_world(next(iter(WORLDS)), {}), task=2, seed=164)  # the first game
        library, given = self.brought.library, self.brought.agent
        agent = usual(library) if given is None else given.name
        played_by = None if any(task.seats for task in library) else 0
        evidence, options = evidence_of(given), time_of(given)
        return Trial(world=WorldSpec.of(OWN), agent=agent, played_by=played_by, evidence=evidence, options=options)

    async def library(self, setup: Trial, visitor: Visitor) -> TaskLibrary:
        """Make the agent's library."""
        world = library_world(setup)

        def make() -> TaskLibrary:
            if world.domain != OWN:
                return world.make()
            if self.brought is None:
                raise InputError("no library was named on the command line: start walkon serve FILE")
            if setup.played_by is not None:
                return self.brought.library
            return trembling(self.brought.library, TREMBLE, named="{}", folded=True)

        if (found := self._libraries.find(world)) is not None:
            return found
        async with self._making:  # one at a time: two pages that want the same library make it once
            found = self._libraries.find(world)
            return found or self._libraries.keep(world, await self.thinking.call(visitor, make))

    async def steady(self, setup: Trial, visitor: Visitor) -> TaskLibrary | None:
        """Make the library whose teammates make no mistakes, where those of the agent's library do; None elsewhere."""
        if setup.played_by is not None:
            return None
        ours, steady = await self.library(setup, visitor), await self.library(replace(setup, played_by=0), visitor)
        same = not ours.tables or all(
            a.states == b.states and a.seats == b.seats for a, b in zip(ours, steady, strict=True)
        )
        return steady if same else None

    async def timed(self, setup: Trial, agents: Sequence[str], visitor: Visitor) -> Trial:
        """Turn the time that agents may think, if one was chosen, into a number of simulations."""
        if TIMED not in dict(setup.options):
            return setup
        if not (names := searching(agents)):
            return replace(setup, options=())
        library = await self.library(setup, visitor)
        _check_index("task", setup.task, library)
        return await self.thinking.call(visitor, lambda: counted(setup, names[0], library))

    async def match(self, setup: Trial, visitor: Visitor | None = None, watch: Watch | None = None) -> Match:
        """Set up a match once its agent is ready."""
        visitor = visitor or Visitor()
        library = await self.library(setup, visitor)
        _check_index("task", setup.task, library)
        player = await self.agent(setup, library, visitor, watch)
        _check_teammates(setup.played_by, setup.task, library)
        trial = replace(setup, world=library_world(setup), evidence=evidence_of(player))
        return Match(trial, library, player, steady=await self.steady(setup, visitor))

    async def agent(
        self, trial: Trial, library: TaskLibrary, visitor: Visitor, watch: Watch | None = None
    ) -> Agent[Any]:
        """Make a trial's agent, with its policies."""
        kind, target = AGENTS[trial.agent], told(trial.agent, trial.task)
        evidence, thinking = kind.picked({"evidence": trial.evidence}), kind.picked(dict(trial.options))
        given = self.brought.agent if self.brought else None
        same = given is not None and (given.name, given.library.hash) == (trial.agent, library.hash)
        if given is not None and same and (not evidence or evidence_of(given) == trial.evidence):
            given = thinking_for(given, thinking)
            check_count(trial, given)
            return given

        key = (trial.agent, library.hash, target, *evidence.values(), *thinking.items())
        if (found := self._agents.find(key)) is not None:
            return found
        policies: Sequence[Any] | None = None
        if not library.tables:
            untabled = await self.thinking.call(visitor, lambda: trial.make_agent(library))
            check_count(trial, untabled)
            return self._agents.keep(key, untabled)
        if issubclass(kind, ATPO) and kind.needs == Needs():
            policies = await self.thinking.call(visitor, lambda: ready_policies(library.hash))
        if policies is None:
            problems = await self.thinking.call(visitor, lambda: kind.needs.problems(library, None, target))
            policies = await self.solving.policies(problems, kind.needs.solver(problems), watch) if problems else None
        made = await self.thinking.call(visitor, lambda: trial.make_agent(library, policies))
        return self._agents.keep(key, made)

    def is_new(self, match: Match) -> bool:
        """Whether the match's agent has not played yet, so that its code may have to be compiled first."""
        return match.kind not in self._played

    async def begin(self, match: Match, visitor: Visitor) -> Game:
        """Begin a game once a step of its agent has been played, so that no move waits for code to be compiled."""
        game = await self.thinking.call(visitor, lambda: Game.begin(match), match.kind)
        if self.is_new(match) and not game.over:
            await self.thinking.call(visitor, game.step, match.kind)
        self._played.keep(match.kind, True)
        return game

    async def prepare(self) -> None:
        """Prepare the usual match before the first visit."""
        visitor = Visitor()
        with suppress(InputError):
            await self.begin(await self.match(self.usual, visitor), visitor)


def _check_index(name: str, k: int, library: TaskLibrary) -> None:
    if not 0 <= k < len(library):
        raise InputError(f"{name} is {k}, expected a number from 0 to {len(library) - 1}")


def _check_teammates(played_by: int | None, k: int, library: TaskLibrary) -> None:
    """Check that the teammates of a task, or a person, can play task k."""
    task = library[k]
    if played_by is None:
        if not task.seats:
            raise InputError(
                f'the teammates of task {k} ("{task.name}") are folded into its model, which leaves a person no move: '
                "let them play by themselves"
            )
        return
    _check_index("seat", played_by, library)
    other = library[played_by]
    if not library.tables:
        if played_by != k and not (same_states(library) and other.seats == task.seats):
            raise InputError(f"the teammates of task {played_by} cannot play task {k}: their rules are of another kind")
        return
    if other.seats != task.seats or len(other.pomdp.start) != len(task.pomdp.start):
        raise InputError(f"the teammates of task {played_by} cannot play task {k}: its states or their actions differ")
