"""`walkon compare`: compares agents in one library, with the same luck."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Backups, Effort, Horizon, Json, Library, Plot, Seed

if TYPE_CHECKING:
    from walkon.measuring.compare import Comparison

AGENTS, TO = ["value-iteration", "perseus", "atpo", "random"], "atpo"  # if not given


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

    from walkon.cli.options import solving
    from walkon.cli.problem import find_library
    from walkon.measuring.compare import compare as play_all
    from walkon.measuring.compare import contenders
    from walkon.measuring.statistics import enough

    library = find_library(what, context.obj)
    names = list(dict.fromkeys(agent or AGENTS))
    to = to or (TO if TO in names else names[0])
    if to not in names:
        raise walkon.InputError(f"--to is {to!r}, which is not compared: expected one of {', '.join(names)}")
    if horizon is not None and horizon < 1:
        raise walkon.InputError(f"--horizon is {horizon}, expected at least one step")
    enough(trials)
    how = solving(effort, backups)
    terminal.check_plot(plot)
    with terminal.counted("solving the tasks") as (watch, say):
        players = contenders(names, library, **how, seed=seed, watch=watch)
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
