"""`walkon list`: what there is."""

from typing import Annotated, Any

import typer


def list_(json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List what walkon knows by name: worlds, agents, problems, solvers and figures."""
    from rich.table import Table
    from rich.text import Text

    from walkon.agents.registry import AGENTS
    from walkon.cli.terminal import out, print_json
    from walkon.domains.classics import CLASSICS
    from walkon.domains.registry import WORLDS
    from walkon.paper.run import FIGURES
    from walkon.solvers.solve import SOLVERS

    summary = {
        "worlds": {name: f"{world.title}. {world.goal}" for name, world in WORLDS.working().items()} | WORLDS.broken(),
        "agents": {name: agent.summary for name, agent in AGENTS.working().items()} | AGENTS.broken(),
        "problems": {name: _first_line(problem) for name, problem in CLASSICS.items()},
        "solvers": {name: _first_line(solver) for name, solver in SOLVERS.working().items()} | SOLVERS.broken(),
        "figures": {name: figure.title for name, figure in FIGURES.items()},
    }
    summary = {kind: {name: text.rstrip(". ") for name, text in things.items()} for kind, things in summary.items()}
    if json:
        print_json(summary)
        return
    for kind, things in summary.items():
        table = Table(title=kind, title_justify="left", title_style="bold", show_header=False, box=None)
        for name, text in things.items():
            table.add_row(f"  {name}", Text(text))  # what is wrong with an agent of another package is no markup
        out.print(table)


def _first_line(thing: Any) -> str:
    return (thing.__doc__ or "").partition("\n")[0]
