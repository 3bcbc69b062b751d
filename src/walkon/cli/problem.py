"""A problem as a person names it on the command line: a name that walkon knows, or a file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from walkon.domains.classics import CLASSICS
from walkon.domains.registry import DOMAINS, make
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.cassandra.reader import read_model
from walkon.formats.check import SUFFIXES
from walkon.models.mdp import MDP


def find_problem(name: str, task: int | None = None, options: Mapping[str, Any] | None = None) -> MDP:
    """The MDP or POMDP of that name, or in that file.

    Args:
        name: A world, a small problem, or a file.
        task: The number of the task, for a world; its first if not given.
        options: The world's options.
    """
    if name in DOMAINS:
        return _task(name, 0 if task is None else task, options or {})
    if task is not None or options:
        surplus = "task" if task is not None else min(options or {}).replace("_", "-")
        raise InputError(f"--{surplus} is an option of the worlds, and {name} is none: {', '.join(DOMAINS)}")
    if name in CLASSICS:
        return CLASSICS[name]()
    path = Path(name)
    if not path.exists():
        known = ", ".join([*DOMAINS, *CLASSICS])
        raise InputError(f'there is no problem and no file "{name}": `walkon list` knows {known}')
    if path.suffix.lower() in SUFFIXES and not path.is_dir():
        return read_model(path)
    problem = load(path)
    if not isinstance(problem, MDP):
        raise InputError(f"{name} holds a {type(problem).__name__}, expected an MDP or a POMDP")
    return problem


def pick(task: int, count: int) -> int:
    """The number of a task, if there is one."""
    if not 0 <= task < count:
        raise InputError(f"--task is {task}, expected a number from 0 to {count - 1}")
    return task


def _task(world: str, k: int, options: Mapping[str, Any]) -> MDP:
    """What the ad hoc agent faces if it knows the task; an MDP where the state is seen."""
    library = make(world, **options)
    task = library[pick(k, len(library))]
    return task.mdp if task.observed else task.pomdp
