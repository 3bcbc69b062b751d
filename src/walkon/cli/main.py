"""The command line: `walkon COMMAND`. Each command imports what it needs when it is called."""

import codecs
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
from walkon.cli.evaluate import evaluate
from walkon.cli.examples import examples
from walkon.cli.export_page import export_page
from walkon.cli.identify import identify
from walkon.cli.learn import learn
from walkon.cli.list import list_
from walkon.cli.options import WorldCommand
from walkon.cli.play import play
from walkon.cli.prepare import prepare
from walkon.cli.replay import replay
from walkon.cli.reproduce import report, reproduce
from walkon.cli.serve import agent, serve
from walkon.cli.solve import solve
from walkon.cli.terminal import err, only_documents, print_error, print_json, wants_json
from walkon.errors import InputError

app = typer.Typer(
    help="Ad hoc teamwork under partial observability.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command("list")(list_)
for command in (
    play,
    solve,
    evaluate,
    check,
    learn,
    replay,
    identify,
    compare,
    reproduce,
    report,
    serve,
    prepare,
    agent,
    examples,
    bench,
):
    app.command(cls=WorldCommand if command in (play, solve, replay, identify, compare, prepare) else None)(command)
app.command("export-page")(export_page)


def _print_version(wanted: bool) -> None:
    if wanted and wants_json():
        print_json({"version": walkon.__version__})
    elif wanted:
        typer.echo(f"walkon {walkon.__version__}")
    if wanted:
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document, whatever the command.")] = False,
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
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"  # LC_ALL=C: UTF-8, as Python does by itself
            stream.reconfigure(encoding="utf-8" if ascii_only else None, errors="replace")
    try:
        if not wants_json():
            app()
        with only_documents():
            sys.exit(_run_for_json())
    except Interrupted:
        err.print("interrupted")
        raise
    except (InputError, OSError) as problem:
        print_error(str(problem))
        sys.exit(2)
    except Exception as problem:
        cause: BaseException | None = problem
        while cause and not isinstance(cause, Interrupted):  # what CPython makes of an interrupt while a class is made
            cause = cause.__cause__  # by an import, or while a kernel returns its arrays
        if cause is None:
            raise
        err.print("interrupted")
        raise cause from None


def _run_for_json() -> int:
    """Run a command whose output is one JSON document, also where it fails; return its exit code."""
    words = sys.argv[1:]
    try:
        return app(words if words[0] != "--json" else [*words[1:], "--json"], standalone_mode=False) or 0
    except Exception as problem:
        usage = getattr(problem, "format_message", None)  # wrong usage, found by typer
        if usage is None and not isinstance(problem, InputError | OSError):
            raise
        message = usage() if usage else str(problem)
        print_json({"error": message})
        raise InputError(message) from None
