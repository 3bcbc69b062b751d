"""`walkon list`: what there is."""

from collections.abc import Mapping
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

    worlds = {name: f"{world.title}. {world.goal}".rstrip(". ") for name, world in WORLDS.sound().items()}
    shelves: dict[str, Mapping[str, Any]] = {
        "agents": {},
        "problems": CLASSICS,
        "solvers": SOLVERS,
    }
    summary = {"worlds": worlds | WORLDS.broken()} | {
        shelf: {name: (thing.__doc__ or "").partition("\n")[0].rstrip(".") for name, thing in things.items()}
        for shelf, things in shelves.items()
    }
    summary["agents"] = {name: AGENTS.summary(name).rstrip(".") for name in AGENTS}
    summary["figures"] = {name: figure.title for name, figure in FIGURES.items()}
    if json:
        print_json(summary)
        return
    for shelf, things in summary.items():
        table = Table(title=shelf, title_justify="left", title_style="bold", show_header=False, box=None)
        for name, text in things.items():
            table.add_row(f"  {name}", Text(text))  # what is wrong with an agent of another package is no markup
        out.print(table)
