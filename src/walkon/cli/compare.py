"""`walkon compare` and `walkon identify`: compare agents, and find out how fast tasks can be told apart."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Backups, Effort, Horizon, Json, Library, Plot, Seed, solving

if TYPE_CHECKING:
    from walkon.measuring.compare import Comparison
    from walkon.measuring.identification import Identification

AGENTS, TO = ["value-iteration", "perseus", "atpo", "random"], "atpo"  # if not given
WIDE = 8  # tasks; of more, only the one that is hardest to rule out is shown for each


def compare(
    context: typer.Context,
    what: Library,
    agent: Annotated[
        list[str] | None, typer.Option(help=f"An agent; repeat for more. {', '.join(AGENTS)} by default.")
    ] = None,
    to: Annotated[str | None, typer.Option(help="The agent that others are compared with; atpo, or the first.")] = None,
    trials: Annotated[int, typer.Option(help="The number of episodes of each task.")] = 32,
    horizon: Horizon = None,
    effort: Effort = "usual",
    backups: Backups = None,
    seed: Seed = 0,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Compare agents on the same tasks with the same luck: means and paired differences, with intervals."""
    import warnings

    from walkon.measuring.compare import compare as play_all
    from walkon.measuring.statistics import enough

    library, how = _library(what, context.obj, horizon), solving(effort, backups)
    names = list(dict.fromkeys(agent or AGENTS))
    to = to or (TO if TO in names else names[0])
    if to not in names:
        raise walkon.InputError(f"--to is {to!r}, which is not compared: expected one of {', '.join(names)}")
    enough(trials)
    terminal.check_plot(plot)
    with terminal.counted("solving the tasks") as (watch, say):
        players = walkon.contenders(names, library, **how, seed=seed, watch=watch)
        say("playing")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", walkon.UnexplainedWarning)
            found = play_all(library, players, trials=trials, seed=seed, horizon=horizon, watch=watch)
    if plot is not None:
        from walkon.figures.by_agent import draw_comparison

        terminal.write_plot(draw_comparison(found), plot, plot.stem)
    terminal.print_json(_document(found, to, trials, seed)) if json else _print(found, to, trials)


def _document(found: "Comparison", to: str, trials: int, seed: int) -> dict[str, Any]:
    """Return all numbers, over all tasks and for each of them."""
    places: dict[str, int | None] = {"all": None} | {str(k): k for k in range(len(found.tasks))}
    results = {
        name: {
            place: {
                "mean": found.mean(name, k)._asdict(),
                "difference": None if name == to else found.difference(name, to, k)._asdict(),
                "solved": float((found.solved[name] if k is None else found.solved[name][k]).mean()),
            }
            for place, k in places.items()
        }
        for name in found.numbers
    }
    facts = {"measure": found.measure, "tasks": found.tasks, "trials": trials, "seed": seed, "to": to}
    return facts | {"results": results}


def _print(found: "Comparison", to: str, trials: int) -> None:
    tasks = saying.count(len(found.tasks), "task")
    typer.echo(f"{found.words}, in {tasks} with {trials} trials each; ± is half of Student's 95 % interval")
    rows = []
    for name in found.numbers:
        mean, solved, gap = found.mean(name), float(found.solved[name].mean()), found.difference(name, to)
        against = "" if name == to else saying.mean(gap.mean, gap.high - gap.mean, sign="+")
        rows.append((name, saying.mean(mean.mean, mean.high - mean.mean), saying.percent(solved), against))
    terminal.print_table(rows, ("agent", found.measure, "solved", f"against {to}, paired"), left=("agent",))


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
    library, how = _library(what, context.obj, horizon), solving(effort, backups)
    with terminal.counted("solving the tasks") as (watch, say):
        atpo = walkon.agent("atpo", library, **how, seed=seed, watch=watch)
        agents = {"atpo": atpo, "random": walkon.agent("random", library)}
        say("playing")
        found = walkon.identify(library, agents, trials=trials, seed=seed, horizon=horizon, watch=watch)
    terminal.print_json(_identification(found, trials, seed)) if json else _print_identification(found)


def _identification(found: "Identification", trials: int, seed: int) -> dict[str, object]:
    speeds = {name: [[interval._asdict() for interval in row] for row in rows] for name, rows in found.speeds.items()}
    return {"tasks": found.names, "steps_apart": found.apart, "speeds": speeds, "trials": trials, "seed": seed}


def _print_identification(found: "Identification") -> None:
    """Print a table for each agent: a row for the task that is going on, a column for the one it is told from.

    Where there are too many tasks, a row has only the task that is hardest to rule out, and the mean of all.
    """
    K = len(found.names)
    titles = {"atpo": "ATPO acts", "random": "uniform actions"}
    terminal.out.print("log Bayes factor for each step, with 95 % intervals; the row's task is going on")
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
    if alike := [(j, k) for j in range(K) for k in range(j + 1, K) if found.apart[j][k] is None]:
        terminal.out.print("no agent can tell apart: " + ", ".join(f"{j} and {k}" for j, k in alike))
    else:
        terminal.out.print("every two tasks can be told apart")


def _library(what: str, options: dict[str, Any], horizon: int | None) -> "walkon.TaskLibrary":
    """Return the library that both commands play in, if the number of steps is possible."""
    from walkon.cli.problem import find_library

    if horizon is not None and horizon < 1:
        raise walkon.InputError(f"--horizon is {horizon}, expected at least one step")
    return find_library(what, options)
