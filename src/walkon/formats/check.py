"""Is this file well formed, and does what it holds look as meant? A report in words.

A file that cannot be read gives its error. One that can be gives its sizes, and what is allowed but is often a mistake:
states that are never reached, observations that are never made, actions that are the same as another, rewards that
never differ, states that are never left; in a library of tasks also teammates that get stuck, and tasks that cannot be
told apart.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.cassandra.reader import read_model
from walkon.formats.format_error import FormatError
from walkon.formats.library_file import CODE, read_library
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.doubts import Doubt, doubts_of_library, doubts_of_model, doubts_of_task

SUFFIXES = (".pomdp", ".mdp")
BUNDLE = ".safetensors"
ALL = (*SUFFIXES, CODE, BUNDLE)


@dataclass(frozen=True)
class Content:
    """What a model is, or that of a task."""

    kind: str  # "POMDP", "MDP" or "task"
    states: int
    actions: int
    observations: int | None
    discount: float
    transitions: int  # non-zeros of P
    sensor_entries: int | None  # non-zeros of O
    least_reward: float
    largest_reward: float


@dataclass(frozen=True)
class TaskReport:
    """What there is to say about one task of a library."""

    name: str
    content: Content
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True)
class Mistake:
    """Why a file cannot be read."""

    message: str
    line: int | None
    column: int | None


@dataclass(frozen=True)
class Report:
    """What there is to say about a file: its model or its tasks, or the mistake for which it has neither."""

    file: str
    content: Content | None
    mistake: Mistake | None
    doubts: tuple[Doubt, ...]  # about the model, or about the library as a whole
    tasks: tuple[TaskReport, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return asdict(self)

    @property
    def all_doubts(self) -> Iterator[Doubt]:
        """What is doubtful in it, anywhere."""
        return chain(self.doubts, *(task.doubts for task in self.tasks))


def check(path: str | os.PathLike[str]) -> Report:
    """Look at a model or a library. A mistake in it is in the report, and is not raised. A Python file is run."""
    name = os.fspath(path)
    suffix = Path(name).suffix.lower()
    if suffix not in ALL:
        raise InputError(f"{name} is not a file that can be checked: expected {', '.join(ALL[:-1])} or {ALL[-1]}")
    if not os.path.isfile(name):
        raise InputError(f'there is no file "{name}"')
    read: Callable[[str], Any] = read_model if suffix in SUFFIXES else read_library if suffix == CODE else _bundle
    try:
        found = read(name)
    except FormatError as cause:
        return Report(name, None, Mistake(str(cause), cause.line, cause.column), ())
    except InputError as cause:
        return Report(name, None, Mistake(str(cause), None, None), ())
    if isinstance(found, TaskLibrary):
        tasks = tuple(_task(task) for task in found)
        return Report(name, None, None, tuple(doubts_of_library(found)), tasks)
    return Report(name, _content(found), None, tuple(doubts_of_model(found)))


def _bundle(name: str) -> MDP | TaskLibrary:
    """A model as it is, everything else as a library."""
    thing = load(name)
    return thing if isinstance(thing, MDP) else read_library(name)


def _task(task: Task) -> TaskReport:
    return TaskReport(task.name, _content(task.pomdp, "task"), tuple(doubts_of_task(task)))


def _content(model: MDP, kind: str | None = None) -> Content:
    X, A = model.R.shape
    sensor = model.O if isinstance(model, POMDP) else None
    return Content(
        kind=kind or ("POMDP" if sensor else "MDP"),
        states=X,
        actions=A,
        observations=sensor[0].shape[1] if sensor else None,
        discount=model.discount,
        transitions=sum(p.nnz for p in model.P),
        sensor_entries=sum(o.nnz for o in sensor) if sensor else None,
        least_reward=float(model.R.min()),
        largest_reward=float(model.R.max()),
    )
