"""`walkon evaluate`: measure what a policy earns, and what is proven of it."""

from pathlib import Path
from typing import Annotated, Any

import typer

import walkon
from walkon.checks import whole
from walkon.cli import terminal
from walkon.cli.options import Discount, Json, Seed, SkipUnknown, Steps
from walkon.cli.solve import play_policy
from walkon.saying import briefly


def evaluate(
    model: Annotated[str, typer.Argument(help="A problem of `walkon list`, a .pomdp or .pomdpx file, or a bundle.")],
    policy: Annotated[Path, typer.Argument(help="Alpha vectors: a .policy file, or a bundle.")],
    episodes: Annotated[int, typer.Option(help="The number of episodes.")] = 2000,
    discount: Discount = None,
    horizon: Steps = None,
    skip_unknown: SkipUnknown = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Evaluate a policy: the value that it claims, the value that is proven, and what it earns, with an interval."""
    from walkon.cli.problem import find_problem
    from walkon.measuring.statistics import COVERED, student_interval
    from walkon.solvers.excess import excess, proven

    whole("--seed", seed, 0, None)
    notes: list[str] = []
    problem = find_problem(model, discount=discount, horizon=horizon, skip_unknown=skip_unknown, notes=notes)
    if not isinstance(problem, walkon.POMDP):
        raise walkon.InputError(f"{model} is an MDP: expected a POMDP, for which alpha vectors are a policy")
    if problem.discount == 1:
        raise walkon.InputError(
            f"{model}: the discount is 1, so that an episode has no end: give --horizon 20 or --discount 0.95"
        )
    if episodes < COVERED:
        raise walkon.InputError(f"--episodes is {episodes}, expected at least {COVERED}: an interval of fewer lies")
    vectors = _read_vectors(policy, problem)
    with terminal.compilation_notice(), terminal.patience() as interrupted:
        earned = student_interval(play_policy(problem, vectors, episodes, seed, interrupted))
        with terminal.err.status("looking for a proof"):
            delta, lower = excess(problem, vectors), proven(problem, vectors)
    covered = earned.n >= COVERED  # fewer, if it was interrupted
    bounds = {"low": earned.low if covered else None, "high": earned.high if covered else None}
    report = {
        "model": model,
        "policy": str(policy),
        "vectors": vectors.vector_count,
        "value": vectors.value(problem.start),
        "excess": delta,
        "proven": lower,
        "earned": {"episodes": earned.n, "mean": earned.mean} | bounds,
        "notes": notes,
    }
    terminal.print_json(report) if json else _print_evaluation(report, problem)
    if interrupted():
        raise typer.Exit(130)


def _read_vectors(path: Path, problem: "walkon.POMDP") -> "walkon.AlphaVectors":
    """Read the alpha vectors of a file, which must fit the problem."""
    X, A = problem.R.shape
    if path.suffix.lower() == ".policy":
        found: Any = walkon.read_policy(path, action_count=A)
    else:
        found = walkon.load(path)
        found = getattr(found, "policy", found)
    if not isinstance(found, walkon.AlphaVectors):
        raise walkon.InputError(f"{path} holds {briefly(found)}, expected alpha vectors")
    if found.state_count != X or found.action_count != A:
        raise walkon.InputError(
            f"{path} was made for {found.state_count} states and {found.action_count} actions, and the model has "
            f"{X} and {A}: is it the policy of another problem?"
        )
    return found


def _print_evaluation(report: dict[str, Any], problem: "walkon.POMDP") -> None:
    earned, lower = report["earned"], report["proven"]
    delta, between = report["excess"], "too few episodes for an interval"
    if earned["low"] is not None:
        between = f"95 % interval {earned['low']:.4f} to {earned['high']:.4f}"
    gap = f"a vector lies up to {delta:.4g} above its own backup" if delta > 0 else "no vector is above its own backup"
    rows = [
        ("model", f"{report['model']}: {problem!r}"),
        ("policy", f"{report['policy']}: {report['vectors']:,} vectors"),
        ("says", f"{report['value']:.4f} at the start"),
        ("earns", f"{earned['mean']:.4f}, {between}"),
        ("", f"in {earned['episodes']:,} episodes"),
        ("proven", f"nothing: {gap}" if lower is None else f"at least {lower:.4f}: {gap}"),
    ]
    if earned["high"] is not None and earned["high"] < report["value"]:
        rows.append(("", "[yellow]It earns less than it says.[/yellow]"))
    terminal.print_table(rows)
