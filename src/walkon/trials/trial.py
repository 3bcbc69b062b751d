"""A trial: one frozen record of all that determines an episode and what is measured in it.

Python, the command line and the stored row are three spellings of the same record. Two trials with the same record
have the same result, so a trial is known by the hash of its record.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache, cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from walkon.domains.registry import WORLDS, make
from walkon.errors import InputError
from walkon.solvers.solve import SOLVERS, Solver
from walkon.tasks import TaskLibrary

Measure: TypeAlias = Literal["episode", "loss", "setup", "decision", "return"]
"""What is measured: what happened; also the loss and its bound; how long the agent takes to prepare; and to decide; or
what it earned, where the episode ends when the task is solved and its columns are not kept."""

TIMED = ("setup", "decision")
"""Where what is measured is time: it differs from run to run, and nothing else may run beside it."""


def frozen(value: Any) -> Any:
    """Lists as tuples, all the way down, so that records can be hashed."""
    return tuple(frozen(each) for each in value) if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class WorldSpec:
    """A library of tasks, by the name of its domain and its options.

    >>> WorldSpec.of("night-pursuit", size=3, tasks=[5, 2]).make().names
    ('prey (0,0) and (2,0)', 'prey (0,1) and (2,2)')
    """

    domain: str
    options: tuple[tuple[str, Any], ...]  # in the order of their names

    @classmethod
    def of(cls, domain: str, **options: Any) -> "WorldSpec":
        """The world with these options."""
        return cls(domain, tuple(sorted((name, frozen(value)) for name, value in options.items())))

    def having(self, **options: Any) -> "WorldSpec":
        """The same world with some options changed."""
        return WorldSpec.of(self.domain, **dict(self.options) | options)

    def make(self) -> TaskLibrary:
        """The library. Tasks that the options name are made once, and shared by all libraries that have them."""
        named = dict(self.options).get("tasks")
        if not isinstance(named, tuple) or len(named) < 2:
            return _made(self)
        tasks = [_made(self.having(tasks=(task,)))[0] for task in named]
        return TaskLibrary(tasks, variants=lambda: self.make_anew().variants())

    def make_anew(self) -> TaskLibrary:
        """The library, with nothing shared."""
        return make(self.domain, **dict(self.options))

    @property
    def size(self) -> int:
        """How many tasks it has."""
        return _counted(self)

    @property
    def scale(self) -> tuple[int, int]:
        """About how many states all its tasks have together, and how many observations."""
        world = WORLDS[self.domain]
        if world.scale is not None:
            return world.scale(**world.checked(dict(self.options)))
        library = _made(self)
        return sum(len(task.pomdp.start) for task in library), library[0].pomdp.O[0].shape[1]

    @property
    def observed(self) -> bool:
        """Whether the ad hoc agent sees the state."""
        known = WORLDS[self.domain].observed
        return _made(self).observed if known is None else known


@lru_cache(maxsize=64)
def _made(world: WorldSpec) -> TaskLibrary:
    return world.make_anew()


@cache
def _counted(world: WorldSpec) -> int:
    return len(WORLDS[world.domain].task_names(dict(world.options)))


@dataclass(frozen=True)
class Recipe:
    """A solver by its name, its options and its seed."""

    solver: str = "perseus"
    options: tuple[tuple[str, Any], ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if self.solver not in SOLVERS:
            raise InputError(f"there is no solver {self.solver!r}: expected one of {', '.join(SOLVERS)}")

    def make(self) -> Solver:
        """The solver."""
        return SOLVERS[self.solver](**dict(self.options))


@dataclass(frozen=True)
class Problem:
    """One task of a world, or all of them at once, and how it is solved: what a policy is made for."""

    world: WorldSpec
    task: int | None  # None: the union of all tasks, equally probable
    recipe: Recipe

    @classmethod
    def of(cls, world: WorldSpec, task: int | None, recipe: Recipe) -> "Problem":
        """The problem. A task that the world's options name is a world of its own, so that libraries can share it."""
        named = dict(world.options).get("tasks")
        if isinstance(named, tuple) and task is not None:
            return cls(world.having(tasks=(named[task],)), 0, recipe)
        return cls(world, task, recipe)

    @property
    def name(self) -> str:
        """The problem in one line, for people."""
        options = ", ".join(f"{name} {value}" for name, value in self.world.options)
        what = "all tasks at once" if self.task is None else f"task {self.task}"
        return f"{self.world.domain}, {options or 'as it is'}, {what}"


@dataclass(frozen=True, kw_only=True)
class Trial:
    """All that determines one trial."""

    world: WorldSpec  # the agent's library
    target: int  # which of its tasks is played
    agent: str
    seed: int  # what all luck follows from
    recipe: Recipe | None = None  # how POMDPs are solved; None for agents that have none to solve
    evidence: str = "observations"  # what BOPA's task belief follows
    measure: Measure = "episode"
    horizon: int | None = None  # the task's own if not given

    @cached_property
    def key(self) -> str:
        """The trial's name: a hash of its record."""
        return hashlib.sha256(self.json().encode()).hexdigest()[:24]

    def json(self) -> str:
        """The record as JSON, always with the same bytes."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Trial":
        """The trial that a stored record describes."""
        record: Mapping[str, Any] = json.loads(text)
        if not isinstance(record, dict) or record.keys() != {field.name for field in fields(cls)}:
            raise InputError(f"{text:.80} is not the record of a trial")
        world, recipe = record["world"], record["recipe"]
        if record["evidence"] == "readings":  # as it was called once
            record = {**record, "evidence": "observations"}
        whole = None if recipe is None else Recipe(recipe["solver"], frozen(recipe["options"]), recipe["seed"])
        return cls(**{**record, "world": WorldSpec(world["domain"], frozen(world["options"])), "recipe": whole})
