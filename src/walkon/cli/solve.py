"""`walkon solve` and `walkon evaluate`: solve a problem, and measure what a policy earns."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import walkon
from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Discount, Effort, Json, Plot, Seed, SkipUnknown

if TYPE_CHECKING:
    from walkon.solvers.solve import Solver

POLICY = ".policy"
OPTIONS = ("seconds", "gap", "backups", "beliefs", "tolerance")  # of the solvers, those with a name of their own here


def solve(
    context: typer.Context,
    problem: Annotated[
        str, typer.Argument(help="A world or problem of `walkon list`, a .pomdp or .mdp file, a bundle.")
    ],
    task: Annotated[int | None, typer.Option(help="The number of the task in a library; 0 by default.")] = None,
    discount: Discount = None,
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
    json: Json = False,
) -> None:
    """Solve a problem: find a policy, and prove bounds on its value."""
    arguments = locals()
    from walkon.cli.problem import find_problem
    from walkon.solvers.value_iteration import UNDISCOUNTED

    notes: list[str] = []
    model = find_problem(problem, task, context.obj, discount=discount, skip_unknown=skip_unknown, notes=notes)
    if model.discount == 1:
        raise walkon.InputError(f"{problem}: {UNDISCOUNTED}")
    given = {name: value for name, value in arguments.items() if name in OPTIONS and value is not None}
    method = _solver(solver, model, effort, given, set_ or [])
    terminal.check_writable(out, "--out")
    terminal.check_plot(plot)
    if out is not None and out.suffix == POLICY and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"{out} would hold alpha vectors, and {problem} is an MDP: name it .safetensors")
    if episodes < 0:
        raise walkon.InputError(f"--episodes is {episodes}, expected a number of episodes")
    if episodes and not isinstance(model, walkon.POMDP):
        raise walkon.InputError(f"--episodes needs a POMDP to play in, and {problem} is an MDP")

    with terminal.compilation_notice(), terminal.patience() as interrupted:
        solution, history = _watched(model, method, seed, interrupted)
        if plot is not None:
            from walkon.figures.bounds import draw

            terminal.write_plot(draw(history, Path(problem).stem), plot, Path(problem).stem)
        if out is not None and out.suffix == POLICY:
            walkon.write_policy(solution.policy, out, model=problem)
        elif out is not None:
            walkon.save(solution, out)
        earned = None
        if episodes and isinstance(model, walkon.POMDP) and not interrupted():
            with terminal.err.status(f"playing {episodes:,} episodes"):
                earned = walkon.simulate(model, solution.policy, episodes=episodes, seed=seed)

    report = _report(problem, model, method, solution, earned, out) | {"notes": notes}
    terminal.print_json(report) if json else _print(report)
    if interrupted():
        raise typer.Exit(130)


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
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    history: list[walkon.Progress] = []
    line = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[state]}"))
    with Bar(*line, console=terminal.err, transient=True) as bar:
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


def _report(
    name: str, model: "walkon.MDP", method: "Solver", solution: "walkon.Solution[Any]", earned: Any, out: Path | None
) -> dict[str, Any]:
    """Return the result as plain data."""
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
        rows.append(("played", f"{played['episodes']:,} episodes earned {earned}{interval}"))
    if report["out"]:
        rows.append(("written to", report["out"]))
    terminal.print_table(rows)


def evaluate(
    model: Annotated[str, typer.Argument(help="A problem of `walkon list`, a .pomdp file, or a bundle.")],
    policy: Annotated[Path, typer.Argument(help="Alpha vectors: a .policy file, or a bundle.")],
    episodes: Annotated[int, typer.Option(help="The number of episodes.")] = 2000,
    discount: Discount = None,
    skip_unknown: SkipUnknown = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Evaluate a policy: the value that it claims, the value that is proven, and what it earns, with an interval."""
    from walkon.cli.problem import find_problem
    from walkon.measuring.statistics import student_interval
    from walkon.solvers.excess import excess, proven

    notes: list[str] = []
    problem = find_problem(model, discount=discount, skip_unknown=skip_unknown, notes=notes)
    if not isinstance(problem, walkon.POMDP):
        raise walkon.InputError(f"{model} is an MDP: expected a POMDP, for which alpha vectors are a policy")
    if problem.discount == 1:
        raise walkon.InputError(f"{model}: the discount is 1, so that an episode has no end: give --discount 0.95")
    if episodes < 2:
        raise walkon.InputError(f"--episodes is {episodes}, expected at least 2: an interval needs two")
    vectors = _read_vectors(policy, problem)
    with terminal.compilation_notice(), terminal.err.status(f"playing {episodes:,} episodes") as status:
        earned = student_interval(walkon.simulate(problem, vectors, episodes=episodes, seed=seed))
        status.update("looking for a proof")
        delta, lower = excess(problem, vectors), proven(problem, vectors)
    report = {
        "model": model,
        "policy": str(policy),
        "vectors": len(vectors.vectors),
        "value": vectors.value(problem.start),
        "excess": delta,
        "proven": lower,
        "earned": {"episodes": episodes, "mean": earned.mean, "low": earned.low, "high": earned.high},
        "notes": notes,
    }
    terminal.print_json(report) if json else _print_evaluation(report, problem)


def _read_vectors(path: Path, problem: "walkon.POMDP") -> "walkon.AlphaVectors":
    """Read the alpha vectors of a file, which must fit the problem."""
    X, A = problem.R.shape
    if path.suffix.lower() == ".policy":
        found: Any = walkon.read_policy(path, action_count=A)
    else:
        found = walkon.load(path)
        found = getattr(found, "policy", found)
    if not isinstance(found, walkon.AlphaVectors):
        raise walkon.InputError(f"{path} holds a {type(found).__name__}, expected alpha vectors")
    if found.vectors.shape[1] != X or found.action_count != A:
        raise walkon.InputError(
            f"{path} was made for {found.vectors.shape[1]} states and {found.action_count} actions, and the model has "
            f"{X} and {A}: is it the policy of another problem?"
        )
    return found


def _print_evaluation(report: dict[str, Any], problem: "walkon.POMDP") -> None:
    earned, lower = report["earned"], report["proven"]
    delta = report["excess"]
    gap = f"a vector lies up to {delta:.4g} above its own backup" if delta > 0 else "no vector is above its own backup"
    rows = [
        ("model", f"{report['model']}: {problem!r}"),
        ("policy", f"{report['policy']}: {report['vectors']:,} vectors"),
        ("says", f"{report['value']:.4f} at the start"),
        ("earns", f"{earned['mean']:.4f}, 95 % interval {earned['low']:.4f} to {earned['high']:.4f}"),
        ("", f"in {earned['episodes']:,} episodes"),
        ("proven", f"nothing: {gap}" if lower is None else f"at least {lower:.4f}: {gap}"),
    ]
    if earned["high"] < report["value"]:
        rows.append(("", "[yellow]It earns less than it says.[/yellow]"))
    terminal.print_table(rows)
