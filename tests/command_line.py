"""The command line in a process of its own, as a person or a program meets it, or in this one, which is faster."""

import contextlib
import io
import signal
import subprocess
import sys
from unittest import mock

from waiting import PATIENCE
from walkon.cli.main import main


def command(*arguments):
    return [sys.executable, "-m", "walkon", *map(str, arguments)]


def run(*arguments, **options):
    return python("-m", "walkon", *arguments, **options)


def run_here(*arguments, input=""):
    """Run the command line in this process, and return how it ended and what it wrote. Any other exception is raised.

    Each command is also run in a process of its own by a test or two.
    """
    words, out, err = ["walkon", *map(str, arguments)], io.StringIO(), io.StringIO()
    before, code = signal.getsignal(signal.SIGINT), 0
    try:
        with (
            mock.patch.multiple(sys, argv=words, stdin=io.StringIO(input)),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            main()
    except SystemExit as end:
        code = end.code or 0
    finally:
        signal.signal(signal.SIGINT, before)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def python(*arguments, warnings=None, timeout=PATIENCE, **options):
    """Run `python ARGUMENTS`, and return how it ended and what it wrote."""
    interpreter = [sys.executable, *(["-W", warnings] if warnings else [])]
    words = [*interpreter, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, **options)
