"""`walkon reproduce` and `walkon report`: reproduce the paper, and write the report of a run."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon import saying
from walkon.cli import terminal
from walkon.cli.options import Json, Seed
from walkon.errors import InputError

if TYPE_CHECKING:
    from rich.progress import TaskID

    from walkon.runs.run import Progress, Watch
    from walkon.runs.store import Store
    from walkon.trials.trial import MeasuredTrial

OUT = Path("results")


def reproduce(
    figures: Annotated[
        list[str] | None,
        typer.Argument(help="Figures by name (2a ... 6b, bound), `readings` or `beyond`; all figures by default."),
    ] = None,
    reading: Annotated[
        str | None, typer.Option(help="Only under one reading of the paper: literal or fitted; both by default.")
    ] = None,
    trials: Annotated[int | None, typer.Option(help="Trials for each task or point; 32 by default.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A quick look: few trials, few points, rough policies.")
    ] = False,
    solver: Annotated[str, typer.Option(help="The solver of the POMDPs, for all agents.")] = "perseus",
    jobs: Annotated[int | None, typer.Option(help="The number of processes; one for each core by default.")] = None,
    cluster: Annotated[str | None, typer.Option(help="Run on a Dask cluster: the address of its scheduler.")] = None,
    out: Annotated[Path, typer.Option(help="The folder of results and report. A second call resumes.")] = OUT,
    seed: Seed = 0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what there is to do, and how long it takes.")
    ] = False,
    json: Json = False,
) -> None:
    """Run the paper's experiments, draw its figures, test its claims, and write a report."""
    from walkon.formats.policy_cache import PolicyCache
    from walkon.paper.run import QUICK, QUICK_TRIALS, Run
    from walkon.runs.provenance import provenance
    from walkon.runs.run import Cluster, local_pool, run
    from walkon.runs.store import Store
    from walkon.runs.sweep import Settings
    from walkon.trials.trial import Recipe

    if jobs is not None and cluster is not None:
        raise InputError("--jobs counts the processes of this machine, --cluster has workers of its own: give one")
    recipe = Recipe(solver, QUICK.options if quick and solver == QUICK.solver else ())
    few = QUICK_TRIALS if quick else Settings.trials
    settings = Settings(seed=seed, trials=few if trials is None else trials, recipe=recipe, quick=quick)
    entries = Run(settings).entries(*figures or (), reading=reading)
    if dry_run:
        _print_plan([entry.trial for entry in entries], out, json)
        return
    with terminal.compilation_notice(), Store(out, write=True) as store:
        store.begin(provenance(" ".join(["walkon", *sys.argv[1:]])), settings.record())
        pool = Cluster(cluster) if cluster else local_pool(str(PolicyCache().folder), jobs)
        try:
            with _display() as watch:
                run((entry.trial for entry in entries), store, pool, watch)
        except BaseException:
            terminal.err.print(f"what is finished is kept in {out}: call again to go on", style="dim")
            raise
        finally:
            pool.close()
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


@contextmanager
def _display() -> Iterator["Watch"]:
    """Show two live lines: the progress of solving and of playing, their speed, and the time left."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description:<8}"),
        BarColumn(),
        TextColumn("{task.fields[state]:<24}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=terminal.err, transient=True) as bar:
        solving, playing = (bar.add_task(what, total=1.0, state="") for what in ("solving", "playing"))

        def state(line: "TaskID", done: int, total: int) -> str:
            elapsed = bar.tasks[line].elapsed
            return f"{done:,} of {total:,}" + (f", {done / elapsed:,.1f}/s" if done and elapsed else "")

        def watch(now: "Progress") -> None:
            if not now.now and now.kept:
                terminal.err.print(f"{now.kept:,} trials are already there", style="dim")
            work = now.solved_work if now.problems else 1.0
            bar.update(solving, completed=work, state=state(solving, now.solved, now.problems))
            played = now.played / now.trials if now.trials else 1.0
            bar.update(playing, completed=played, state=state(playing, now.played, now.trials))

        yield watch


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
    from walkon.paper import BEYOND, FITTED, PAPER, TALLY
    from walkon.paper.readings import verdicts_by_reading
    from walkon.paper.report.write import write_report
    from walkon.paper.run import Found, Run
    from walkon.runs.sweep import Settings
    from walkon.runs.tabulate import plans

    with terminal.err.status("drawing figures, testing claims"):
        settings = Settings.from_record(store.settings())
        begun = Run(settings).begun(store)
        paper = Found.of(begun[PAPER], store, claims.read_claims(claims.PAPER))
        beyond = Found.of(begun[BEYOND], store, claims.read_claims(claims.BEYOND))
        fitted = Found.of(begun[FITTED], store, ())
        under = verdicts_by_reading(begun, paper.verdicts, store)
        missing = paper.missing + fitted.missing + beyond.missing
        page = write_report(
            store.folder,
            paper.table,
            paper.verdicts,
            _provenance(store, [entry.trial.key for part in (PAPER, FITTED, BEYOND) for entry in begun[part]]),
            settings.record(),
            missing=missing,
            fitted=fitted.table,
            readings=under,
            beyond=beyond if len(beyond.table) else None,
            plans=plans(store),
        )
    expected = beyond.verdicts if len(beyond.table) else ()
    results: list[dict[str, Any]] = headline(paper.table, TALLY)
    results += [row | {"sweep": f"{row['sweep']}, fitted"} for row in headline(fitted.table, TALLY)]
    results += headline(beyond.table, TALLY)
    if json:
        facts = {
            "report": str(page),
            "settings": settings.record(),
            "trials": sum(len(each.table) for each in (paper, fitted, beyond)),
        }
        claimed = {verdict.claim.id: verdict.outcome for verdict in [*paper.verdicts, *expected]}
        again = {verdict.claim.id: verdict.outcome for verdict in under.get(FITTED, ())}
        terminal.print_json(facts | {"missing": missing, "results": results, "claims": claimed, "fitted": again})
        return
    cells = []
    for row in results:
        if row["x"] is None:
            steps, tally = (saying.mean(row[name], row[f"{name}_high"] - row[name]) for name in ("steps", TALLY))
            cells.append((row["sweep"], row["agent"], str(row["n"]), steps, saying.percent(row["solved"]), tally))
    head = ("experiment", "agent", "trials", "steps", "solved", TALLY)
    terminal.print_table(cells, head, left=head[:2])
    judged = {
        "the paper's claims, literal reading": paper.verdicts,
        "the paper's claims, fitted reading": under.get(FITTED, ()),
        "beyond the paper": expected,
    }
    for whose, verdicts in judged.items():
        if verdicts:
            counts: Counter[str] = Counter(verdict.outcome for verdict in verdicts if verdict.outcome != "no data")
            typer.echo(f"{whose}: {saying.counted(counts) or 'no data'}")
    if settings.quick:
        typer.secho("this was a quick run: rough policies and few trials, not the paper's experiment", fg="yellow")
    if missing:
        typer.secho(f"{missing:,} trials are missing: call walkon reproduce again", fg="yellow")
    typer.echo(f"report: {page}")


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
