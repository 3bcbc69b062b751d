"""`walkon list`: the worlds, agents, problems, solvers and figures that can be named."""

from typing import Any

from walkon.cli import terminal
from walkon.cli.options import Json


def list_(json: Json = False) -> None:
    """List what walkon knows by name: worlds, agents, problems, solvers and figures."""
    from rich.text import Text

    from walkon.agents.registry import AGENTS
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
        terminal.print_json(summary)
        return
    for kind, things in summary.items():
        terminal.print_table([(f"  {name}", Text(text)) for name, text in things.items()], title=kind)  # no markup


def _first_line(thing: Any) -> str:
    return (thing.__doc__ or "").partition("\n")[0]
