"""`walkon list`: what there is."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer


def list_(json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List what walkon knows by name: worlds, agents, problems, solvers and figures."""
    from rich.table import Table

    from walkon.agents.registry import AGENTS
    from walkon.cli.terminal import out, print_json
    from walkon.domains.classics import CLASSICS
    from walkon.domains.registry import DOMAINS
    from walkon.paper.figures import FIGURES
    from walkon.solvers.solve import SOLVERS

    shelves: dict[str, Mapping[str, Any]] = {
        "worlds": DOMAINS,
        "agents": AGENTS,
        "problems": CLASSICS,
        "solvers": SOLVERS,
    }
    summary = {shelf: {name: _about(things, name) for name in things} for shelf, things in shelves.items()}
    summary["figures"] = {name: figure.title for name, figure in FIGURES.items()}
    if json:
        print_json(summary)
        return
    for shelf, things in summary.items():
        table = Table(title=shelf, title_justify="left", title_style="bold", show_header=False, box=None)
        for name, text in things.items():
            table.add_row(f"  {name}", text)
        out.print(table)


def _about(things: Mapping[str, Any], name: str) -> str:
    """The first line about a thing, or why one of another package cannot be loaded."""
    from walkon.errors import InputError

    try:
        return (things[name].__doc__ or "").partition("\n")[0].rstrip(".")
    except InputError as error:
        return str(error)
