"""`walkon agent`: serves an agent."""

from pathlib import Path
from typing import Annotated

import typer

import walkon
from walkon.cli import terminal
from walkon.cli.options import Host, Token


def agent(
    bundle: Annotated[Path, typer.Argument(help="An agent that walkon.save(agent, FILE) wrote.")],
    port: Annotated[int, typer.Option(help="The port; 0 for any free one.")] = 8090,
    host: Host = "127.0.0.1",
    token: Token = None,
    journal: Annotated[
        Path | None, typer.Option(help="The folder of the sessions; BUNDLE.sessions by default.")
    ] = None,
    deadline: Annotated[float, typer.Option(help="The seconds that a request may take.")] = 5.0,
    sessions: Annotated[int, typer.Option(help="The largest number of open sessions.")] = 256,
    keep_days: Annotated[float, typer.Option(help="The days for which journals of closed sessions are kept.")] = 30.0,
    json: Annotated[bool, typer.Option("--json", help="Print the address as one JSON document.")] = False,
) -> None:
    """Serve a saved agent over HTTP and WebSocket: open a session, send observations, get actions."""
    try:
        from walkon.network import Address
        from walkon.service.server import Settings, serve
    except ImportError as missing:
        raise walkon.InputError(f"the service needs {missing.name}: install walkon[service]") from None

    address = Address.guarded(host, port, token)
    settings = Settings(deadline, sessions, keep_days)
    folder = journal or bundle.with_name(f"{bundle.name}.sessions")

    def ready(where: str, name: str, resumed: int) -> None:
        if json:
            terminal.print_json(
                {"address": where, "token": address.token, "agent": name, "journal": str(folder), "sessions": resumed}
            )
        else:
            before = f", {resumed} sessions resumed" if resumed else ""
            typer.echo(f"{name} is at {where}{before}")
            if address.token:
                typer.echo(f"token: {address.token}")
            terminal.err.print(f"{where}docs describes the requests; Ctrl-C stops it", style="dim", soft_wrap=True)

    with terminal.compilation_notice():
        serve(bundle, address, folder, walkon.__version__, ready, settings)
