"""`walkon solve`: find a policy of a problem, and prove bounds on its value."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon import saying
from walkon.checks import whole
from walkon.cli import terminal
from walkon.cli.options import Discount, Effort, Json, Plot, Seed, SkipUnknown, Steps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from walkon.arrays import Floats
    from walkon.solvers.solve import Solver

POLICY = ".policy"
OPTIONS = ("seconds", "gap", "backups", "beliefs", "tolerance")  # of the solvers, those with a name of their own here


def solve(
    context: typer.Context,
    problem: Annotated[
        str, typer.Argument(help="A world or problem of `walkon list`, a .pomdp, .pomdpx or .mdp file, a bundle.")
    ],
    task: Annotated[str | None, typer.Option(help="The number or name of the task in a library; 0 by default.")] = None,
    discount: Discount = None,
    horizon: Steps = None,
    skip_unknown: SkipUnknown = False,
    solver: Annotated[str, typer.Option(help="ascent, perseus, sarsop, value-iteration, ...; chosen by default.")] = "",
    effort: Effort = "usual",
    seconds: Annotated[float | None, typer.Option(help="Stop after this many seconds.")] = None,
    gap: Annotated[float | None, typer.Option(help="Stop when the bounds are this close.")] = None,
    backups: Annotated[int | None, typer.Option(help="Stop after this many backups.")] = None,
    beliefs: Annotated[int | None, typer.Option(help="The number of beliefs to work at.")] = None,
    tolerance: Annotated[float | None, typer.Option(help="The change of value that counts as converged.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Any option of the solver, such as --set wide=0.5; repeatable.")
    ] = None,
    seed: Seed = 0,
    episodes: Annotated[int, typer.Option(help="Play the policy in this many episodes, and report what it earns.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Write the solution: vectors to a .policy file, or a bundle.")
    ] = None,
    plot: Plot = None,
    plot_policy: Annotated[
        Path | None,
        typer.Option(help="Draw the policy: alpha vectors of two states, else a policy graph (.png, .svg, .pdf)."),
    ] = None,
    json: Json = False,
) -> None:
    """Solve a problem: find a policy, and prove bounds on its value."""
    arguments = locals()
    from walkon.cli.problem import find_problem
    from walkon.formats.bundle import check_name
    from walkon.solvers.value_iteration import UNDISCOUNTED

    whole("--seed", seed, 0, None)
    notes: list[str] = []
    changed: dict[str, Any] = {"discount": discount, "horizon": horizon, "skip_unknown": skip_unknown}
    model = find_problem(problem, task, context.obj, **changed, notes=notes)
    if model.discount == 1:
        raise walkon.InputError(f"{problem}: {UNDISCOUNTED}")
    given = {name: value for name, value in arguments.items() if name in OPTIONS and value is not None}
    method = _solver(solver, model, effort, given, set_ or [])
    terminal.check_writable(out, "--out")
    terminal.check_plot(plot)
    terminal.check_plot(plot_policy, "--plot-policy")
    if out is not None and check_name(out) == POLICY and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"{out} would hold alpha vectors, and {problem} is an MDP: name it .safetensors")
    if plot_policy is not None and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"--plot-policy draws alpha vectors, and {problem} is an MDP")
    if episodes < 0:
        raise walkon.InputError(f"--episodes is {episodes}, expected a number of episodes")
    if episodes and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"--episodes needs a POMDP to play in, and {problem} is an MDP")

    with terminal.compilation_notice(), terminal.patience() as interrupted:
        solution, history = _watched(model, method, seed, interrupted)
        failed: list[str] = []
        written = out and terminal.write_or_rescue(out, lambda path: _write(solution, path, problem), failed)
        terminal.draw_if_possible(plot, lambda: _bounds(history, problem), failed)
        terminal.draw_if_possible(plot_policy, lambda: _drawn(solution, model), failed)
        earned = None
        if episodes and isinstance(model, walkon.POMDP) and not interrupted():
            earned = play_policy(model, solution.policy, episodes, seed, interrupted)

    report = _report(problem, model, method, solution, earned, written) | {"notes": notes}
    terminal.print_json(report) if json else _print(report)
    for why in failed:
        terminal.print_error(why)
    if interrupted() or failed:
        raise typer.Exit(130 if interrupted() else 2)


def _write(solution: "walkon.Solution[Any]", path: Path, problem: str) -> None:
    """Write a solution: vectors to a .policy file with the name of the problem, or a bundle."""
    if path.suffix == POLICY:
        walkon.write_policy(solution.policy, path, model=problem)
    else:
        walkon.save(solution, path)


def _bounds(history: "list[walkon.Progress]", problem: str) -> "Figure":
    from walkon.figures.bounds import draw

    return draw(history, Path(problem).stem)


def _drawn(solution: "walkon.Solution[Any]", model: Any) -> "Figure":
    return walkon.draw_policy(solution, model)


def _solver(name: str, model: "walkon.MDP", effort: Any, options: dict[str, Any], more: list[str]) -> "Solver":
    """Return the solver of this name with the options that were given; `more` holds others, as NAME=VALUE."""
    from dataclasses import fields
    from typing import get_type_hints

    from walkon.solvers.defaults import default_solver
    from walkon.solvers.solve import SOLVERS

    default = default_solver("union" if isinstance(model, walkon.POMDP) else "mdp", len(model.start), effort)
    if not name and not options and not more:
        return default
    chosen = name or next(each for each, kind in SOLVERS.working().items() if kind is type(default))
    made = SOLVERS[chosen]
    has = [field.name for field in fields(made) if field.init]
    texts = dict(each.partition("=")[::2] for each in more)
    if unknown := (options.keys() | texts.keys()) - set(has):
        named = ", ".join(f"--{option}" if option in OPTIONS else f"--set {option}=..." for option in has)
        raise walkon.InputError(f"{chosen} has no option --{min(unknown)}: it has {named or 'none'}")
    hints = get_type_hints(made)
    return made(**options, **{option: _value(option, text, hints[option]) for option, text in texts.items()})


def _value(option: str, text: str, kind: Any) -> Any:
    """Read the value of a solver's option, by the type of its field."""
    from typing import get_args

    kinds = get_args(kind) or (kind,)
    readers: dict[type, Any] = {int: int, float: float, bool: {"true": True, "false": False}.__getitem__, str: str}
    for read in (readers[each] for each in readers if each in kinds):
        try:
            return read(text)
        except (ValueError, KeyError):
            continue
    wanted = " or ".join(each.__name__ for each in kinds if each in readers)
    raise walkon.InputError(f"--set {option}={text}: expected {wanted or 'an option that can be written as a text'}")


