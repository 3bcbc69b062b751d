"""`walkon bench`: measures the speed of this machine."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from walkon.cli import terminal
from walkon.cli.options import Json, Seed
from walkon.errors import InputError

if TYPE_CHECKING:
    from walkon.speed.bench import Bench, Section

QUICK, FULL = 2.0, 60.0  # CPU seconds for each solve
WIDE = 140  # letters
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def bench(
    problems: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PROBLEM]...", help="Measure only solvers, on these: tag, a .pomdp file, ..."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="solvers, decisions, batch, agents, larger, building, starting, growth or search; repeatable."
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="CPU seconds for each solve; 2, or 60 with --full.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Take 60 s and 5,000 episodes for each solve; grow further.")
    ] = False,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="The folder for bench.json and the figure of growth.")] = None,
    json: Json = False,
) -> None:
    """Measure the speed of solvers, decisions and building, and how time and memory grow. Takes minutes."""
    for name in ONE_THREAD:
        os.environ.setdefault(name, "1")  # before NumPy is loaded: one core is measured

    from walkon.cli.problem import find_problem
    from walkon.models.pomdp import POMDP
    from walkon.speed.bench import Bench

    sections = _sections()
    if seconds is not None and not 0 < seconds < float("inf"):
        raise InputError(f"--seconds is {seconds}, expected a positive number")
    for name in only or []:
        if name not in sections:
            raise InputError(f"--only is {name!r}, expected one of {', '.join(sections)}")
    if out is not None and out.exists() and not out.is_dir():
        raise InputError(f"{out} is a file: give --out the name of a folder")
    models: dict[str, POMDP] = {}
    for name in problems or []:
        model = find_problem(name)
        if not isinstance(model, POMDP):
            raise InputError(f"{name} is an MDP, which value iteration solves: expected a POMDP")
        models[name] = model
    chosen = {name: sections[name] for name in only or (["solvers"] if models else sections)}

    def report(what: str) -> None:
        terminal.err.print(what, style="dim", highlight=False)

    with terminal.compilation_notice(), terminal.patience() as stop:
        budget = seconds or (FULL if full else QUICK)
        bench = Bench(seconds=budget, full=full, seed=seed, problems=models, report=report, stop=stop)
        document = _measure(bench, chosen)
    if out is not None:
        _write(document, out)
    terminal.print_json(document) if json else _print(document)
    if stop():
        raise typer.Exit(130)


def _sections() -> "dict[str, Section]":
    """Return the sections, by name."""
    from walkon.speed import building, deciding, searching, solving

    return {
        "solvers": solving.solving,
        "decisions": deciding.deciding,
        "batch": deciding.batch,
        "agents": solving.agents,
        "larger": solving.larger,
        "building": building.building,
        "starting": building.starting,
        "growth": deciding.growth,
        "search": searching.searching,
    }


def _measure(settings: "Bench", sections: "dict[str, Section]") -> dict[str, Any]:
    """Measure each section, until the user interrupts."""
    import sys

    from walkon.runs.provenance import provenance
    from walkon.speed.bench import kernel_seconds, seconds_of
    from walkon.speed.deciding import exponents
    from walkon.speed.solving import compile_solvers

    settings.report("compiling kernels")
    compilation = seconds_of(compile_solvers)
    machine = {"kernel_us": 1e6 * kernel_seconds(), "compilation_seconds": compilation}
    document: dict[str, Any] = {
        "machine": machine | provenance(" ".join(["walkon", *sys.argv[1:]])),
        "seconds": settings.seconds,
        "sections": {},
    }
    for name, section in sections.items():
        rows = document["sections"][name] = []
        for row in section(settings):
            rows.append(row)
            if settings.stop():
                break
        if settings.stop():
            break
    document["complete"] = not settings.stop()
    if "growth" in document["sections"]:
        document["exponents"] = exponents(document["sections"]["growth"])
    return document


def _write(document: dict[str, Any], folder: Path) -> None:
    """Write the document, and the figure of growth where it was measured."""
    from walkon.figures.files import as_bytes
    from walkon.figures.growth import draw

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.json").write_text(terminal.as_json(document))
    if rows := document["sections"].get("growth"):
        for form in ("png", "svg"):
            (folder / f"growth.{form}").write_bytes(as_bytes(draw(rows), form, "growth"))


def _print(document: dict[str, Any]) -> None:
    """Print a table for each section."""
    from rich.console import Console

    machine = document["machine"]
    wide = Console(width=max(terminal.out.width, WIDE))  # no number is cut off
    typer.echo(
        f"{machine['processor']}, one core: a fixed NumPy kernel takes {machine['kernel_us']:.0f} µs; "
        f"compiling or loading kernels took {machine['compilation_seconds']:.1f} s"
    )
    tables = {**document["sections"], "exponents": document.get("exponents", [])}
    for name, rows in tables.items():
        if rows:
            shown = {column: column.replace("_", " ") for column in rows[0] if column != "model"}
            words = {shown[column] for column in shown if isinstance(rows[0][column], str)}
            cells = ([_cell(row[column]) for column in shown] for row in rows)
            terminal.print_table(cells, [*shown.values()], title=name, left=words, console=wide)
    if not document["complete"]:
        terminal.out.print("interrupted: the rest was not measured", style="yellow")


def _cell(value: Any) -> str:
    """Format a value; empty where there is none."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.5g}" if isinstance(value, float) else str(value)
