"""`walkon serve`: serves the web page."""

from pathlib import Path
from typing import Annotated

import typer

from walkon.cli import terminal
from walkon.cli.options import Host, Token
from walkon.errors import InputError


def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Your own library (.py, .pomdp files, a bundle), or a run's folder."),
    ] = None,
    port: Annotated[int, typer.Option(help="The port; 0 for any free one.")] = 8080,
    host: Host = "127.0.0.1",
    token: Token = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    jobs: Annotated[int, typer.Option(help="The number of processes that solve.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print the address as one JSON document.")] = False,
) -> None:
    """Serve the web page: play a teammate, and watch the agent work out what you are doing."""
    try:
        from walkon.network import Address
        from walkon.web.host import Host, read_brought
        from walkon.web.results import Run
        from walkon.web.server import serve as run
    except ImportError as missing:
        raise InputError(f"the page needs {missing.name}: install walkon with its extra, walkon[web]") from None

    if not 1 <= jobs <= 64:
        raise InputError(f"--jobs is {jobs}, expected a number from 1 to 64")
    folders = [path for path in files or [] if path.is_dir()]
    if len(folders) > 1:
        raise InputError(f"{folders[1]} is a second folder: the page shows one run")
    brought = [path for path in files or [] if not path.is_dir()]
    own = read_brought(brought) if brought else None
    address = Address.guarded(host, port, token)

    def ready(where: str) -> None:
        if json:
            terminal.print_json({"address": where})
        else:
            typer.echo(f"the page is at {where}")
            terminal.err.print("Ctrl-C stops it", style="dim")
        if browser and not json:
            typer.launch(where)

    run(Host(jobs, own), address, ready, Run(folders[0]) if folders else None)
