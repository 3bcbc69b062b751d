"""Check a file and its contents, and report what looks wrong.

For a file that cannot be read, the report has the error. Otherwise it has the sizes, and whatever is allowed but often
a mistake: states that are never reached, observations that are never made, actions that equal another, rewards that
never differ, states that are never left; in a library of tasks also teammates that get stuck, and tasks that cannot be
told apart.
"""

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.cassandra.reader import read_model
from walkon.formats.files import FormatError
from walkon.formats.library_file import CODE, read_library
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.tasks import TaskLibrary
from walkon.tasks.doubts import Doubt, doubts_of_library, doubts_of_model, doubts_of_task

SUFFIXES = (".pomdp", ".mdp")
BUNDLE = ".safetensors"
ALL = (*SUFFIXES, CODE, BUNDLE)


@dataclass(frozen=True)
class Content:
    """The sizes of a model, or of a task's model."""

    kind: str  # "POMDP", "MDP" or "task"
    states: int
    actions: int
    observations: int | None
    discount: float
    transitions: int  # non-zeros of P
    sensor_entries: int | None  # non-zeros of O
    least_reward: float
    largest_reward: float

    @classmethod
    def of(cls, model: MDP, kind: str | None = None) -> "Content":
        """Measure a model."""
        X, A = model.R.shape
        sensor = model.O if isinstance(model, POMDP) else None
        return cls(
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


@dataclass(frozen=True)
class TaskReport:
    """The report on one task of a library."""

    name: str
    content: Content
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True)
class Mistake:
    """The reason why a file cannot be read."""

    message: str
    line: int | None
    column: int | None


@dataclass(frozen=True)
class Report:
    """The report on a file: its model or its tasks, or the mistake because of which it has neither."""

    file: str
    content: Content | None
    mistake: Mistake | None
    doubts: tuple[Doubt, ...]  # about the model, or about the library as a whole
    tasks: tuple[TaskReport, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return asdict(self)

    @property
    def all_doubts(self) -> Iterator[Doubt]:
        """The doubts about the file as a whole, and about each task."""
        return chain(self.doubts, *(task.doubts for task in self.tasks))


def check(path: str | os.PathLike[str]) -> Report:
    """Check a model or a library. A mistake is reported rather than raised. A Python file is run."""
    name = os.fspath(path)
    suffix = Path(name).suffix.lower()
    if suffix not in ALL:
        raise InputError(f"{name} is not a file that can be checked: expected {', '.join(ALL[:-1])} or {ALL[-1]}")
    if not os.path.isfile(name):
        raise InputError(f'there is no file "{name}"')
    try:
        found: MDP | TaskLibrary
        if suffix in SUFFIXES:
            found = read_model(name)
        else:
            saved = load(name) if suffix == BUNDLE else None
            found = saved if isinstance(saved, MDP) else read_library(name)
    except InputError as cause:
        place = (cause.line, cause.column) if isinstance(cause, FormatError) else (None, None)
        return Report(name, None, Mistake(str(cause), *place), ())
    if isinstance(found, MDP):
        return Report(name, Content.of(found), None, tuple(doubts_of_model(found)))
    tasks = tuple(TaskReport(each.name, Content.of(each.pomdp, "task"), tuple(doubts_of_task(each))) for each in found)
    return Report(name, None, None, tuple(doubts_of_library(found)), tasks)
