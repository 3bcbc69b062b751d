"""The keyboard while an episode is shown: a key is enough on a terminal, a line elsewhere."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

Wish: TypeAlias = Literal["next", "back", "pause", "quit", ""]  # the last: nothing was pressed
Ask: TypeAlias = Callable[[float | None], Wish]

MEANING: dict[bytes, Wish] = {b"q": "quit", b"Q": "quit", b"": "quit", b" ": "pause", b"b": "back"}
MEANING |= {b"\x1b[D": "back", b"\x1bOD": "back"}  # the arrow to the left


@contextmanager
def keyboard() -> Iterator[Ask]:
    """A question, "what is wished?", that waits so many seconds for a key, or as long as it takes.

    While it can be asked, a terminal hands over keys as they are pressed and does not show them.
    """
    termios = _termios() if sys.stdin.isatty() else None
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


def _termios() -> Any:
    """The terminal's own settings, on systems that have them."""
    try:
        import termios
    except ImportError:
        return None
    return termios


def _key(fd: int, seconds: float | None) -> Wish:
    ready, _, _ = select.select([fd], [], [], seconds)
    return MEANING.get(os.read(fd, 8), "next") if ready else ""


def _line(seconds: float | None) -> Wish:
    """From a pipe: a line for each step; its end means to stop."""
    if seconds is not None:
        time.sleep(seconds)
        return ""
    line = sys.stdin.readline()
    return MEANING.get(line.strip().encode()[:1], "next") if line.strip() else "next" if line else "quit"
