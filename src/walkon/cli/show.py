"""Showing an episode: step by step on a terminal, line by line anywhere else."""

import sys
from collections.abc import Callable, Sequence

import typer
from rich.live import Live

from walkon.agents.memory import Memory
from walkon.cli import terminal, transcript
from walkon.cli.keys import keyboard
from walkon.cli.screen import Screen
from walkon.formats.episode_file import Recording
from walkon.simulation.picture import Picture, picture_of

STEPPING = "Enter next · b back · q quit"
RUNNING = "space pause · q quit"
PAUSED = "paused: Enter next · b back · space go on · q quit"


def show(recording: Recording, memories: Sequence[Memory], *, delay: float, step: bool) -> None:
    """Show an episode and how it ended.

    Args:
        recording: The episode.
        memories: What the agent remembered at each step; empty if that is not known.
        delay: The seconds between two steps; 0 to show only the end.
        step: Whether to wait for a key at each step instead.
    """
    T = len(recording.episode.actions)

    def at(t: int) -> Picture:
        known = memories[t] if memories else None
        return picture_of(recording.episode, recording.library, recording.task, t, recording.choices[t], known)

    if not _is_screen():
        _tell(recording, T, at, step, only_end=delay == 0 and not step)
    else:
        if delay > 0 or step:
            _animate(T, at, delay, step)
        terminal.out.print(Screen(at(T)))
        typer.echo()
    for line in transcript.closing(recording):
        typer.echo(line)


def _is_screen() -> bool:
    """Whether the output is a terminal that can be drawn on, and not a file or a pipe."""
    return terminal.out.is_terminal and not terminal.out.is_dumb_terminal and sys.stdout.isatty()


def _tell(recording: Recording, T: int, at: Callable[[int], Picture], step: bool, only_end: bool) -> None:
    """A line for each step."""
    for line in transcript.heading(recording):
        typer.echo(line)
    with keyboard() as ask:
        for t in range(T if only_end else 0, T + 1):
            typer.echo(transcript.line(at(t)))
            if step and t < T and ask(None) == "quit":
                return


def _animate(T: int, at: Callable[[int], Picture], delay: float, step: bool) -> None:
    """The whole screen, until the last step was seen or the watcher has seen enough."""
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
