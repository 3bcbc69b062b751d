"""A library of one's own, from the files that were named on the command line.

A Python file is code that its user chose to run, and defines `library`: a TaskLibrary, or a function that gives one. A
set of `.pomdp` files is a library of as many tasks. A bundle holds a library, a task, a problem, or an agent with its
policies.
"""

import runpy
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.cassandra.reader import read_pomdp
from walkon.models.pomdp import POMDP
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.task import Facts
from walkon.web.offers import TREMBLE

CODE, POMDPS, BUNDLE = ".py", ".pomdp", ".safetensors"


@dataclass(frozen=True, eq=False)
class Own:
    """What somebody brought.

    Attributes:
        name: What it is called: the name of its first file.
        library: The tasks.
        agent: The agent that came with them, ready to play; None if there was none.
    """

    name: str
    library: TaskLibrary
    agent: Agent | None = None


def read_own(paths: Sequence[Path]) -> Own:
    """The library in some files."""
    kinds = {path.suffix.lower() for path in paths}
    for path in paths:
        if not path.is_file():
            raise InputError(f'there is no file "{path}"')
    if kinds == {POMDPS}:
        return Own(paths[0].stem, TaskLibrary([Task.from_pomdp(read_pomdp(path), name=path.stem) for path in paths]))
    if len(paths) > 1:
        raise InputError(f"{paths[1]}: several files make a library only if all are {POMDPS} files")
    if kinds == {CODE}:
        return Own(paths[0].stem, _defined(paths[0]))
    return _loaded(paths[0])


def _defined(path: Path) -> TaskLibrary:
    found = runpy.run_path(str(path)).get("library")
    library = found() if callable(found) and not isinstance(found, TaskLibrary) else found
    if not isinstance(library, TaskLibrary):
        what = "nothing" if found is None else f"a {type(library).__name__}"
        raise InputError(
            f"{path} defines {what} as `library`: expected `library = walkon.TaskLibrary([...])`, or a function that "
            "returns one"
        )
    return library


def _loaded(path: Path) -> Own:
    thing: Any = load(path)
    if isinstance(thing, TaskLibrary):
        return Own(path.stem, thing)
    if isinstance(thing, Task):
        return Own(path.stem, TaskLibrary([thing]))
    if isinstance(thing, POMDP):
        return Own(path.stem, TaskLibrary([Task.from_pomdp(thing, name=path.stem)]))
    if hasattr(thing, "library") and hasattr(thing, "act"):
        return Own(path.stem, thing.library, thing)
    raise InputError(f"{path} holds a {type(thing).__name__}, expected a library, a task, a POMDP or an agent")


def trembling(library: TaskLibrary, tremble: float = TREMBLE) -> TaskLibrary:
    """The library with teammates that now and then make a uniform move; those that are folded in stay as they are."""
    return TaskLibrary([_trembling(task, tremble) for task in library])


def _trembling(task: Task, tremble: float) -> Task:
    if task.teammates is None or task.mmdp is None:
        return task
    B = task.teammates.shape[1]
    facts: Facts = {
        "horizon": task.horizon,
        "score": task.score,
        "deliveries": task.deliveries,
        "state_numbers": task.state_numbers,
        "observation_numbers": task.observation_numbers,
    }
    if task.view is not None:
        facts["view"] = task.view
    steady = (1 - tremble) * task.teammates.toarray() + np.full(B, tremble / B)
    names = task.observations
    return Task(task.mmdp, steady, task.sensor, task.start, task.solved, task.name, observations=names, **facts)
