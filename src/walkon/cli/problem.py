"""A problem as a person names it on the command line: a name that walkon knows, or a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from walkon.domains.classics import CLASSICS
from walkon.domains.registry import WORLDS, make
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.cassandra.reader import read_model
from walkon.formats.check import BUNDLE, SUFFIXES
from walkon.formats.library_file import CODE, POMDPS, read_library
from walkon.models.mdp import MDP
from walkon.tasks import Task, TaskLibrary


def find_problem(name: str, task: int | None = None, options: Mapping[str, Any] | None = None) -> MDP:
    """The MDP or POMDP of that name, or in that file.

    Args:
        name: A world, a small problem, or a file.
        task: The number of the task, for a world or a file with a library; its first if not given.
        options: The world's options.
    """
    if name in WORLDS:
        return _task(make(name, **options or {}), task)
    _refuse(options, name)
    path = Path(name)
    if name not in CLASSICS and not path.exists():
        known = ", ".join([*WORLDS, *CLASSICS])
        raise InputError(f'there is no problem and no file "{name}": `walkon list` knows {known}')
    if name not in CLASSICS and path.suffix.lower() == CODE:
        return _task(read_library(path), task)
    found = CLASSICS[name]() if name in CLASSICS else read_model(path) if _is_model(path) else load(path)
    if isinstance(found, TaskLibrary):
        return _task(found, task)
    problem = found.pomdp if isinstance(found, Task) else found
    if not isinstance(problem, MDP):
        raise InputError(f"{name} holds a {type(problem).__name__}, expected an MDP, a POMDP, a task or a library")
    if task is not None:
        raise InputError(f"--task is an option of the worlds and of libraries, and {name} is one problem")
    return problem


def own_library(name: str) -> TaskLibrary | None:
    """The library in a file that somebody brought; None where the file is something else."""
    path = Path(name)
    return read_library(path) if path.is_file() and path.suffix.lower() in (CODE, POMDPS, BUNDLE) else None


def find_library(name: str, options: Mapping[str, Any] | None = None) -> TaskLibrary:
    """The library of a world, or in a file."""
    if name in WORLDS:
        return make(name, **options or {})
    _refuse(options, name)
    if (library := own_library(name)) is None:
        raise InputError(
            f'there is no world and no file with a library "{name}": expected {", ".join(WORLDS)}, a bundle or a '
            f"Python file that defines `library`"
        )
    return library


def _refuse(options: Mapping[str, Any] | None, name: str) -> None:
    """Options of a world, where no world is named."""
    if options:
        surplus = min(options).replace("_", "-")
        raise InputError(f"--{surplus} is an option of the worlds, and {name} is none: {', '.join(WORLDS)}")


def _is_model(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.is_dir()


def pick(task: int, count: int) -> int:
    """The number of a task, if there is one."""
    if not 0 <= task < count:
        raise InputError(f"--task is {task}, expected a number from 0 to {count - 1}")
    return task


def _task(library: TaskLibrary, k: int | None) -> MDP:
    """What the ad hoc agent faces if it knows the task; an MDP where the state is seen."""
    task = library[pick(k or 0, len(library))]
    return task.mdp if task.observed else task.pomdp
