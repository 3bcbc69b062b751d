"""`walkon reproduce` and `walkon report`: reproduce the papers, and write the report of a run."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Cluster, Jobs, Json, Seed
from walkon.cli.running import check_workers, run_stored

if TYPE_CHECKING:
    from walkon.measuring.summaries import Row
    from walkon.paper.run import Run
    from walkon.runs.store import Store
    from walkon.trials.trial import MeasuredTrial

OUT = Path("results")


def reproduce(
    figures: Annotated[
        list[str] | None,
        typer.Argument(
            help="Figures by name (2a ... 6b, bound), `readings`, `beyond` or `dark`; all figures by default."
        ),
    ] = None,
    reading: Annotated[
        str | None, typer.Option(help="Only under one reading of the paper: literal or fitted; both by default.")
    ] = None,
    trials: Annotated[
        int | None, typer.Option(help="Trials for each task or point; 32 by default, of `dark` 200.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A quick look: few trials, few points, rough policies.")
    ] = False,
    solver: Annotated[str, typer.Option(help="The solver of the POMDPs, for all agents.")] = "perseus",
    jobs: Jobs = None,
    cluster: Cluster = None,
    out: Annotated[Path, typer.Option(help="The folder of results and report. A second call resumes.")] = OUT,
    seed: Seed = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what there is to do, and how long it takes.")
    ] = False,
    json: Json = False,
) -> None:
    """Run the paper's experiments, draw its figures, test its claims, and write a report."""
    from walkon.paper.run import QUICK, QUICK_TRIALS, Run
    from walkon.runs.provenance import provenance
    from walkon.runs.store import Store
    from walkon.runs.sweep import Settings
    from walkon.trials.trial import Recipe

    check_workers(jobs, cluster)
    recipe = Recipe(solver, QUICK.options if quick and solver == QUICK.solver else ())
    usual = (QUICK_TRIALS, QUICK_TRIALS) if quick else (Settings.trials, Settings.dark)
    count, second = usual if trials is None else (trials, trials)
    settings = Settings(seed=seed, trials=count, dark=second, recipe=recipe, quick=quick)
    entries = Run(settings).entries(*figures or (), reading=reading)
    if dry_run:
        _print_plan([entry.trial for entry in entries], out, json)
        return
    with terminal.compilation_notice(), Store(out, write=True) as store:
        store.begin(provenance(" ".join(["walkon", *sys.argv[1:]])), settings.record())
        run_stored((entry.trial for entry in entries), store, jobs, cluster, kept=f"in {out}")
        store.place(_places(Run(settings), store), quick)
        conclude(store, json)


def _print_plan(trials: "list[MeasuredTrial]", out: Path, json: bool) -> None:
    """Print what a run has to do that its folder does not have yet."""
    from contextlib import nullcontext

    from walkon.runs.run import Plan
    from walkon.runs.store import FILE, Store

    with Store(out) if (out / FILE).exists() else nullcontext() as store:
        plan = Plan.of(trials, store)
    if json:
        facts = {"trials": len(plan.missing), "kept": plan.kept, "problems": len(plan.problems)}
        terminal.print_json(facts | {"core_seconds": plan.seconds, "out": str(out)})
        return
    there = f" ({plan.kept:,} are there)" if plan.kept else ""
    work = saying.count(len(plan.missing), "trial"), saying.count(len(plan.problems), "problem")
    typer.echo(f"{work[0]} to play{there}, {work[1]} to solve")
    if plan.seconds is not None:
        typer.echo(f"roughly {saying.duration(plan.seconds)} of one core, which --jobs shares among several")


def _places(run: "Run", store: "Store") -> "Iterator[tuple[str, float, int, str]]":
    """Yield the place of each trial in the tables of the report."""
    from walkon.paper import BEYOND, DARK, PAPER

    for part, entries in run.begun(store).items():
        named = "" if part in (PAPER, BEYOND, DARK) else f", {part}"
        for entry in entries:
            yield f"{entry.sweep}{named}", entry.x, entry.pair, entry.trial.key


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of a run of `walkon reproduce`.")], json: Json = False
) -> None:
    """Draw the figures, test the claims and write the report of an existing run; nothing is run."""
    from walkon.runs.store import Store

    with Store(folder) as store:
        conclude(store, json)


