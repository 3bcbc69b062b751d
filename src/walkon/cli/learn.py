"""`walkon learn`: from a log to a task."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from walkon.tasks import Task
    from walkon.tasks.learning.learn import Learned


def learn(
    log: Annotated[
        Path,
        typer.Argument(help="A CSV file: episode, step, action, observation, and if known state, teammates, reward."),
    ],
    out: Annotated[Path | None, typer.Option(help="Write the task to this bundle.")] = None,
    base: Annotated[str | None, typer.Option(help="A world, or a file with a library: what is known already.")] = None,
    task: Annotated[int, typer.Option(help="Of the base, the number of the task.")] = 0,
    fit: Annotated[
        list[str] | None, typer.Option(help="With a base, what to learn: transitions, sensor, teammates, start.")
    ] = None,
    strength: Annotated[float, typer.Option(help="How many observations what is held before weighs.")] = 1.0,
    solved: Annotated[list[str] | None, typer.Option(help="Without a base, a state in which it is solved.")] = None,
    name: Annotated[str, typer.Option(help="What the task is called.")] = "learned",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Learn a task from a log of episodes, and say how sure it is."""
    import walkon
    from walkon.cli import terminal

    terminal.check_writable(out, "--out")
    known = None if base is None else _base(base, task)
    learned = walkon.learn(
        walkon.read_log(log), base=known, fit=fit or None, strength=strength, solved=solved or (), name=name
    )
    if out is not None:
        walkon.save(learned.task, out)
    if json:
        terminal.print_json(_report(learned, out))
        return
    for line in _said(learned):
        typer.echo(line)
    if out is not None:
        typer.echo(f"written to {out}")


def _base(name: str, k: int) -> "Task":
    """The task that is known already."""
    import walkon
    from walkon.cli.problem import own_library, pick
    from walkon.domains.registry import WORLDS

    library = walkon.make(name) if name in WORLDS else own_library(name)
    if library is None:
        raise walkon.InputError(f'there is no world and no library "{name}": expected {", ".join(WORLDS)}, or a file')
    return library[pick(k, len(library))]


def _report(learned: "Learned", out: Path | None) -> dict[str, Any]:
    """What was learned, as plain data."""
    return {
        "task": repr(learned.task),
        "rows": learned.rows,
        "tables": {table: each.sureness._asdict() for table, each in learned.tables.items()},
        "unexplained": learned.unexplained,
        "rounds": learned.rounds,
        "out": str(out) if out else None,
    }


def _said(learned: "Learned") -> list[str]:
    """What was learned, in words."""
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
