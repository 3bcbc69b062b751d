"""`walkon check`: whether a file is well formed, and whether the model in it looks as meant."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
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
        _print(report.file, report.content)
    for doubt in report.doubts:
        terminal.out.print(f"doubtful: {doubt.message}", markup=False, highlight=False, soft_wrap=True)
    if not report.doubts:
        terminal.out.print("nothing doubtful")


def _print(file: str, content: "Content") -> None:
    from rich.table import Table

    from walkon.cli.terminal import out

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    sizes = [(content.states, "states"), (content.actions, "actions"), (content.observations, "observations")]
    table.add_row(file, f"{content.kind} with {', '.join(f'{size:,} {what}' for size, what in sizes if size)}")
    table.add_row("discount", f"{content.discount:g}")
    readings = "" if content.readings is None else f", {content.readings:,} readings"
    table.add_row("with a chance", f"{content.transitions:,} transitions{readings}")
    table.add_row("rewards", f"from {content.least_reward:g} to {content.largest_reward:g}")
    out.print(table, highlight=False)
