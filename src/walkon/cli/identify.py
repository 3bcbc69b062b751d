"""`walkon identify`: find out which tasks can be told apart, and how fast."""

from typing import TYPE_CHECKING, Annotated

import typer

import walkon
from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Backups, Effort, Horizon, Json, Library, Seed, solving

if TYPE_CHECKING:
    from walkon.measuring.identification import Identification

WIDE = 8  # tasks; of more, only the one that is hardest to rule out is shown for each


def identify(
    context: typer.Context,
    what: Library,
    trials: Annotated[int, typer.Option(help="The number of episodes of each task.")] = 50,
    horizon: Horizon = None,
    effort: Effort = "usual",
    backups: Backups = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find out which tasks can be told apart, and how fast: the log Bayes factor for each step."""
    from walkon.agents.registry import usual
    from walkon.cli.problem import find_library

    if horizon is not None and horizon < 1:
        raise walkon.InputError(f"--horizon is {horizon}, expected at least one step")
    library, how = find_library(what, context.obj), solving(effort, backups)
    with terminal.counted("solving the tasks") as (watch, say):
        lead = usual(library)
        acting = walkon.agent(lead, library, **how, seed=seed, watch=watch)
        agents = {lead: acting, "random": walkon.agent("random", library)}
        say("playing")
        found = walkon.identify(library, agents, trials=trials, seed=seed, horizon=horizon, watch=watch)
    terminal.print_json(_identification(found, trials, seed)) if json else _print_identification(found, trials)


def _identification(found: "Identification", trials: int, seed: int) -> dict[str, object]:
    speeds = {name: [[interval._asdict() for interval in row] for row in rows] for name, rows in found.speeds.items()}
    return {"tasks": found.names, "steps_apart": found.apart, "speeds": speeds, "trials": trials, "seed": seed}


def _print_identification(found: "Identification", trials: int) -> None:
    """Print a table for each agent: a row for the task that is going on, a column for the one it is told from.

    Where there are too many tasks, a row has only the task that is hardest to rule out, and the mean of all.
    """
    from walkon.measuring.identification import FEW

    K, enough = len(found.names), trials >= FEW
    titles = {"atpo": "ATPO acts", "search": "Search acts", "random": "uniform actions"}
    within = "with 95 % intervals" if enough else f"without intervals, which need {FEW} trials"
    terminal.out.print(f"log Bayes factor for each step, {within}; the row's task is going on")
    for agent, rows in found.speeds.items():
        lines = []
        for j, row in enumerate(rows):
            cells = [
                "" if j == k else "never" if found.apart[j][k] is None else saying.mean(i.mean, (i.high - i.low) / 2)
                for k, i in enumerate(row)
            ]
            if K > WIDE:
                speeds = {k: 0.0 if found.apart[j][k] is None else row[k].mean for k in range(K) if k != j}
                hardest = min(speeds, key=lambda k: (found.apart[j][k] is not None, speeds[k]))
                cells = [str(hardest), cells[hardest], f"{sum(speeds.values()) / len(speeds):.2f}"]
            lines.append([f"{j} {found.names[j]}", *cells])
        head = map(str, range(K)) if K <= WIDE else ("hardest to tell from", " ", "mean of all")
        terminal.print_table(lines, ["", *head], title=titles[agent], left=("",))
    if not found.exact:
        terminal.out.print("without tables, it is not known whether some tasks can never be told apart")
    elif alike := [(j, k) for j in range(K) for k in range(j + 1, K) if found.apart[j][k] is None]:
        terminal.out.print("no agent can tell apart: " + ", ".join(f"{j} and {k}" for j, k in alike))
    else:
        terminal.out.print("every two tasks can be told apart")
