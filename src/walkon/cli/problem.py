"""Finds the problem or library that a command names: a known name, or a file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from walkon.agents.registry import AGENTS
from walkon.checks import index_of
from walkon.cli import terminal
from walkon.cli.examples import all_examples
from walkon.domains.classics import CLASSICS
from walkon.domains.registry import WORLDS, make
from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.check import BUNDLE
from walkon.formats.library_file import CODE, read_file, read_library
from walkon.formats.model_file import LISTED, MODELS, POMDPS, read_model_file
from walkon.models.mdp import MDP
from walkon.plugins import suggestion
from walkon.saying import briefly
from walkon.tasks import Task, TaskLibrary


def find_problem(
    name: str,
    task: str | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    discount: float | None = None,
    horizon: int | None = None,
    skip_unknown: bool = False,
    notes: list[str] | None = None,
) -> MDP:
    """Return the MDP or POMDP of a world, a small problem or a file; of a library, that of one task, 0 by default.

    Args:
        name: The world, the problem or the file.
        task: The number or the name of the task.
        options: The options of the world.
        discount: A discount in place of the problem's own.
        horizon: The number of steps after which the problem ends; None for none.
        skip_unknown: Whether to skip what the format of the file does not have.
        notes: Gets what was not read as it stands, which is also printed on standard error.
    """
    path = Path(name)
    if name not in WORLDS and name not in CLASSICS and path.suffix.lower() in MODELS and path.is_file():
        _refuse(options, name)
        problem, said = read_model_file(path, skip_unknown=skip_unknown)
        terminal.print_notes(said)
        if notes is not None:
            notes.extend(said)
        if task is not None:
            raise InputError(f"--task is an option of the worlds and of libraries, and {name} is one problem")
    elif skip_unknown:
        raise InputError(f"--skip-unknown is an option of {LISTED} files, and {name} is none")
    else:
        problem = _known(name, task, options)
    problem = problem if discount is None else problem.with_discount(discount)
    return problem if horizon is None else problem.with_horizon(horizon)


def _known(name: str, task: str | None, options: Mapping[str, Any] | None) -> MDP:
    """Return the problem of a world, a small problem, a bundle or a Python file.

    Tag and RockSample are small problems, as the literature has them, and with an option or a task worlds.
    """
    if name in WORLDS and (name not in CLASSICS or options or task is not None):
        return _task(make(name, **options or {}), task)
    _refuse(options, name)
    path = Path(name)
    if name not in CLASSICS and not path.exists():
        known = list(dict.fromkeys([*WORLDS, *CLASSICS]))
        raise InputError(
            f'there is no problem and no file "{name}"{meant(name, known)}: `walkon list` shows {", ".join(known)}'
        )
    if name not in CLASSICS and path.suffix.lower() == CODE:
        return _task(read_library(path), task)
    found = CLASSICS[name]() if name in CLASSICS else load(path)
    if isinstance(found, TaskLibrary):
        return _task(found, task)
    problem = found.pomdp if isinstance(found, Task) else found
    if not isinstance(problem, MDP):
        raise InputError(f"{name} holds {briefly(problem)}, expected an MDP, a POMDP, a task or a library")
    if task is not None:
        raise InputError(f"--task is an option of the worlds and of libraries, and {name} is one problem")
    return problem


def own_library(name: str) -> TaskLibrary | None:
    """Return the library in a user's file; None where the file is something else."""
    path = Path(name)
    return read_library(path) if path.is_file() and path.suffix.lower() in (CODE, *POMDPS, BUNDLE) else None


def find_library(name: str, options: Mapping[str, Any] | None = None) -> TaskLibrary:
    """Return the library of a world, or in a file."""
    if name in WORLDS:
        return make(name, **options or {})
    _refuse(options, name)
    if (library := own_library(name)) is None:
        if Path(name).is_file():
            learning = "; `walkon learn` makes a task of a log" if Path(name).suffix.lower() == ".csv" else ""
            raise InputError(f"{name} holds no library: expected {', '.join((CODE, *POMDPS))} or {BUNDLE}{learning}")
        raise InputError(
            f'there is no world and no file with a library "{name}"{meant(name, WORLDS)}: expected '
            f"{', '.join(WORLDS)}, a bundle or a Python file that defines `library`"
        )
    return library


def _refuse(options: Mapping[str, Any] | None, name: str) -> None:
    """Refuse options of a world where no world is named."""
    if options:
        surplus = min(options).replace("_", "-")
        raise InputError(f"--{surplus} is an option of the worlds, and {name} is none: {', '.join(WORLDS)}")


def check_agent(name: str, what: str) -> None:
    """Say which command plays an agent that the user's file defines; other commands know agents of packages only."""
    if name in AGENTS or Path(what).suffix.lower() != CODE or not Path(what).is_file():
        return
    if name in (read_file(Path(what), "agents")[0] or {}):
        raise InputError(f"{name!r} is an agent of {what}: `walkon compare {what} --agent {name!r}` plays it")


def pick(task: str | None, library: TaskLibrary) -> int:
    """Return the number of a task that was given by its number or its name; 0 by default."""
    said = task or "0"
    return index_of("--task", int(said) if said.isdecimal() and len(said) < 10 else said, len(library), library.names)


def meant(name: str, known: Iterable[str]) -> str:
    """Suggest what a misspelt name may mean: something known, a file in the same folder, or an example of walkon's."""
    beside = (str(each) for each in Path(name).parent.glob("*.*") if each.is_file())
    example = Path(name)
    if example.name in {path.name for path in all_examples().values()}:
        return f" (`walkon examples {example.stem} --out {example.parent}` copies it)"
    return suggestion(name, [*known, *beside])


def _task(library: TaskLibrary, k: str | None) -> MDP:
    """Return the problem of an agent that knows the task: an MDP where the state is observed."""
    task = library[pick(k, library)]
    return task.mdp if task.observed else task.pomdp
