"""`walkon serve`: the web page."""

from pathlib import Path
from typing import Annotated

import typer


def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="A library of your own (a .py file, .pomdp files, a bundle), or the folder of a run.",
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="The port; 0 for any that is free.")] = 8080,
    host: Annotated[str, typer.Option(help="The address; a token guards any but this machine's own.")] = "127.0.0.1",
    token: Annotated[str | None, typer.Option(help="The token for other machines; a new one if not given.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    jobs: Annotated[int, typer.Option(help="How many processes solve.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print the address as one JSON document.")] = False,
) -> None:
    """Serve the web page: play the teammate, and watch the agent find out what you want."""
    from walkon import InputError
    from walkon.cli import terminal

    try:
        from walkon.network.address import Address
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
            terminal.out.print(f"the page is at {where}", markup=False, highlight=False, soft_wrap=True)
            terminal.err.print("Ctrl-C ends it", style="dim")
        if browser and not json:
            typer.launch(where)

    run(Host(jobs, own), address, ready, Run(folders[0]) if folders else None)
