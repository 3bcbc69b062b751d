"""`walkon solve`: from a problem to a policy."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon import saying
from walkon.cli.effort import EFFORT

if TYPE_CHECKING:
    from walkon.models.mdp import MDP
    from walkon.solvers.solution import Progress, Solution
    from walkon.solvers.solve import Solver

POLICY = ".policy"
OPTIONS = ("seconds", "gap", "backups", "beliefs", "tolerance")  # of the solvers


def solve(
    context: typer.Context,
    problem: Annotated[
        str,
        typer.Argument(help="A world or problem that `walkon list` knows, or a file: .pomdp, .mdp, a bundle."),
    ],
    task: Annotated[int | None, typer.Option(help="Of a world, the number of the task; 0 if not given.")] = None,
    solver: Annotated[
        str, typer.Option(help="ascent, perseus, sarsop, value-iteration, ...; by default what fits.")
    ] = "",
    effort: Annotated[str, typer.Option(help=EFFORT)] = "usual",
    seconds: Annotated[float | None, typer.Option(help="Stop after so many seconds.")] = None,
    gap: Annotated[float | None, typer.Option(help="Stop when the bounds are that close.")] = None,
    backups: Annotated[int | None, typer.Option(help="Stop after so many backups.")] = None,
    beliefs: Annotated[int | None, typer.Option(help="Work at so many beliefs.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="How far to converge.")] = None,
    seed: Annotated[int, typer.Option(help="What all random choices follow from.")] = 0,
    episodes: Annotated[int, typer.Option(help="Play the policy so often and report what it earned.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Write the solution to this file: the vectors as .policy, or a bundle.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the bounds over time: .png, .svg or .pdf.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Solve a problem: find a policy, and say what is proven about it."""
    arguments = locals()
    import walkon
    from walkon.cli import terminal
    from walkon.cli.problem import find_problem
    from walkon.figures.files import FORMATS
    from walkon.formats.policy_xml import write_policy

    model = find_problem(problem, task, context.obj)
    given = {name: value for name, value in arguments.items() if name in OPTIONS and value is not None}
    method = _solver(solver, model, effort, given)
    terminal.check_writable(out, "--out")
    terminal.check_writable(plot, "--plot")
    if plot is not None and plot.suffix[1:] not in FORMATS:
        raise walkon.InputError(f"{plot} is no picture that can be drawn: name it .{', .'.join(FORMATS)}")
    if out is not None and out.suffix == POLICY and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"{out} would hold alpha vectors, and {problem} is an MDP: name it .safetensors")
    if episodes < 0:
        raise walkon.InputError(f"--episodes is {episodes}, expected a number of episodes")
    if episodes and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"--episodes needs a POMDP to play in, and {problem} is an MDP")

    with terminal.compilation_notice(), terminal.patience() as interrupted:
        solution, history = _watched(model, method, seed, interrupted)
        if plot is not None:
            _draw(history, problem, plot)
        if out is not None and out.suffix == POLICY:
            write_policy(solution.policy, out, model=problem)
        elif out is not None:
            walkon.save(solution, out)
        earned = None
        if episodes and isinstance(model, walkon.POMDP) and not interrupted():
            with terminal.err.status(f"playing {episodes:,} episodes"):
                earned = walkon.simulate(model, solution.policy, episodes=episodes, seed=seed)
        stopped_by_hand = interrupted()

    report = _report(problem, model, method, solution, earned, out)
    if json:
        terminal.print_json(report)
    else:
        _print(report)
    if stopped_by_hand:
        raise typer.Exit(130)


