"""The command line in a process of its own, as a person or a program meets it, or in this one, which is faster."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
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
    words, before, code = ["walkon", *map(str, arguments)], signal.getsignal(signal.SIGINT), 0
    with _captured(1) as out, _captured(2) as err:
        try:
            with (
                mock.patch.multiple(sys, argv=words, stdin=io.StringIO(input)),
                open(1, "w", encoding="utf-8", closefd=False) as stdout,
                open(2, "w", encoding="utf-8", closefd=False, buffering=1) as stderr,
                contextlib.redirect_stdout(stdout),
                contextlib.redirect_stderr(stderr),
            ):
                main()
        except SystemExit as end:
            code = end.code or 0
        finally:
            signal.signal(signal.SIGINT, before)
        return subprocess.CompletedProcess(words, code, _written(out), _written(err))


@contextlib.contextmanager
def _captured(descriptor):
    """Lead what is written to a file descriptor, by whomever, into a file."""
    kept = os.dup(descriptor)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), descriptor)
        try:
            yield file
        finally:
            os.dup2(kept, descriptor)
            os.close(kept)


def _written(file):
    file.seek(0)
    return file.read().decode()


def python(*arguments, warnings=None, timeout=PATIENCE, **options):
    """Run `python ARGUMENTS`, and return how it ended and what it wrote."""
    interpreter = [sys.executable, *(["-W", warnings] if warnings else [])]
    words = [*interpreter, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, **options)
