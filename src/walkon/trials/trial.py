"""Trials: one frozen record of all that determines an episode, and what a run measures in it.

The page, the command line, an episode file and a stored result all contain this record. Two trials with equal records
have equal results, so a stored result is identified by the hash of its record.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, TypeAlias, cast

from walkon.agents.agent import Agent
from walkon.agents.registry import AGENTS, told
from walkon.agents.registry import agent as make_agent
from walkon.domains.registry import WORLDS
from walkon.domains.world import World
from walkon.errors import InputError
from walkon.solvers.solve import SOLVERS, Solver
from walkon.tasks import TaskLibrary

Measure: TypeAlias = Literal["episode", "loss", "setup", "decision", "return", "cost", "score"]
"""What is measured: the episode; the episode with the agent's loss and its bound; the time for preparing the agent; the
time for its decisions; the return alone, in an episode that ends when the task is solved and is not kept; what was done
and paid in such an episode, up to the trial's own horizon; or its sum of rewards, with the task beliefs until then."""

OMITTED: dict[str, Any] = {"options": (), "outside": False, "own": ""}
"""Fields of a measured trial that its record leaves out where they have these values, as older records do."""

TIMED = ("setup", "decision")
"""Measures of time: they differ from run to run, and nothing else may run at the same time."""


def frozen(value: Any) -> Any:
    """Turn nested lists into tuples, so that records can be hashed."""
    return tuple(frozen(each) for each in value) if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class WorldSpec:
    """A library of tasks, given by a domain's name and options.

    >>> WorldSpec.of("night-pursuit", size=3, tasks=[5, 2]).make().names
    ('prey (0,0) and (2,0)', 'prey (0,1) and (2,2)')
    """

    domain: str
    options: tuple[tuple[str, Any], ...]  # in the order of their names

    @classmethod
    def of(cls, domain: str, **options: Any) -> "WorldSpec":
        """A world with these options."""
        return cls(domain, tuple(sorted((name, frozen(value)) for name, value in options.items())))

    def having(self, **options: Any) -> "WorldSpec":
        """Change some options."""
        return WorldSpec.of(self.domain, **dict(self.options) | options)

    def make(self) -> TaskLibrary:
        """Make the library. Tasks that the options name are made once and shared by all libraries that contain them."""
        named = dict(self.options).get("tasks")
        if not isinstance(named, tuple) or len(named) < 2:
            return _made(self)
        tasks = [_made(self.having(tasks=(task,)))[0] for task in named]
        return TaskLibrary(tasks, variants=lambda: self.make_unshared().variants())

    def make_unshared(self) -> TaskLibrary:
        """Make the library without sharing tasks."""
        return self.source.make(dict(self.options))

    @property
    def source(self) -> World:
        """The world that makes it."""
        return WORLDS[self.domain]

    @property
    def size(self) -> int:
        """The number of tasks."""
        return _counted(self)

    @property
    def scale(self) -> tuple[int, int]:
        """About how many states all tasks have together, and how many observations."""
        world = self.source
        if world.scale is not None:
            return world.scale(**world.checked(dict(self.options)))
        library = _made(self)
        return sum(len(task.pomdp.start) for task in library), library[0].pomdp.O[0].shape[1]

    @property
    def observed(self) -> bool:
        """Whether the ad hoc agent sees the state."""
        known = self.source.observed
        return _made(self).observed if known is None else known


@lru_cache(maxsize=64)
def _made(world: WorldSpec) -> TaskLibrary:
    return world.make_unshared()


@cache
def _counted(world: WorldSpec) -> int:
    return len(world.source.task_names(dict(world.options)))