def _solver(name: str, model: "MDP", effort: Any, options: dict[str, Any]) -> "Solver":
    """The solver of that name with the options that were given; that of the table of defaults where none were."""
    from dataclasses import fields

    from walkon import POMDP, InputError
    from walkon.solvers.defaults import default_solver
    from walkon.solvers.solve import SOLVERS

    default = default_solver("union" if isinstance(model, POMDP) else "mdp", len(model.start), effort)
    if not name and not options:
        return default
    chosen = name or next(each for each, kind in SOLVERS.working().items() if kind is type(default))
    if chosen not in SOLVERS:
        raise InputError(f"there is no solver {chosen!r}: expected one of {', '.join(SOLVERS)}")
    has = {field.name for field in fields(SOLVERS[chosen])}
    if unknown := options.keys() - has:
        has_ = ", ".join(f"--{option}" for option in OPTIONS if option in has)
        raise InputError(f"{chosen} has no option --{min(unknown)}: it has {has_ or 'none of these'}")
    return SOLVERS[chosen](**options)


def _watched(model: "MDP", method: "Solver", seed: int, interrupted: Any) -> tuple["Solution[Any]", "list[Progress]"]:
    """Solve with a live line: how far, how long, and the bounds so far. Returns what was told on the way, too."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from walkon import Progress
    from walkon import solve as solve_
    from walkon.cli.terminal import err

    history: list[Progress] = []

    line = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[state]}"))
    with Bar(*line, console=err, transient=True) as bar:
        task = bar.add_task(f"solving {model!r}", total=1.0, state="")

        def watch(now: Progress) -> bool:
            history.append(now)
            sides = (("lower", now.lower), ("upper", now.upper))
            bounds = [f"{side} {value:.4f}" for side, value in sides if value is not None]
            bar.update(task, completed=now.done, state=", ".join([*bounds, f"{now.size} vectors"]))
            return bool(interrupted())

        solution = solve_(model, method, seed=seed, watch=watch)
    size = len(getattr(solution.policy, "vectors", ())) or len(model.start)
    end = Progress(solution.iterations, solution.seconds, solution.lower, solution.upper, size, 1.0)
    return solution, [*history, end]


def _draw(history: "list[Progress]", problem: str, plot: Path) -> None:
    """Draw the bounds over time."""
    from walkon.figures.bounds import draw
    from walkon.figures.files import as_bytes

    name = Path(problem).stem
    plot.write_bytes(as_bytes(draw(history, name), plot.suffix[1:], name))


def _report(
    name: str, model: "MDP", method: "Solver", solution: "Solution[Any]", earned: Any, out: Path | None
) -> dict[str, Any]:
    """What came out, as plain data."""
    from dataclasses import asdict

    from walkon.measuring.statistics import student_interval

    report: dict[str, Any] = {
        "problem": name,
        "model": repr(model),
        "hash": model.hash,
        "solver": repr(method),
        "options": asdict(method),
        "lower": solution.lower,
        "upper": solution.upper,
        "vectors": len(getattr(solution.policy, "vectors", ())) or None,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "stopped": solution.stopped,
        "out": str(out) if out else None,
        "simulated": None,
    }
    if earned is not None:
        found = student_interval(earned)
        half = found.high - found.mean if found.n > 1 else None
        report["simulated"] = {"episodes": found.n, "mean": found.mean, "half_width_95": half}
    return report


def _print(report: dict[str, Any]) -> None:
    from rich.table import Table

    from walkon.cli.terminal import out

    def number(value: float | None) -> str:
        return "none proven" if value is None else f"{value:.4f}"

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_row("problem", f"{report['problem']}: {report['model']}")
    table.add_row("solver", report["solver"])
    table.add_row("lower bound", number(report["lower"]))
    table.add_row("upper bound", number(report["upper"]))
    if report["vectors"]:
        table.add_row("vectors", f"{report['vectors']:,}")
    table.add_row(
        "stopped", f"{report['stopped']}, after {report['iterations']:,} iterations, {report['seconds']:.2f} s"
    )
    if played := report["simulated"]:
        half, interval = played["half_width_95"], "" if played["half_width_95"] is None else " (95 %)"
        earned = saying.mean(played["mean"], float("nan") if half is None else half, 4)
        table.add_row("played", f"{played['episodes']:,} episodes earned {earned}{interval}")
    if report["out"]:
        table.add_row("written to", report["out"])
    out.print(table, highlight=False)
