"""`walkon serve` and `walkon agent`: serve the web page, and an agent over the network."""

from pathlib import Path
from socket import gethostname
from typing import Annotated

import typer

import walkon
from walkon.cli import terminal
from walkon.cli.options import Host, Token

PrintAddress = Annotated[bool, typer.Option("--json", help="Print the address as one JSON document.")]


def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE]...", help="Your own library (.py, .pomdp, .pomdpx, a bundle), or a run's folder."
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="The port; 0 for any free one.")] = 8080,
    host: Host = "127.0.0.1",
    token: Token = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    jobs: Annotated[int, typer.Option(help="The number of processes that solve.")] = 2,
    json: PrintAddress = False,
) -> None:
    """Serve the web page: play a teammate, and watch the agent work out what you are doing."""
    try:
        from walkon.network import Address
        from walkon.web.host import Host, read_brought
        from walkon.web.results import Run
        from walkon.web.server import serve as run
    except ImportError as missing:
        raise walkon.InputError(f"the page needs {missing.name}: pip install 'walkon[web]'") from None

    if not 1 <= jobs <= 64:
        raise walkon.InputError(f"--jobs is {jobs}, expected a number from 1 to 64")
    for path in files or []:
        if not path.exists():
            raise walkon.InputError(
                f'there is no file and no folder "{path}": expected your own library, or the folder of a run that '
                f"walkon reproduce made"
            )
    folders = [path for path in files or [] if path.is_dir()]
    if len(folders) > 1:
        raise walkon.InputError(f"{folders[1]} is a second folder: the page shows one run")
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


def agent(
    bundle: Annotated[Path, typer.Argument(help="An agent that walkon.save(agent, FILE) wrote.")],
    port: Annotated[int, typer.Option(help="The port; 0 for any free one.")] = 8090,
    host: Host = "127.0.0.1",
    token: Token = None,
    token_file: Annotated[
        Path | None, typer.Option(help="A file with the token, which other users cannot see in the list of processes.")
    ] = None,
    library: Annotated[
        Path | None, typer.Option(help="The file with the rules of an agent without tables, which is run.")
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(help="The folder of the sessions; BUNDLE.sessions by default.")
    ] = None,
    deadline: Annotated[float, typer.Option(help="The seconds that a request may take.")] = 5.0,
    sessions: Annotated[int, typer.Option(help="The largest number of open sessions.")] = 256,
    keep_days: Annotated[float, typer.Option(help="The days for which journals of closed sessions are kept.")] = 30.0,
    idle_hours: Annotated[
        float | None,
        typer.Option(help="The hours without a request after which a session is closed; never by default."),
    ] = None,
    json: PrintAddress = False,
) -> None:
    """Serve a saved agent over HTTP and WebSocket: open a session, send observations, get actions."""
    try:
        from walkon.network import Address
        from walkon.service.server import Settings, Started, serve
    except ImportError as missing:
        raise walkon.InputError(f"the service needs {missing.name}: pip install 'walkon[service]'") from None

    address = Address.guarded(host, port, token if token_file is None else _token_in(token_file))
    settings = Settings(deadline, sessions, keep_days, idle_hours)
    folder = journal or bundle.with_name(f"{bundle.name}.sessions")

    def ready(started: Started) -> None:
        where, name, resumed, refused = started
        for each in refused:
            terminal.err.print(each, style="yellow", soft_wrap=True, markup=False, highlight=False)
        if json:
            facts = {"address": where, "token": address.token, "agent": name, "journal": str(folder)}
            terminal.print_json(facts | {"sessions": resumed, "refused": list(refused)})
        else:
            before = f", {resumed} sessions resumed" if resumed else ""
            shown = where.replace("0.0.0.0", gethostname()).replace("[::]", gethostname())
            typer.echo(f"{name} is at {shown}{before}")
            if address.token:
                typer.echo(f"token: {address.token}")
            terminal.err.print(f"{shown}docs describes the requests; Ctrl-C stops it", style="dim", soft_wrap=True)

    with terminal.compilation_notice():
        rules = None if library is None else walkon.read_library(library)
        serve(bundle, address, folder, walkon.__version__, ready, settings, rules)


def _token_in(path: Path) -> str:
    """Return the token in a file: its only line."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as problem:
        raise walkon.InputError(f"--token-file {path} cannot be read ({problem}): expected one line") from None
    if not token or len(token.split()) != 1:
        raise walkon.InputError(f"--token-file {path} holds {token!r:.40}, expected one line with a token")
    return token
