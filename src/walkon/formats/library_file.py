"""Read a library of tasks from a Python file, from `.pomdp` or `.pomdpx` files, or from a bundle.

A Python file is code that its user chose to run, and is run only if the user named it on the command line. It defines
`library`: the result of `walkon.define` or `walkon.TaskLibrary`, or a function that returns one. Data files are never
code.
"""

import os
import runpy
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from walkon.errors import InputError
from walkon.formats.bundle import load
from walkon.formats.files import FormatWarning, check_file
from walkon.formats.model_file import POMDPS, read_model_file
from walkon.models.pomdp import POMDP
from walkon.saying import briefly
from walkon.tasks import Task, TaskLibrary

CODE = ".py"


def read_library(path: str | os.PathLike[str], *others: str | os.PathLike[str]) -> TaskLibrary:
    """Read a library from one file, or from several `.pomdp` or `.pomdpx` files, each of which is a task.

    Args:
        path: A Python file, a `.pomdp` or `.pomdpx` file, or a bundle.
        others: More `.pomdp` or `.pomdpx` files.
    """
    for each in (path, *others):
        check_file(each, "a library of tasks")
    paths = [Path(path), *map(Path, others)]
    if all(each.suffix.lower() in POMDPS for each in paths):
        return TaskLibrary([Task.from_pomdp(_read_pomdp(each), name=each.stem) for each in paths])
    if others:
        raise InputError(
            f"{paths[1]}: several files make a library only if all of them are {' or '.join(POMDPS)} files"
        )
    return _run(paths[0]) if paths[0].suffix.lower() == CODE else _load(paths[0])


def _read_pomdp(path: Path) -> POMDP:
    """Read a POMDP, with a warning of each thing that was not read as it stands."""
    model, notes = read_model_file(path, observed=True)
    for note in notes:
        warnings.warn(note, FormatWarning, stacklevel=4)
    assert isinstance(model, POMDP)
    return model


def _run(path: Path) -> TaskLibrary:
    """Run a Python file, as `python FILE` would, and take its `library`."""
    with _running(path):
        found = runpy.run_path(str(path)).get("library")
        library = found() if callable(found) else found
    if isinstance(library, TaskLibrary):
        return library
    what = "nothing" if found is None else f"a {type(library).__name__}"
    raise InputError(f"{path} defines {what} as `library`: expected `library = walkon.define([...])`")


def read_file(path: Path, *names: str) -> list[Any]:
    """Run a Python file, and return what it defines under these names: None where it defines nothing."""
    with _running(path):
        found = runpy.run_path(str(path))
    return [found.get(name) for name in names]


@contextmanager
def _running(path: Path) -> Iterator[None]:
    """Let a file import its neighbours, and turn its errors into one that names it."""
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        yield
    except Exception as cause:
        raise InputError(_failure(path, cause)) from cause
    except SystemExit as cause:
        if type(cause) is not SystemExit:  # Ctrl-C in the command line
            raise
        raise InputError(
            f"{_place(path, cause)}: it calls sys.exit({cause.code!r:.60}), expected to run to its end"
        ) from None
    finally:
        with suppress(ValueError):  # the file may have removed it
            sys.path.remove(folder)


def _failure(path: Path, cause: Exception) -> str:
    """Describe an error in a user's file, with the last line of that file that was being executed."""
    if isinstance(cause, SyntaxError):
        return f"{path}, line {cause.lineno}: {cause.msg}"
    place = _place(path, cause)
    return f"{place}: {cause}" if isinstance(cause, InputError) else f"{place}: {type(cause).__name__}: {cause}"


def _place(path: Path, cause: BaseException) -> str:
    """Return the last line of a file that was being executed, as "FILE, line N"."""
    lines = [frame.lineno for frame in traceback.extract_tb(cause.__traceback__) if frame.filename == str(path)]
    return f"{path}, line {lines[-1]}" if lines else str(path)


def _load(path: Path) -> TaskLibrary:
    thing: Any = load(path)
    if isinstance(thing, POMDP):
        thing = Task.from_pomdp(thing, name=path.stem)
    if isinstance(thing, Task):
        return TaskLibrary([thing])
    library = getattr(thing, "library", thing)  # an agent has its library
    if isinstance(library, TaskLibrary):
        return library
    raise InputError(f"{path} holds {briefly(thing)}, expected a library, a task, a POMDP or an agent")
