"""Shows an episode: step by step on a terminal, line by line anywhere else."""

import math
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from textwrap import indent
from typing import Any, Literal, TypeAlias

import numpy as np
import typer
from rich.live import Live

from walkon.agents.memory import Memory
from walkon.cli import terminal
from walkon.cli.screen import Screen
from walkon.formats.episode_file import Recording
from walkon.processes import LONGEST_WAIT
from walkon.saying import count
from walkon.simulation.picture import Picture, picture_of

Wish: TypeAlias = Literal["next", "back", "pause", "quit", ""]  # the last: nothing was pressed
Ask: TypeAlias = Callable[[float | None], Wish]

MEANING: dict[bytes, Wish] = {b"q": "quit", b"Q": "quit", b"": "quit", b" ": "pause", b"b": "back"}
MEANING |= {b"\x1b[D": "back", b"\x1bOD": "back"}  # the arrow to the left
STEPPING = "Enter next · b back · q quit"
RUNNING = "space pause · q quit"
PAUSED = "paused: Enter next · b back · space go on · q quit"


def show(
    recording: Recording, memories: Sequence[Memory], why: Sequence[str] = (), *, name: str, delay: float, step: bool
) -> None:
    """Show an episode of a world or file and its result. A delay of 0 shows only the end; `step` waits for keys.

    `memories` [T + 1] may be empty; `why` [T] explains each step, and may be empty too.
    """
    T = len(recording.episode.actions)
    reasons = ["", *why] if why else [""] * (T + 1)

    def at(t: int) -> Picture:
        known = memories[t] if memories else None
        return picture_of(recording.episode, recording.library, recording.task, t, recording.choices[t], known)

    if not _is_screen():
        typer.echo("\n".join(heading(recording, name)))
        _print_lines(T, at, reasons, step, only_end=delay == 0 and not step)
    else:
        if delay > 0 or step:
            _animate(T, at, reasons, delay, step)
        terminal.out.print(Screen(at(T), why=reasons[T]))
        typer.echo()
    typer.echo("\n".join(closing(recording)))


def _is_screen() -> bool:
    """Check that the output is a terminal that can be drawn on, not a file or a pipe."""
    return terminal.out.is_terminal and not terminal.out.is_dumb_terminal and sys.stdout.isatty()


def _print_lines(T: int, at: Callable[[int], Picture], why: Sequence[str], step: bool, only_end: bool) -> None:
    """Print a line for each step, and below it why it was taken."""
    with keyboard() as ask:
        for t in range(T if only_end else 0, T + 1):
            typer.echo(describe_step(at(t)))
            if why[t]:
                typer.echo(indent(why[t], " " * 6))
            if step and t < T and ask(None) == "quit":
                return


def _animate(T: int, at: Callable[[int], Picture], why: Sequence[str], delay: float, step: bool) -> None:
    """Show the whole screen for each step, until the last one or until the user quits."""
    t, paused = 0, step
    with keyboard() as ask, Live(console=terminal.out, screen=True, auto_refresh=True) as live:
        while True:
            hint = STEPPING if step else PAUSED if paused else RUNNING
            live.update(Screen(at(t), hint, full=True, why=why[t]), refresh=True)
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
    end = math.inf if seconds is None else time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        if select.select([fd], [], [], max(0.0, min(left, LONGEST_WAIT)))[0]:
            return MEANING.get(os.read(fd, 8), "next")
        if left <= LONGEST_WAIT:
            return ""


def _line(seconds: float | None) -> Wish:
    """Wait for a line of a pipe, whose end means to quit."""
    if seconds is not None:
        time.sleep(seconds)
        return ""
    line = sys.stdin.readline()
    return MEANING.get(line.strip().encode()[:1], "next") if line.strip() else "next" if line else "quit"


def heading(recording: Recording, name: str) -> Iterator[str]:
    """Yield the world's name, the agent, and the tasks that the numbers of the task belief stand for."""
    episode, names = recording.episode, recording.library.names
    yield f"{name} · {episode.agent} · seed {episode.seed}"
    yield f"task {recording.task}* of {len(names)}: {'; '.join(_marked(names, recording.task))}"


def describe_step(moment: Picture) -> str:
    """Describe one step."""
    parts = [f"{moment.step:3}", moment.did, f"sensed {moment.sensed}"]
    if moment.unexplained:
        parts.append("nothing in the library explains this")
    if moment.belief is not None:
        numbers = (f"{p:.3f}" for p in moment.belief.tolist())
        parts.append(f"task belief {' '.join(_marked(numbers, moment.truth))}")
    return " | ".join(part for part in parts if part)


def summary(recording: Recording) -> dict[str, Any]:
    """Return the result as plain data."""
    episode, task = recording.episode, recording.library[recording.task]
    belief = None if episode.task_beliefs is None else episode.task_beliefs[-1]
    time = float(np.median(episode.decision_times))
    return {
        "task_name": task.name,
        "score": task.score,
        "solved": episode.solved,
        "steps": episode.steps,
        **episode.tally,
        "return": episode.ret,
        "earned": float(episode.rewards.sum()),
        "task_belief": None if belief is None else dict(zip(recording.library.names, belief.tolist(), strict=True)),
        "seconds_per_decision": None if np.isnan(time) else time,
        "unexplained": len(episode.events),
    }


def closing(recording: Recording) -> Iterator[str]:
    """Yield the result in words."""
    episode, end, steps = recording.episode, summary(recording), len(recording.episode.actions)
    tally = recording.library[recording.task].tally
    if tally is not None:
        yield f"{tally.amount(episode.tally[tally.name])} in {steps} steps, earned {end['earned']:g}"
    elif end["score"] == "return":
        yield f"a discounted return of {end['return']:.2f} in {steps} steps, earned {end['earned']:g} in all"
    elif end["solved"]:
        yield f"solved after {count(end['steps'], 'step')}, earned {end['earned']:g}"
    else:
        yield f"not solved in {steps} steps, earned {end['earned']:g}"
    if episode.task_beliefs is not None:
        belief, names = episode.task_beliefs[-1], recording.library.names
        best, truth = int(belief.argmax()), recording.task
        right = "which is the truth" if best == truth else f"the truth, {names[truth]}, has {belief[truth]:.3f}"
        yield f"{episode.agent} believes in {names[best]} with {belief[best]:.3f}; {right}"
    if end["unexplained"]:
        yield f"{end['unexplained']} observations that nothing in the library explains"
    if end["seconds_per_decision"] is not None:
        yield f"a decision took {1e6 * end['seconds_per_decision']:,.0f} us (median of {steps})"


def _marked(words: Any, truth: int) -> Iterator[str]:
    return (f"*{word}" if k == truth else str(word) for k, word in enumerate(words))
