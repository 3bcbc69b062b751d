"""What the command line writes, and where: results on standard output, everything else on standard error."""

import json
import math
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import mmap
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console

from walkon.errors import InputError

out = Console()
err = Console(stderr=True)


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(as_json(document))


def as_json(document: Any) -> str:
    """A document as JSON. That has no not-a-number and no infinity: they become null."""
    return json.dumps(_plain(document), indent=2, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def check_writable(path: Path | None, option: str) -> None:
    """Refuse a file that cannot be written before the work that it is for is done."""
    if path is not None and path.is_dir():
        raise InputError(f"{path} is a folder: give {option} the name of a file")
    if path is not None and not path.parent.is_dir():
        raise InputError(f"{path.parent} is not a folder: make it first, or give another {option}")


@contextmanager
def patience() -> Iterator[Callable[[], bool]]:
    """A question, "was Ctrl-C pressed?", in place of an exception in the middle of the work.

    A second Ctrl-C ends the program at once.
    """
    pressed: list[bool] = []

    def note(signum: int, frame: FrameType | None) -> None:
        pressed.append(True)
        signal.signal(signal.SIGINT, before)
        err.print("stopping: keeping what is there (Ctrl-C again to drop it)")

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def counted(what: str) -> Iterator[tuple[Callable[[int, int], None], Callable[[str], None]]]:
    """A live line that counts: to be told how many are done, of how many; and what is done now."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with compilation_notice(), Progress(*columns, console=err, transient=True) as bar:
        line = bar.add_task(what, total=None)
        yield (
            lambda done, total: bar.update(line, completed=done, total=total),
            lambda now: bar.update(line, description=now),
        )


@contextmanager
def compilation_notice() -> Iterator[None]:
    """Say so when kernels are being compiled: it takes seconds, and happens once on a machine.

    It is said once, whichever process compiles first: those that are forked in the meantime share the memory of it.
    Others say nothing; so it is said at once where nothing is compiled yet.
    """
    from numba.core import event

    from walkon.compiled import kernel_folder

    said = mmap(-1, 1)

    def say() -> None:
        if not said[0]:
            said[0] = 1
            err.print("compiling kernels for this machine (once, up to a minute)", style="dim")

    class Notice(event.Listener):
        def on_start(self, event: Any) -> None:
            say()

        def on_end(self, event: Any) -> None:
            pass

    if not any(Path(kernel_folder()).iterdir()):
        say()
    with event.install_listener("numba:compile", Notice()):
        yield
