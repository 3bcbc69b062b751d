"""`walkon identify`: before anything runs, which tasks of a library can be told apart, and how fast."""

from typing import TYPE_CHECKING, Annotated

import typer

from walkon import saying
from walkon.cli.effort import BACKUPS, EFFORT

if TYPE_CHECKING:
    from walkon.measuring.identification import Identification

WIDE = 8  # tasks, beyond which only the one that is hardest to tell from is shown for each


def identify(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WORLD|FILE", help="A world, or a file with a library of tasks.")],
    trials: Annotated[int, typer.Option(help="How many episodes of each task.")] = 50,
    horizon: Annotated[int | None, typer.Option(help="How many steps; the world's own if not given.")] = None,
    effort: Annotated[str, typer.Option(help=EFFORT)] = "usual",
    backups: Annotated[int | None, typer.Option(help=BACKUPS)] = None,
    seed: Annotated[int, typer.Option(help="What all chance follows from.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say which tasks can be told apart, and how fast: the log Bayes factor for each step."""
    import walkon
    from walkon.cli import terminal
    from walkon.cli.effort import solving
    from walkon.cli.problem import find_library
    from walkon.measuring.identification import identify as find_out

    library = find_library(what, context.obj)
    if horizon is not None and horizon < 1:
        raise walkon.InputError(f"--horizon is {horizon}, expected at least one step")
    how = solving(effort, backups)
    with terminal.counted("solving the tasks") as (watch, say):
        atpo = walkon.agent("atpo", library, **how, seed=seed, watch=watch)
        agents = {"atpo": atpo, "random": walkon.agent("random", library)}
        say("playing")
        found = find_out(library, agents, trials=trials, seed=seed, horizon=horizon, watch=watch)
    if json:
        terminal.print_json(_document(found, trials, seed))
    else:
        _show(found)


def _document(found: "Identification", trials: int, seed: int) -> dict[str, object]:
    speeds = {name: [[interval._asdict() for interval in row] for row in rows] for name, rows in found.speeds.items()}
    return {"tasks": found.names, "steps_apart": found.apart, "speeds": speeds, "trials": trials, "seed": seed}


def _show(found: "Identification") -> None:
    """A table for each agent: rows are the task that is going on, columns the one that it is told from.

    Where there are too many for that, a row has only the one that is hardest to tell it from, and the mean of all.
    """
    from rich.table import Table

    from walkon.cli.terminal import out

    K = len(found.names)
    titles = {"atpo": "ATPO acts", "random": "uniform actions"}
    out.print("log Bayes factor for each step, with 95 % intervals; the row's task is going on")
    for agent, rows in found.speeds.items():
        table = Table(title=titles[agent], title_justify="left", title_style="bold", box=None)
        table.add_column("", no_wrap=True)
        for name in map(str, range(K)) if K <= WIDE else ("hardest to tell from", "", "mean of all"):
            table.add_column(name, justify="right", no_wrap=True)
        for j, row in enumerate(rows):
            cells = [
                "" if j == k else "never" if found.apart[j][k] is None else saying.mean(i.mean, (i.high - i.low) / 2)
                for k, i in enumerate(row)
            ]
            if K > WIDE:
                speeds = {k: 0.0 if found.apart[j][k] is None else row[k].mean for k in range(K) if k != j}
                hardest = min(speeds, key=lambda k: (found.apart[j][k] is not None, speeds[k]))
                cells = [str(hardest), cells[hardest], f"{sum(speeds.values()) / len(speeds):.2f}"]
            table.add_row(f"{j} {found.names[j]}", *cells)
        out.print(table)
    if alike := [(j, k) for j in range(K) for k in range(j + 1, K) if found.apart[j][k] is None]:
        out.print("no agent can tell apart: " + ", ".join(f"{j} and {k}" for j, k in alike))
    else:
        out.print("every two tasks can be told apart")
