"""The command line: `walkon COMMAND`. Each command imports what it needs when it is called."""

import signal
import sys
import warnings
from io import TextIOWrapper
from types import FrameType
from typing import Annotated

import typer

import walkon
from walkon.cli.bench import bench
from walkon.cli.check import check
from walkon.cli.compare import compare
from walkon.cli.identify import identify
from walkon.cli.learn import learn
from walkon.cli.list import list_
from walkon.cli.options import WorldCommand
from walkon.cli.play import play
from walkon.cli.reproduce import report, reproduce
from walkon.cli.serve import agent, serve
from walkon.cli.solve import evaluate, solve
from walkon.cli.terminal import err, print_error
from walkon.errors import InputError

app = typer.Typer(
    help="Ad hoc teamwork under partial observability.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("list")(list_)
for command in (play, solve, evaluate, check, learn, identify, compare, reproduce, report, serve, agent, bench):
    app.command(cls=WorldCommand if command in (play, solve, identify, compare) else None)(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"walkon {walkon.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Ad hoc teamwork under partial observability: join a team you have never met, and help."""


class Interrupted(SystemExit):
    """Ctrl-C, as an exit that lets every open context restore the terminal."""


def _interrupted(signum: int, frame: FrameType | None) -> None:
    raise Interrupted(130)


def _plain_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    return f"warning: {message}\n"


def main() -> None:
    """Run the command line. Exit 0 on success, 2 on bad input, 130 on Ctrl-C."""
    signal.signal(signal.SIGINT, _interrupted)
    warnings.formatwarning = _plain_warning  # a sentence, without the line of code that it came from
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows a question mark
    try:
        app()
    except Interrupted:
        err.print("interrupted")
        raise
    except (InputError, OSError) as problem:
        print_error(str(problem))
        sys.exit(2)
