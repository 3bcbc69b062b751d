"""`walkon reproduce`: reproduces the paper, from solving to the report."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from walkon.cli import terminal
from walkon.cli.options import Json, Seed
from walkon.errors import InputError

if TYPE_CHECKING:
    from rich.progress import TaskID

    from walkon.runs.run import Progress, Watch

OUT = Path("results")


def reproduce(
    figures: Annotated[
        list[str] | None,
        typer.Argument(help="Figures by name (2a ... 6b, bound), `readings` or `beyond`; all figures by default."),
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
    json: Json = False,
) -> None:
    """Run the paper's experiments, draw its figures, test its claims, and write a report."""
    from walkon.cli.report import conclude
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
    entries = Run(settings).entries(*figures or ())
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
