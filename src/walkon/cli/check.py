"""`walkon check`: whether a file is well formed, and whether the model in it looks as meant."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkon.formats.check import Content


def check(
    file: Annotated[Path, typer.Argument(help="A .pomdp or .mdp file.")],
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
        for line in _said(report.file, report.content):
            typer.echo(line)
    for doubt in report.doubts:
        typer.echo(f"doubtful: {doubt.message}")
    if not report.doubts:
        typer.echo("nothing doubtful")


def _said(file: str, content: "Content") -> "Iterator[str]":
    """What a file holds, in words."""
    sizes = [(content.states, "states"), (content.actions, "actions"), (content.observations, "observations")]
    yield f"{file}: {content.kind}, {', '.join(f'{size:,} {what}' for size, what in sizes if size)}"
    readings = "" if content.readings is None else f", {content.readings:,} readings"
    yield f"possible: {content.transitions:,} transitions{readings}"
    yield f"rewards from {content.least_reward:g} to {content.largest_reward:g}, discount {content.discount:g}"
