"""The output of the command line: results on standard output, everything else on standard error."""

import json
import math
import signal
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from mmap import mmap
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType

from walkon.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

out = Console()
err = Console(stderr=True)


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    sys.stdout.write(as_json(document))


def as_json(document: Any) -> str:
    """Format a document as JSON, which has no NaN and no infinity: they become null."""
    return json.dumps(_plain(document), indent=2, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_notes(notes: Iterable[str]) -> None:
    """Print sentences on standard error, each on a line of its own."""
    for note in notes:
        sys.stderr.write(f"{note}\n")


def print_table(
    rows: "Iterable[Sequence[RenderableType]]",
    head: Sequence[str] = (),
    *,
    title: str | None = None,
    left: Container[str] = (),
    console: Console = out,
) -> None:
    """Print rows without a frame. Of the columns in the head, those in `left` are aligned left, the others right."""
    from rich.table import Table

    table = Table(
        title=title, title_justify="left", title_style="bold", show_header=bool(head), box=None, padding=(0, 2, 0, 0)
    )
    for name in head:
        table.add_column(name.strip(), justify="left" if name in left else "right", no_wrap=title is not None)
    for row in rows:
        table.add_row(*row)
    console.print(table, highlight=False)


def check_plot(path: Path | None) -> None:
    """Refuse a figure that cannot be drawn or written before the work that it is for is done."""
    from walkon.figures.files import FORMATS

    check_writable(path, "--plot")
    if path is not None and path.suffix[1:] not in FORMATS:
        raise InputError(f"{path} is no picture that can be drawn: name it .{', .'.join(FORMATS)}")


def write_plot(figure: "Figure", path: Path, name: str) -> None:
    """Write a figure to a file, in the format of its suffix."""
    from walkon.figures.files import as_bytes

    path.write_bytes(as_bytes(figure, path.suffix[1:], name))


def check_writable(path: Path | None, option: str) -> None:
    """Refuse a file that cannot be written before the work for it starts."""
    if path is not None and path.is_dir():
        raise InputError(f"{path} is a folder: give {option} the name of a file")
    if path is not None and not path.parent.is_dir():
        raise InputError(f"{path.parent} is not a folder: make it first, or give another {option}")


@contextmanager
def patience() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed. A second Ctrl-C ends the program at once."""
    pressed: list[bool] = []

    def note(signum: int, frame: FrameType | None) -> None:
        pressed.append(True)
        signal.signal(signal.SIGINT, before)
        err.print("stopping, and keeping the result so far (Ctrl-C again to drop it)")

    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def counted(what: str) -> Iterator[tuple[Callable[[int, int], None], Callable[[str], None]]]:
    """Show a live line; yield a function that sets its count and total, and one that sets its words."""
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
    """Print a notice when kernels are compiled, which takes seconds, once on a machine.

    It is printed once, whichever process compiles first: forked processes share its memory. Other processes print
    nothing, so it is printed at once where nothing is compiled yet.
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
