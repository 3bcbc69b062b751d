"""The options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Library = Annotated[str, typer.Argument(metavar="WORLD|FILE", help="A world, or a file with a library of tasks.")]
Seed = Annotated[int, typer.Option(help="The seed of all random choices.")]
Horizon = Annotated[int | None, typer.Option(help="The number of steps; the tasks' own by default.")]
Effort = Annotated[str, typer.Option(help="How much effort to put into solving: quick, usual or thorough.")]
Backups = Annotated[
    int | None, typer.Option(help="The number of backups for each problem, instead of an effort; 0 until it converges.")
]
Plot = Annotated[Path | None, typer.Option(help="Draw the result to this file: .png, .svg or .pdf.")]
Host = Annotated[str, typer.Option(help="The address to listen on; other machines then need a token.")]
Token = Annotated[str | None, typer.Option(help="The token for other machines; a new one by default.")]


def solving(effort: Any, backups: int | None) -> dict[str, Any]:
    """Return the arguments of `walkon.agent` that say how to solve."""
    from walkon.errors import InputError
    from walkon.solvers.ascent import Ascent
    from walkon.solvers.defaults import WIDE, default_solver

    if backups is None:
        default_solver("mdp", effort=effort)  # refuses an unknown effort
        return {"effort": effort}
    if backups < 0:
        raise InputError(f"--backups is {backups}, expected 0 or more")
    return {"solver": Ascent(backups=backups or None, wide=WIDE["pomdp"])}
