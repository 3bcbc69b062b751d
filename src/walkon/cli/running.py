"""Runs trials into a store, in processes of this machine or on a cluster, and shows how far that is."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from walkon.cli import terminal
from walkon.errors import InputError

if TYPE_CHECKING:
    from rich.progress import TaskID

    from walkon.runs.run import Progress, Watch
    from walkon.runs.store import Store
    from walkon.trials.trial import MeasuredTrial

PATIENCE = 10.0  # seconds until the first line where no bar can be shown; then each takes twice as long


def check_workers(jobs: int | None, cluster: str | None) -> None:
    """Refuse processes of this machine beside a cluster."""
    if jobs is not None and cluster is not None:
        raise InputError("--jobs counts the processes of this machine, --cluster has workers of its own: give one")


def run_stored(
    trials: "Iterable[MeasuredTrial]",
    store: "Store",
    jobs: int | None,
    cluster: str | None,
    *,
    kept: str,
    together: int | None = None,
) -> None:
    """Run the trials that a store does not have. If that is interrupted, say where the finished ones are kept."""
    from walkon.formats.policy_cache import PolicyCache
    from walkon.runs.run import TOGETHER, Cluster, local_pool, run

    pool = Cluster(cluster) if cluster else local_pool(str(PolicyCache().folder), jobs)
    try:
        with _display() as watch:
            run(trials, store, pool, watch, TOGETHER if together is None else together)
    except BaseException:
        terminal.err.print(f"what is finished is kept {kept}: call again to go on", style="dim")
        raise
    finally:
        pool.close()


@contextmanager
def _display() -> Iterator["Watch"]:
    """Show two live lines: the progress of solving and of playing, their speed, and the time left.

    Where the output is no terminal, a line is printed from time to time.
    """
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
    began, due = monotonic(), [PATIENCE]
    with Bar(*columns, **terminal.live()) as bar:
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
            if not terminal.err.is_terminal and now.played and (passed := monotonic() - began) > due[0]:
                due[0] = 2 * passed
                left = passed / played - passed
                terminal.err.print(f"{now.played:,} of {now.trials:,} trials, about {_time(left)} left", style="dim")
            bar.update(playing, completed=played, state=state(playing, now.played, now.trials))

        yield watch


def _time(seconds: float) -> str:
    return (
        f"{seconds:.0f} s"
        if seconds < 100
        else f"{seconds / 60:.0f} min"
        if seconds < 6000
        else f"{seconds / 3600:.0f} h"
    )
