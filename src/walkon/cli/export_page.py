"""`walkon export-page`: write the first game as a page that needs no server."""

from pathlib import Path
from typing import Annotated

import typer

from walkon.cli import terminal
from walkon.cli.options import Json


def export_page(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of the page: a new one, or an older copy.")],
    json: Json = False,
) -> None:
    """Write the first game as a page without a server, for any browser or web space."""
    from walkon.web.first_game import FRONT, export

    sizes = export(folder)
    if json:
        terminal.print_json({"page": str(folder / FRONT), "files": sizes, "bytes": sum(sizes.values())})
        return
    typer.echo(f"the page is at {folder / FRONT}")
    terminal.err.print(f"{len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB; they need no server", style="dim")
