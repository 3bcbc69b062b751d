"""Shows an episode: step by step on a terminal, line by line anywhere else."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Literal, TypeAlias

import typer
from rich.live import Live

from walkon.agents.memory import Memory
from walkon.cli import terminal, transcript
from walkon.cli.screen import Screen
from walkon.formats.episode_file import Recording
from walkon.simulation.picture import Picture, picture_of

Wish: TypeAlias = Literal["next", "back", "pause", "quit", ""]  # the last: nothing was pressed
Ask: TypeAlias = Callable[[float | None], Wish]

MEANING: dict[bytes, Wish] = {b"q": "quit", b"Q": "quit", b"": "quit", b" ": "pause", b"b": "back"}
MEANING |= {b"\x1b[D": "back", b"\x1bOD": "back"}  # the arrow to the left
STEPPING = "Enter next · b back · q quit"
RUNNING = "space pause · q quit"
PAUSED = "paused: Enter next · b back · space go on · q quit"


def show(recording: Recording, memories: Sequence[Memory], *, delay: float, step: bool) -> None:
    """Show an episode and its result; memories may be empty. A delay of 0 shows only the end; `step` waits for keys."""
    T = len(recording.episode.actions)

    def at(t: int) -> Picture:
        known = memories[t] if memories else None
        return picture_of(recording.episode, recording.library, recording.task, t, recording.choices[t], known)

    if not _is_screen():
        _print_lines(recording, T, at, step, only_end=delay == 0 and not step)
    else:
        if delay > 0 or step:
            _animate(T, at, delay, step)
        terminal.out.print(Screen(at(T)))
        typer.echo()
    for line in transcript.closing(recording):
        typer.echo(line)


def _is_screen() -> bool:
    """Check that the output is a terminal that can be drawn on, not a file or a pipe."""
    return terminal.out.is_terminal and not terminal.out.is_dumb_terminal and sys.stdout.isatty()


def _print_lines(recording: Recording, T: int, at: Callable[[int], Picture], step: bool, only_end: bool) -> None:
    """Print a line for each step."""
    for line in transcript.heading(recording):
        typer.echo(line)
    with keyboard() as ask:
        for t in range(T if only_end else 0, T + 1):
            typer.echo(transcript.line(at(t)))
            if step and t < T and ask(None) == "quit":
                return


def _animate(T: int, at: Callable[[int], Picture], delay: float, step: bool) -> None:
    """Show the whole screen for each step, until the last one or until the user quits."""
    t, paused = 0, step
    with keyboard() as ask, Live(console=terminal.out, screen=True, auto_refresh=True) as live:
        while True:
            hint = STEPPING if step else PAUSED if paused else RUNNING
            live.update(Screen(at(t), hint, full=True), refresh=True)
            match ask(None if paused else delay):
                case "quit":
                    return
                case "back":
                    t, paused = max(t - 1, 0), True
                case "pause" if not step:
                    paused = not paused
                case _:
                    t += 1
            if t > T:
                return


@contextmanager
def keyboard() -> Iterator[Ask]:
    """Yield a function that waits for a key, at most for the given seconds, and returns what it means.

    Meanwhile, a terminal delivers keys as they are pressed and does not show them. Elsewhere, lines take their place.
    """
    try:
        termios: Any = import_module("termios") if sys.stdin.isatty() else None
    except ImportError:  # not on this system
        termios = None
    if termios is None:
        yield _line
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    quiet = termios.tcgetattr(fd)
    quiet[3] &= ~(termios.ICANON | termios.ECHO)
    try:
        termios.tcsetattr(fd, termios.TCSADRAIN, quiet)
        yield lambda seconds: _key(fd, seconds)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _key(fd: int, seconds: float | None) -> Wish:
    ready, _, _ = select.select([fd], [], [], seconds)
    return MEANING.get(os.read(fd, 8), "next") if ready else ""


def _line(seconds: float | None) -> Wish:
    """Wait for a line of a pipe, whose end means to quit."""
    if seconds is not None:
        time.sleep(seconds)
        return ""
    line = sys.stdin.readline()
    return MEANING.get(line.strip().encode()[:1], "next") if line.strip() else "next" if line else "quit"
