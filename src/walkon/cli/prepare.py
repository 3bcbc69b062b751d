"""`walkon prepare`: solves what an agent needs, and writes the agent to a bundle that `walkon agent` serves."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

import walkon
from walkon.checks import whole
from walkon.cli import terminal
from walkon.cli.options import Backups, Effort, Json, Library, Seed, solving
from walkon.saying import count, duration

MORE = "More files: their tasks join the library, so that an agent can be made of tasks that were learned one by one."


def prepare(
    context: typer.Context,
    what: Library,
    more: Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help=MORE)] = None,
    agent: Annotated[str, typer.Option(help="The agent, also with options: search:seconds=0.1.")] = "atpo",
    out: Annotated[Path, typer.Option(help="The bundle to write.")] = Path("agent.safetensors"),
    target: Annotated[int | None, typer.Option(help="The number of the task, for an agent that is told it.")] = None,
    effort: Effort = "usual",
    backups: Backups = None,
    hazard: Annotated[float, typer.Option(help="The agent's probability that the task changes at a step.")] = 0.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Prepare an agent: solve what it needs, and write it to a file that `walkon agent` serves."""
    from walkon.cli.problem import check_agent, find_library
    from walkon.measuring.contenders import Contender

    check_agent(agent, what)
    wanted = Contender.of(agent)  # refuses an unknown name
    chosen = {"hazard": hazard, "target": target} | dict(wanted.options)
    whole("--seed", seed, 0, None)
    terminal.check_writable(out, "--out")
    library = find_library(what, context.obj)
    if more:
        library = walkon.TaskLibrary([*library, *(task for name in more for task in find_library(name))])
    how = solving(effort, backups)
    began = perf_counter()
    with terminal.counted(f"solving the tasks for {wanted.name}") as (watch, _):
        ready = walkon.agent(wanted.name, library, **how, seed=seed, watch=watch, **chosen)
    walkon.save(ready, out)
    seconds = perf_counter() - began
    if json:
        facts = {"agent": agent, "tasks": list(library.names), "seconds": seconds}
        terminal.print_json(facts | {"bytes": out.stat().st_size, "out": str(out)})
        return
    typer.echo(f"{agent} for {count(len(library), 'task')}, prepared in {duration(seconds)}")
    rules = "" if library.tables else f" --library {what}"
    typer.echo(f"written to {out}; `walkon agent {out}{rules}` serves it")