def conclude(store: "Store", json: bool) -> None:
    """Write the report of the results in a store, and print a summary."""
    from walkon.measuring import claims
    from walkon.measuring.summaries import headline
    from walkon.measuring.verdicts import count_sentences
    from walkon.paper import BEYOND, DARK, FITTED, PAPER, TALLY
    from walkon.paper.against import scores
    from walkon.paper.dark import EXPECTED
    from walkon.paper.readings import tests_of_fitted, verdicts_by_reading
    from walkon.paper.report.write import write_report
    from walkon.paper.run import Found, Run
    from walkon.runs.sweep import Settings
    from walkon.runs.tabulate import plans

    with terminal.err.status("drawing figures, testing claims"):
        settings = Settings.from_record(store.settings())
        begun = Run(settings).begun(store)
        paper = Found.of(begun[PAPER], store, claims.read_claims(claims.PAPER))
        beyond = Found.of(begun[BEYOND], store, claims.read_claims(claims.BEYOND))
        second = Found.of(begun[DARK], store, claims.read_claims(claims.DARK))
        fitted = Found.of(begun[FITTED], store, ())
        under = verdicts_by_reading(begun, paper.verdicts, store)
        missing = sum(each.missing for each in (paper, fitted, beyond, second))
        page = write_report(
            store.folder,
            paper.table,
            paper.verdicts,
            _provenance(store, [entry.trial.key for part in (PAPER, FITTED, BEYOND, DARK) for entry in begun[part]]),
            settings.record(),
            missing=missing,
            fitted=fitted.table,
            readings=under,
            beyond=beyond if len(beyond.table) else None,
            plans=plans(store),
            dark=second if len(second.table) else None,
            policies=store.policies(),
        )
    expected = beyond.verdicts if len(beyond.table) else ()
    again = second.verdicts if len(second.table) else ()
    results: list[dict[str, Any]] = headline(paper.table, TALLY)
    results += [row | {"sweep": f"{row['sweep']}, fitted"} for row in headline(fitted.table, TALLY)]
    results += headline(beyond.table, TALLY)
    scored = scores(second.table) if len(second.table) else []
    if json:
        facts = {
            "report": str(page),
            "settings": settings.record(),
            "trials": sum(len(each.table) for each in (paper, fitted, beyond, second)),
        }
        claimed = {verdict.claim.id: verdict.outcome for verdict in [*paper.verdicts, *expected, *again]}
        refit = {verdict.claim.id: verdict.outcome for verdict in under.get(FITTED, ())}
        terminal.print_json(
            facts | {"missing": missing, "results": results, "dark": scored, "claims": claimed, "fitted": refit}
        )
        return
    cells = []
    for row in results:
        if row["x"] is None:
            steps, tally = (saying.mean(row[name], row[f"{name}_high"] - row[name]) for name in ("steps", TALLY))
            cells.append((row["sweep"], row["agent"], str(row["n"]), steps, saying.percent(row["solved"]), tally))
    head = ("experiment", "agent", "trials", "steps", "solved", TALLY)
    if cells:
        terminal.print_table(cells, head, left=head[:2])
    if scored:
        _print_scores(scored)
    tested = tests_of_fitted(under.get(FITTED, ()))
    figures = saying.listed(sorted({verdict.claim.figure for verdict in tested}))
    counts = {
        "the paper's sentences, literal reading": count_sentences(paper.verdicts if len(paper.table) else ()),
        f"fitted reading, only {figures} (the others were used to choose it)": count_sentences(tested),
        "beyond the paper": Counter(map(str, (verdict.outcome for verdict in expected))),
        "the second paper's sentences": count_sentences(each for each in again if each.claim.figure != EXPECTED),
    }
    for whose, count in counts.items():
        if count:
            typer.echo(f"{whose}: {saying.counted(count)}")
    if settings.quick:
        typer.secho("this was a quick run: rough policies and few trials, not the paper's experiment", fg="yellow")
    if missing:
        typer.secho(f"{missing:,} trials are missing: call walkon reproduce again", fg="yellow")
    typer.echo(f"report: {page}")


def _print_scores(rows: "list[Row]") -> None:
    """Print the scores of the second paper beside the published ones."""
    cells = []
    for row in rows:
        score, high, theirs = (float(str(row[name])) for name in ("score", "score_high", "published"))
        printed = "" if theirs != theirs else f"{theirs:.2f}"
        said = saying.mean(score, high - score)
        cells.append((f"{row['world']}, {row['variant']}", str(row["agent"]), str(row["n"]), said, printed))
    head = ("world", "agent", "trials", "score", "published")
    terminal.print_table(cells, head, left=head[:2])


def _provenance(store: "Store", keys: list[str]) -> dict[str, Any]:
    """Return the provenance of the trials: calls, libraries and policies."""
    rows = list(store.rows(keys))
    made = Counter(row.session for row in rows)
    sessions = store.sessions()
    policies = [facts for facts in store.policies() if facts["problem"]["task"] is not None]
    wholes = [facts for facts in store.policies() if facts["problem"]["task"] is None]
    return {
        "calls": [facts | {"trials": made[number]} for number, facts in sessions.items() if made[number]],
        "libraries": len({row.library for row in rows}),
        "policies": _cost(policies) | {"not converged": sum(each["stopped"] != "converged" for each in policies)},
        **({"plans for whole libraries": _cost(wholes)} if wholes else {}),
        "digits": "the same on one kind of processor; across kinds the last digits may differ",
    }


def _cost(policies: list[dict[str, Any]]) -> dict[str, int]:
    return {"solved": len(policies), "core seconds": round(sum(facts["seconds"] for facts in policies))}
