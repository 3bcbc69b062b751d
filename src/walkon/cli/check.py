"""`walkon check` and `walkon list`: describe the content of a file, and what has a name."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Json
from walkon.errors import InputError

if TYPE_CHECKING:
    from walkon.formats.check import Content, Report


def check(
    file: Annotated[Path, typer.Argument(help="A .pomdp or .mdp file, a bundle, or a Python file with a `library`.")],
    json: Json = False,
) -> None:
    """Report errors in a file (exit 2), and what is allowed but often a mistake (exit 0)."""
    from walkon.formats.check import check as look

    report = look(file)
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
    kind = "" if content.kind == "task" else f"{content.kind}, "
    sizes = [(content.states, "states"), (content.actions, "actions"), (content.observations, "observations")]
    yield f"{name}: {kind}{', '.join(f'{size:,} {what}' for size, what in sizes if size)}"
    seen = "" if content.sensor_entries is None else f", {content.sensor_entries:,} observations"
    yield f"possible: {content.transitions:,} transitions{seen}"
    yield f"rewards from {content.least_reward:g} to {content.largest_reward:g}, discount {content.discount:g}"


def list_(json: Json = False) -> None:
    """List what walkon knows by name: worlds, agents, problems, solvers and figures."""
    from rich.text import Text

    from walkon.agents.registry import AGENTS
    from walkon.domains.classics import CLASSICS
    from walkon.domains.registry import WORLDS
    from walkon.paper.run import FIGURES
    from walkon.solvers.solve import SOLVERS

    summary = {
        "worlds": {name: f"{world.title}. {world.goal}" for name, world in WORLDS.working().items()} | WORLDS.broken(),
        "agents": {name: agent.summary for name, agent in AGENTS.working().items()} | AGENTS.broken(),
        "problems": {name: _first_line(problem) for name, problem in CLASSICS.items()},
        "solvers": {name: _first_line(solver) for name, solver in SOLVERS.working().items()} | SOLVERS.broken(),
        "figures": {name: figure.title for name, figure in FIGURES.items()},
    }
    summary = {kind: {name: text.rstrip(". ") for name, text in things.items()} for kind, things in summary.items()}
    if json:
        terminal.print_json(summary)
        return
    for kind, things in summary.items():
        terminal.print_table([(f"  {name}", Text(text)) for name, text in things.items()], title=kind)  # no markup


def _first_line(thing: Any) -> str:
    return (thing.__doc__ or "").partition("\n")[0]
