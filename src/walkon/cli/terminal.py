"""The output of the command line: results on standard output, everything else on standard error."""

import json
import math
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType

from walkon.errors import InputError
from walkon.saying import count, duration

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLE = 100  # of many, how many are measured before the time that all take is estimated
A_WHILE = 60.0  # seconds


def console(*, stderr: bool = False) -> Console:
    """Make a console for one of the two streams.

    A pipe gets neither cursor movements nor a live display. It gets colours if FORCE_COLOR is set and NO_COLOR is not.
    """
    stream = sys.stderr if stderr else sys.stdout
    if stream is not None and stream.isatty():
        return Console(stderr=stderr)
    coloured = os.environ.get("FORCE_COLOR") and not os.environ.get("NO_COLOR")
    return Console(stderr=stderr, force_terminal=False, color_system="standard" if coloured else "auto")


out = console()
err = console(stderr=True)


def wants_json() -> bool:
    """Return whether the command line asks for one JSON document."""
    return "--json" in sys.argv[1:]


@contextmanager
def only_documents() -> Iterator[None]:
    """Reserve standard output for `print_json`: what anything else prints there goes to standard error.

    A user's Python file, an agent of another package or a worker process may print at any time.
    """
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    _documents.append(kept)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(_documents.pop(), 1)
        os.close(kept)


_documents: list[int] = []  # the file descriptor that JSON documents are written to, if not standard output


def print_json(document: Any) -> None:
    """Print one JSON document on standard output."""
    text = as_json(document)
    if not _documents:
        sys.stdout.write(text)
        return
    with os.fdopen(os.dup(_documents[-1]), "w", encoding="utf-8") as file:
        file.write(text)


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


def check_plot(path: Path | None, option: str = "--plot") -> None:
    """Refuse a figure that cannot be drawn or written before the work that it is for is done."""
    from walkon.figures.files import FORMATS

    check_writable(path, option)
    if path is not None and path.suffix[1:] not in FORMATS:
        raise InputError(f"{path} is no picture that can be drawn: name it .{', .'.join(FORMATS)}")


def write_plot(figure: "Figure", path: Path, name: str) -> None:
    """Write a figure to a file, in the format of its suffix."""
    from walkon.figures.files import as_bytes
    from walkon.formats.files import replacing

    with replacing(path) as draft:
        draft.write_bytes(as_bytes(figure, path.suffix[1:], name))


def check_writable(path: Path | None, option: str) -> None:
    """Refuse a file that cannot be written before the work for it starts."""
    if path is not None and path.is_dir():
        raise InputError(f"{path} is a folder: give {option} the name of a file")
    if path is not None and not path.parent.is_dir():
        raise InputError(f"{path.parent} is not a folder: make it first, or give another {option}")
    if path is not None:
        try:
            tempfile.TemporaryFile(dir=path.parent).close()
        except OSError as cause:
            raise InputError(f"{path} cannot be written ({cause.strerror}): give another {option}") from None


def write_or_rescue(path: Path, write: Callable[[Path], None], failed: list[str]) -> Path | None:
    """Write a file, or else a copy in the folder for temporary files; add to `failed` why, and where it is now."""
    try:
        write(path)
        return path
    except (InputError, OSError) as cause:
        why = str(cause)
    try:
        rescued = Path(tempfile.mkdtemp(prefix="walkon-"), path.name)
        write(rescued)
    except (InputError, OSError):
        failed.append(f"{why}; nor could it be written to the folder for temporary files")
        return None
    failed.append(f"{why}; it was written to {rescued} instead")
    return rescued


def draw_if_possible(path: Path | None, draw: "Callable[[], Figure]", failed: list[str]) -> None:
    """Draw a figure to a file, if there is one; add to `failed` why that is not possible."""
    if path is not None:
        try:
            write_plot(draw(), path, path.stem)
        except (InputError, OSError) as cause:
            failed.append(f"{path} was not drawn: {cause}")


def print_error(text: str) -> None:
    """Print an error on standard error."""
    err.print("error:", style="bold red", end=" ")
    err.print(text, markup=False, highlight=False, soft_wrap=True)


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


def live() -> dict[str, Any]:
    """Return what live lines are made with: they go at the end, and a pipe gets nothing of them."""
    return {"console": err, "transient": True, "disable": not err.is_interactive}


@contextmanager
def counted(what: str) -> Iterator[tuple[Callable[[int, int], None], Callable[[str], None]]]:
    """Show a live line; yield a function that sets its count and total, and one that sets its words."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        RenderableColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        compilation_notice(),
        Progress(*columns, RenderableColumn(CompiledKernels()), **live()) as bar,
    ):
        line = bar.add_task(what, total=None)
        yield (
            lambda done, total: bar.update(line, completed=done, total=total),
            lambda now: bar.update(line, description=now),
        )


@contextmanager
def estimated(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a live line with the time left; yield a function that sets its count.

    If the whole will take more than a minute, that is also said once in words, for those who see no live line.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    begun: list[float] = []  # after the first, which may have to be compiled

    def show(done: int) -> None:
        bar.update(line, completed=done)
        if done == 1:
            begun.append(perf_counter())
        elif done == SAMPLE:
            seconds = (perf_counter() - begun[0]) / (done - 1) * total
            if seconds > A_WHILE:
                time = duration(seconds)
                err.print(f"{what} will take about {time}; Ctrl-C stops it, and keeps what is there", style="dim")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, **live()) as bar:
        line = bar.add_task(what, total=total)
        yield show


class CompiledKernels:
    """How many kernels this command has compiled so far; nothing if none had to be."""

    def __rich__(self) -> str:
        """Return the text for a live display."""
        from walkon.compiled import compiled_count

        done = compiled_count()
        return f"[dim]{count(done, 'kernel')} compiled" if done else ""


@contextmanager
def compilation_notice() -> Iterator[None]:
    """Print a notice when kernels are compiled, which takes seconds, once on a machine."""
    from walkon.compiled import telling

    with telling(lambda said: err.print(said, style="dim")):
        yield
