"""`walkon check`: checks that a file is well formed, and points out likely mistakes."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Json, SkipUnknown
from walkon.errors import InputError

if TYPE_CHECKING:
    from walkon.formats.check import Content, Report


def check(
    file: Annotated[
        Path, typer.Argument(help="A .pomdp, .pomdpx or .mdp file, a bundle, a Python file with a `library`.")
    ],
    skip_unknown: SkipUnknown = False,
    json: Json = False,
) -> None:
    """Report errors in a file (exit 2), and what is allowed but often a mistake (exit 0)."""
    from walkon.cli.problem import meant
    from walkon.formats.check import check as look

    if not file.exists() and (hint := meant(str(file), ())):
        raise InputError(f'there is no file "{file}"{hint}')
    report = look(file, skip_unknown=skip_unknown)
    terminal.print_notes(report.notes)
    if json:
        terminal.print_json(asdict(report))
        if report.mistake:
            raise typer.Exit(2)
        return
    if report.mistake:
        raise InputError(report.mistake.message)
    typer.echo("\n".join(_lines(report)))


def _lines(report: "Report") -> Iterator[str]:
    """Describe the content of a file, and what is doubtful about it."""
    if report.content:
        yield from _describe(report.file, report.content)
    else:
        yield f"{report.file}: a library of {saying.count(len(report.tasks), 'task')}"
    yield from (f"doubtful: {doubt.message}" for doubt in report.doubts)
    for k, task in enumerate(report.tasks):
        yield from _describe(f'task {k} "{task.name}"', task.content)
        yield from (f"doubtful: {doubt.message}" for doubt in task.doubts)
    if not any([report.doubts, *(task.doubts for task in report.tasks)]):
        yield "nothing doubtful"


def _describe(name: str, content: "Content") -> Iterator[str]:
    if content.kind == "walks":
        met = f"{content.states:,} states, {content.observations:,} observations in {content.transitions:,} steps"
        yield f"{name}: {content.actions:,} actions, without tables; walks met {met}"
        yield f"rewards from {content.least_reward:g} to {content.largest_reward:g}, discount {content.discount:g}"
        return
    kind = "" if content.kind == "task" else f"{content.kind}, "
    sizes = [(content.states, "states"), (content.actions, "actions"), (content.observations, "observations")]
    yield f"{name}: {kind}{', '.join(f'{size:,} {what}' for size, what in sizes if size)}"
    seen = "" if content.sensor_entries is None else f", {content.sensor_entries:,} observations"
    yield f"possible: {content.transitions:,} transitions{seen}"
    yield f"rewards from {content.least_reward:g} to {content.largest_reward:g}, discount {content.discount:g}"