def _watched(
    model: "walkon.MDP", method: "Solver", seed: int, interrupted: Callable[[], bool]
) -> tuple["walkon.Solution[Any]", "list[walkon.Progress]"]:
    """Solve with a live line of progress, time and bounds. Return the solution and its history."""
    from rich.progress import BarColumn, RenderableColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    history: list[walkon.Progress] = []
    line = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[state]}"))
    with Bar(*line, RenderableColumn(terminal.CompiledKernels()), **terminal.live()) as bar:
        task = bar.add_task(f"solving {model!r}", total=1.0, state="")

        def watch(now: walkon.Progress) -> bool:
            history.append(now)
            sides = (("lower", now.lower), ("upper", now.upper))
            bounds = [f"{side} {value:.4f}" for side, value in sides if value is not None]
            bar.update(task, completed=now.done, state=", ".join([*bounds, f"{now.size} vectors"]))
            return interrupted()

        solution = walkon.solve(model, method, seed=seed, watch=watch)
    size = len(getattr(solution.policy, "vectors", ())) or len(model.start)
    end = walkon.Progress(solution.iterations, solution.seconds, solution.lower, solution.upper, size, 1.0)
    return solution, [*history, end]


def play_policy(
    model: "walkon.POMDP", policy: "walkon.AlphaVectors", episodes: int, seed: int, interrupted: Callable[[], bool]
) -> "Floats":
    """Play episodes with a live count, until Ctrl-C; return what each earned."""
    with terminal.estimated(f"playing {episodes:,} episodes", episodes) as show:

        def watch(done: int) -> bool:
            show(done)
            return interrupted()

        return walkon.simulate(model, policy, episodes=episodes, seed=seed, watch=watch)


def _report(
    name: str, model: "walkon.MDP", method: "Solver", solution: "walkon.Solution[Any]", earned: Any, out: Path | None
) -> dict[str, Any]:
    """Return the result as plain data."""
    from dataclasses import asdict

    from walkon.measuring.statistics import COVERED, student_interval

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
        half = found.high - found.mean if found.n >= COVERED else None
        report["simulated"] = {"episodes": found.n, "mean": found.mean, "half_width_95": half}
    return report


def _print(report: dict[str, Any]) -> None:
    def number(value: float | None) -> str:
        return "none proven" if value is None else f"{value:.4f}"

    rows = [
        ("problem", f"{report['problem']}: {report['model']}"),
        ("solver", report["solver"]),
        ("lower bound", number(report["lower"])),
        ("upper bound", number(report["upper"])),
    ]
    if report["vectors"]:
        rows.append(("vectors", f"{report['vectors']:,}"))
    end = f"{report['stopped']}, after {report['iterations']:,} iterations, {report['seconds']:.2f} s"
    rows.append(("stopped", end))
    if played := report["simulated"]:
        half, interval = played["half_width_95"], "" if played["half_width_95"] is None else " (95 %)"
        earned = saying.mean(played["mean"], float("nan") if half is None else half, 4)
        rows.append(
            ("played", f"{played['episodes']:,} episodes earned {earned}{interval or ', too few for an interval'}")
        )
    if report["out"]:
        rows.append(("written to", report["out"]))
    terminal.print_table(rows)