@dataclass(frozen=True)
class Recipe:
    """A solver's name, options and seed."""

    solver: str = "perseus"
    options: tuple[tuple[str, Any], ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise InputError(f"there is no solver {self.solver!r}: expected one of {', '.join(SOLVERS)}")

    @classmethod
    def of(cls, solver: Solver, seed: int = 0) -> "Recipe":
        """The recipe of a solver with its options."""
        name = next((name for name, kind in SOLVERS.working().items() if type(solver) is kind), "")
        if not name:
            raise InputError(f"{type(solver).__name__} has no name: declare it as an entry point of walkon.solvers")
        return cls(name, tuple((field.name, getattr(solver, field.name)) for field in fields(cast(Any, solver))), seed)

    @property
    def call(self) -> str:
        """How the solver is made in Python.

        >>> Recipe("sarsop", (("backups", 500),)).call
        'Sarsop(backups=500)'
        """
        return f"{SOLVERS[self.solver].__name__}({', '.join(f'{name}={value}' for name, value in self.options)})"

    def make(self) -> Solver:
        """Make the solver."""
        return SOLVERS[self.solver](**dict(self.options))


@dataclass(frozen=True)
class Problem:
    """What a policy is solved for: one task of a world or their union, and how."""

    world: WorldSpec
    task: int | None  # None: the union of all tasks, equally probable
    recipe: Recipe
    without: int | None = None  # the task that the union leaves out

    @classmethod
    def of(cls, world: WorldSpec, task: int | None, recipe: Recipe) -> "Problem":
        """Name a task by itself where the world's options list their tasks, so that libraries share its policy."""
        named = dict(world.options).get("tasks")
        if isinstance(named, tuple) and task is not None:
            return cls(world.having(tasks=(named[task],)), 0, recipe)
        return cls(world, task, recipe)

    @property
    def name(self) -> str:
        """A description of one line."""
        options = ", ".join(f"{name} {value}" for name, value in self.world.options)
        what = "all tasks at once" if self.task is None else f"task {self.task}"
        return f"{self.world.domain}, {options or 'usual options'}, {what}"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """All that determines one episode; what the page sets up, a file records and a run measures."""

    world: WorldSpec  # makes the agent's library
    task: int = 0  # the index of the task that is played
    agent: str = "atpo"
    seed: int = 0  # determines all luck
    played_by: int | None = None  # the task whose teammates play; None where a person plays
    evidence: str = "observations"  # what BOPA's task belief is updated from
    horizon: int | None = None  # the task's own by default
    options: tuple[tuple[str, Any], ...] = ()  # the agent's, in the order of their names

    def make_agent(self, library: TaskLibrary, policies: Any = None, solver: Solver | None = None) -> Agent[Any]:
        """Make the agent of this trial. Policies that are not given are solved."""
        options = AGENTS[self.agent].picked({"evidence": self.evidence, **dict(self.options)})
        target = told(self.agent, self.task)
        return make_agent(self.agent, library, solver=solver, policies=policies, target=target, jobs=1, **options)


@dataclass(frozen=True, kw_only=True)
class MeasuredTrial(Trial):
    """A trial of a run, how its policies are solved and what is measured. The task's own teammates play."""

    recipe: Recipe | None = None  # how POMDPs are solved; None for agents that need none solved
    measure: Measure = "episode"
    outside: bool = False  # whether the agent's library lacks the task
    own: str = ""  # for an agent that the world's file defines: a hash of that file

    def __post_init__(self) -> None:
        object.__setattr__(self, "played_by", self.task)

    @property
    def informed(self) -> bool:
        """Whether the agent is told the task."""
        return not self.own and AGENTS[self.agent].needs.informed

    @property
    def told(self) -> int | None:
        """The task that the agent is told; None if it is told none."""
        return dict(self.options).get("target", self.task) if self.informed else None

    def make_agent(self, library: TaskLibrary, policies: Any = None, solver: Solver | None = None) -> Agent[Any]:
        """Make the agent of this trial. Policies that are not given are solved."""
        options = AGENTS[self.agent].picked({"evidence": self.evidence}) | dict(self.options) | {"target": self.told}
        return make_agent(self.agent, library, solver=solver, policies=policies, jobs=1, **options)

    @property
    def trial(self) -> Trial:
        """The trial without how it is solved and measured."""
        return Trial(**{field.name: getattr(self, field.name) for field in fields(Trial)})

    @cached_property
    def key(self) -> str:
        """A hash of the record, under which its result is stored."""
        return hashlib.sha256(self.json().encode()).hexdigest()[:24]

    def json(self) -> str:
        """The record as JSON, always with the same bytes. It calls the task `target`, and omits what is not used."""
        unused = {name for name, value in OMITTED.items() if getattr(self, name) == value}
        record = {name: value for name, value in asdict(self).items() if name not in {"task", "played_by", *unused}}
        record["world"] = {"domain": self.world.domain, "options": self.world.options}
        return json.dumps(record | {"target": self.task}, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "MeasuredTrial":
        """Read a stored record."""
        try:
            record = json.loads(text)
        except ValueError:
            record = None
        known = {field.name for field in fields(cls)} - {"task", "played_by"} | {"target"}
        if not isinstance(record, dict) or (OMITTED | record).keys() != known:
            raise InputError(f"{text:.80} is not the record of a trial")
        world, recipe = record["world"], record["recipe"]
        if record["evidence"] == "readings":  # its name in version 1
            record["evidence"] = "observations"
        if recipe is not None:
            record["recipe"] = Recipe(recipe["solver"], frozen(recipe["options"]), recipe["seed"])
        record["world"] = WorldSpec(world["domain"], frozen(world["options"]))
        record["options"] = frozen(record.get("options", ()))
        return cls(task=record.pop("target"), **record)
