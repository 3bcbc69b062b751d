"""`walkon learn`: learns a task from a log."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon.cli import terminal
from walkon.cli.options import Json

if TYPE_CHECKING:
    from walkon.tasks.learning.held_out import HeldOut
    from walkon.tasks.learning.learn import Learned

MOST_NAMED = 5  # rows that are not determined


def learn(
    log: Annotated[
        Path, typer.Argument(help="A CSV file: episode, step, action, observation; if known: state, teammates, reward.")
    ],
    out: Annotated[Path | None, typer.Option(help="Write the task to this bundle.")] = None,
    base: Annotated[str | None, typer.Option(help="A world, or a file with a library, to start from.")] = None,
    task: Annotated[str | None, typer.Option(help="The number or name of the task in the base; 0 by default.")] = None,
    fit: Annotated[
        list[str] | None, typer.Option(help="The parts to learn with a base: transitions, sensor, teammates, start.")
    ] = None,
    strength: Annotated[float, typer.Option(help="The weight of prior knowledge, in observations.")] = 1.0,
    smoothing: Annotated[
        float, typer.Option(help="If something is unknown, the share of prior knowledge that allows every outcome.")
    ] = 0.01,
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
        known = library[pick(task, library)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", walkon.LogWarning)  # they are printed
        learned = walkon.learn(
            walkon.read_log(log),
            base=known,
            fit=fit or None,
            strength=strength,
            smoothing=smoothing,
            solved=solved or (),
            name=name,
        )
    held_out, written = learned.held_out(), None
    for text in learned.warnings:
        typer.echo(f"warning: {text}", err=True)
    try:
        if out is not None:
            walkon.save(learned.task, out)
            written = out
    finally:  # what was found is not lost if it cannot be written
        if json:
            terminal.print_json(_report(learned, held_out, written))
        else:
            typer.echo("\n".join(_lines(learned, held_out, "the base" if base else "a uniform model")))
    if written is not None and not json:
        typer.echo(f"written to {written}")


def _report(learned: "Learned", held_out: "HeldOut | None", out: Path | None) -> dict[str, Any]:
    """Return the result as plain data."""
    return {
        "task": repr(learned.task),
        "rows": learned.rows,
        "tables": {
            table: each.sureness._asdict() | {"undetermined": (~each.determined).nonzero()[0].tolist()}
            for table, each in learned.tables.items()
        },
        "held_out": None if held_out is None else held_out._asdict(),
        "unexplained": learned.unexplained,
        "rounds": learned.rounds,
        "warnings": list(learned.warnings),
        "out": str(out) if out else None,
    }


def _lines(learned: "Learned", held_out: "HeldOut | None", other: str) -> Iterator[str]:
    """Describe the result."""
    yield f"{learned.task!r} from {learned.rows:,} rows"
    for table, each in learned.tables.items():
        sure = each.sureness
        line = f"{table}: the log determines {sure.determined:,} of {sure.rows:,} rows"
        if sure.determined:
            worth = f"{sure.least:.3g} to {sure.most:.3g} observations (median {sure.median:.3g})"
            line += f", each by {worth}" if sure.least < sure.most else f", by {sure.most:.3g} observations"
            line += f"; there, 95 % intervals are {sure.mean_width:.2f} wide on average, {sure.widest:.2f} at most"
        yield line
        if sure.determined < sure.rows:
            lost = [_row(learned, table, int(row)) for row in (~each.determined).nonzero()[0][:MOST_NAMED]]
            more = sure.rows - sure.determined - len(lost)
            yield f"  not determined: {'; '.join(lost)}{f'; and {more:,} more' if more else ''}"
    if learned.rounds:
        yield f"what was unknown was inferred, in {learned.rounds} rounds; the intervals allow for that"
    yield _held_out(held_out, other)


def _row(learned: "Learned", table: str, row: int) -> str:
    """Name a row of a table by its state, and by the actions where the table has them."""
    task = learned.task
    X = len(task.pomdp.start)
    if table == "start":
        return "start"
    state = str(row % X) if task.states is None else task.states[row % X]
    if table == "teammates":
        return state
    before, B = row // X, 1 if table == "sensor" or task.mmdp is None else task.mmdp.R.shape[2]
    action = str(before // B) if task.actions is None else task.actions[before // B]
    if B == 1:
        return f"{state} after {action}" if table == "sensor" else f"{state}, {action}"
    theirs = task.mmdp.teammate_actions if task.mmdp is not None else None
    return f"{state}, {action}, {before % B if theirs is None else theirs[before % B]}"


def _held_out(held_out: "HeldOut | None", other: str) -> str:
    """Describe the likelihood of episodes that were left out."""
    if held_out is None:
        return "held-out likelihood: none, because the log has a single episode"
    line = f"episodes that were left out of learning: mean log-likelihood of a step {held_out.learned:.3f}"
    line += f", under {other} with the same smoothing {held_out.base:.3f}"
    if held_out.impossible_learned or held_out.impossible_base:
        line += f"; of {held_out.episodes:,} episodes, {held_out.impossible_learned:,} are impossible as learned"
        line += f" (and not in the means), {held_out.impossible_base:,} under {other} without smoothing"
    return line
