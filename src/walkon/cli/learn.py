"""`walkon learn`: learns a task from a log."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon.cli import terminal
from walkon.cli.options import Json

if TYPE_CHECKING:
    from walkon.tasks.learning.learn import Learned


def learn(
    log: Annotated[
        Path, typer.Argument(help="A CSV file: episode, step, action, observation; if known: state, teammates, reward.")
    ],
    out: Annotated[Path | None, typer.Option(help="Write the task to this bundle.")] = None,
    base: Annotated[str | None, typer.Option(help="A world, or a file with a library, to start from.")] = None,
    task: Annotated[int, typer.Option(help="The number of the task in the base.")] = 0,
    fit: Annotated[
        list[str] | None, typer.Option(help="The parts to learn with a base: transitions, sensor, teammates, start.")
    ] = None,
    strength: Annotated[float, typer.Option(help="The weight of prior knowledge, in observations.")] = 1.0,
    solved: Annotated[list[str] | None, typer.Option(help="A state in which it is solved, without a base.")] = None,
    name: Annotated[str, typer.Option(help="The name of the task.")] = "learned",
    json: Json = False,
) -> None:
    """Learn a task from a log of episodes, and report how certain its probabilities are."""
    from walkon.cli.problem import find_library, pick
    from walkon.formats.bundle import check_name

    terminal.check_writable(out, "--out")
    if out is not None:
        check_name(out)
    known = None
    if base is not None:
        library = find_library(base)
        known = library[pick(task, len(library))]
    learned = walkon.learn(
        walkon.read_log(log), base=known, fit=fit or None, strength=strength, solved=solved or (), name=name
    )
    if out is not None:
        walkon.save(learned.task, out)
    if json:
        terminal.print_json(_report(learned, out))
        return
    typer.echo("\n".join(_lines(learned)))
    if out is not None:
        typer.echo(f"written to {out}")


def _report(learned: "Learned", out: Path | None) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "task": repr(learned.task),
        "rows": learned.rows,
        "tables": {table: each.sureness._asdict() for table, each in learned.tables.items()},
        "unexplained": learned.unexplained,
        "rounds": learned.rounds,
        "out": str(out) if out else None,
    }


def _lines(learned: "Learned") -> list[str]:
    """Describe the result."""
    lines = [f"{learned.task!r} from {learned.rows:,} rows"]
    for table, each in learned.tables.items():
        sure = each.sureness
        line = f"{table}: {sure.seen:,} of {sure.rows:,} rows were seen"
        if sure.seen:
            line += f", {sure.least:.3g} to {sure.most:.3g} times (median {sure.median:.3g})"
            line += f"; the widest 95 % interval of a probability there is {sure.widest:.2f}"
        lines.append(line)
    if learned.rounds:
        lines.append(
            f"unknown states were guessed, in {learned.rounds} rounds; guesses count as seen, so the intervals are far "
            "too narrow: in trials those of 95 % covered 36 to 60 %"
        )
    if learned.unexplained:
        lines.append(f"left out: {learned.unexplained} stretches that nothing in the base explains")
    return lines
