"""`walkon compare`: agents in one library, of a world or of your own, on the same luck."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon import saying
from walkon.cli.effort import BACKUPS, EFFORT

if TYPE_CHECKING:
    from walkon.measuring.compare import Comparison

AGENTS, TO = ["value-iteration", "perseus", "atpo", "random"], "atpo"  # if not given


def compare(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="WORLD|FILE", help="A world, or a file with a library of tasks.")],
    agent: Annotated[
        list[str] | None,
        typer.Option(help=f"Who plays; give it once for each. {', '.join(AGENTS)} if not given."),
    ] = None,
    to: Annotated[str | None, typer.Option(help="Who the others are compared with; atpo, or the first.")] = None,
    trials: Annotated[int, typer.Option(help="How many episodes of each task.")] = 32,
    horizon: Annotated[int | None, typer.Option(help="How many steps; the tasks' own if not given.")] = None,
    effort: Annotated[str, typer.Option(help=EFFORT)] = "usual",
    backups: Annotated[int | None, typer.Option(help=BACKUPS)] = None,
    seed: Annotated[int, typer.Option(help="What all luck follows from.")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Draw it: .png, .svg or .pdf.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Compare agents in one library: the same tasks, the same luck, means and paired differences with intervals."""
    import warnings

    import walkon
    from walkon.cli import terminal
    from walkon.cli.effort import solving
    from walkon.cli.problem import find_library
    from walkon.figures.files import FORMATS
    from walkon.measuring.compare import compare as play_all
    from walkon.measuring.compare import contenders
    from walkon.measuring.statistics import enough

    library = find_library(what, context.obj)
    names = list(dict.fromkeys(agent or AGENTS))
    to = to or (TO if TO in names else names[0])
    if to not in names:
        raise walkon.InputError(f"--to is {to!r}, who does not play: expected one of {', '.join(names)}")
    if horizon is not None and horizon < 1:
        raise walkon.InputError(f"--horizon is {horizon}, expected at least one step")
    enough(trials)
    how = solving(effort, backups)
    terminal.check_writable(plot, "--plot")
    if plot is not None and plot.suffix[1:] not in FORMATS:
        raise walkon.InputError(f"{plot} is no picture that can be drawn: name it .{', .'.join(FORMATS)}")
    with terminal.counted("solving the tasks") as (watch, say):
        players = contenders(names, library, **how, seed=seed, watch=watch)
        say("playing")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", walkon.UnexplainedWarning)
            found = play_all(library, players, trials=trials, seed=seed, horizon=horizon, watch=watch)
    if plot is not None:
        _draw(found, plot)
    if json:
        terminal.print_json(_document(found, to, trials, seed))
    else:
        _show(found, to, trials)


def _draw(found: "Comparison", plot: Path) -> None:
    from walkon.figures.by_agent import draw_comparison
    from walkon.figures.files import as_bytes

    plot.write_bytes(as_bytes(draw_comparison(found), plot.suffix[1:], plot.stem))


def _document(found: "Comparison", to: str, trials: int, seed: int) -> dict[str, Any]:
    """All numbers, over all tasks and for each of them."""
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


def _show(found: "Comparison", to: str, trials: int) -> None:
    from rich.table import Table

    from walkon.cli.terminal import out

    K = len(found.tasks)
    out.print(
        f"{found.words}, in {saying.count(K, 'task')} with {trials} trials each; ± is half of Student's 95 % interval",
        highlight=False,
        soft_wrap=True,
    )
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("agent", found.measure, "solved", f"against {to}, paired"):
        table.add_column(name, justify="left" if name == "agent" else "right")
    for name in found.numbers:
        mean, solved = found.mean(name), float(found.solved[name].mean())
        gap = None if name == to else found.difference(name, to)
        table.add_row(
            name,
            saying.mean(mean.mean, mean.high - mean.mean),
            saying.percent(solved),
            "" if gap is None else saying.mean(gap.mean, gap.high - gap.mean, sign="+"),
        )
    out.print(table, highlight=False)
