"""`walkon agent`: an agent as a service."""

from pathlib import Path
from typing import Annotated

import typer


def agent(
    bundle: Annotated[Path, typer.Argument(help="An agent, as walkon.save(agent, FILE) wrote it.")],
    port: Annotated[int, typer.Option(help="The port; 0 for any that is free.")] = 8090,
    host: Annotated[str, typer.Option(help="The address; a token guards any but this machine's own.")] = "127.0.0.1",
    token: Annotated[str | None, typer.Option(help="The token for other machines; a new one if not given.")] = None,
    journal: Annotated[
        Path | None, typer.Option(help="The folder that sessions are kept in; BUNDLE.sessions if not given.")
    ] = None,
    deadline: Annotated[float, typer.Option(help="How many seconds a request may take.")] = 5.0,
    sessions: Annotated[int, typer.Option(help="How many sessions there may be at once.")] = 256,
    keep_days: Annotated[float, typer.Option(help="How many days the journals of closed sessions are kept.")] = 30.0,
    json: Annotated[bool, typer.Option("--json", help="Print the address as one JSON document.")] = False,
) -> None:
    """Serve a saved agent over HTTP and WebSocket: open a session, tell what was read, get the action."""
    import walkon
    from walkon.cli import terminal

    try:
        from walkon.network.address import Address
        from walkon.service.server import Settings, serve
    except ImportError as missing:
        raise walkon.InputError(f"the service needs {missing.name}: install walkon[service]") from None

    address = Address.guarded(host, port, token)
    settings = Settings(deadline, sessions, keep_days=keep_days)
    folder = journal or bundle.with_name(f"{bundle.name}.sessions")

    def ready(where: str, name: str, resumed: int) -> None:
        if json:
            terminal.print_json(
                {"address": where, "token": address.token, "agent": name, "journal": str(folder), "sessions": resumed}
            )
        else:
            before = f", {resumed} sessions go on" if resumed else ""
            terminal.out.print(f"{name} is at {where}{before}", markup=False, highlight=False, soft_wrap=True)
            if address.token:
                terminal.out.print(f"token: {address.token}", markup=False, highlight=False, soft_wrap=True)
            terminal.err.print(f"{where}docs says what it can be asked; Ctrl-C ends it", style="dim", soft_wrap=True)

    with terminal.compilation_notice():
        serve(bundle, address, folder, walkon.__version__, ready, settings)
