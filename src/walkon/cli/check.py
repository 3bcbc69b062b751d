"""`walkon check`: whether a file is well formed, and whether what is in it looks as meant."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from walkon.formats.check import Content
    from walkon.tasks.doubts import Doubt


def check(
    file: Annotated[
        Path,
        typer.Argument(help="A .pomdp or .mdp file, a bundle, or a Python file that defines `library` (it is run)."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what is wrong with a file (exit 2), or what is allowed but often a mistake (exit 0)."""
    from walkon import InputError
    from walkon.cli import terminal
    from walkon.formats.check import check as look

    report = look(file)
    if json:
        terminal.print_json(report.as_dict())
        if report.mistake:
            raise typer.Exit(2)
        return
    if report.mistake:
        raise InputError(report.mistake.message)
    if report.content:
        _print(_said(report.file, report.content))
    else:
        typer.echo(f"{report.file}: a library of {len(report.tasks)} task{'' if len(report.tasks) == 1 else 's'}")
    _print(_doubtful(report.doubts))
    for k, task in enumerate(report.tasks):
        _print(_said(f'task {k} "{task.name}"', task.content))
        _print(_doubtful(task.doubts))
    if not any(report.all_doubts):
        typer.echo("nothing doubtful")


def _print(lines: "Iterable[str]") -> None:
    for line in lines:
        typer.echo(line)


def _doubtful(doubts: "Iterable[Doubt]") -> "Iterator[str]":
    return (f"doubtful: {doubt.message}" for doubt in doubts)


def _said(name: str, content: "Content") -> "Iterator[str]":
    """What a model is, in words."""
    kind = "" if content.kind == "task" else f"{content.kind}, "
    sizes = [(content.states, "states"), (content.actions, "actions"), (content.observations, "observations")]
    yield f"{name}: {kind}{', '.join(f'{size:,} {what}' for size, what in sizes if size)}"
    seen = "" if content.sensor_entries is None else f", {content.sensor_entries:,} observations"
    yield f"possible: {content.transitions:,} transitions{seen}"
    yield f"rewards from {content.least_reward:g} to {content.largest_reward:g}, discount {content.discount:g}"
