"""The command line in a process of its own, as a person or a program meets it."""

import subprocess
import sys

from waiting import PATIENCE


def command(*arguments):
    return [sys.executable, "-m", "walkon", *map(str, arguments)]


def run(*arguments, **options):
    return python("-m", "walkon", *arguments, **options)


def python(*arguments, warnings=None, timeout=PATIENCE, **options):
    """Run `python ARGUMENTS`, and return how it ended and what it wrote."""
    interpreter = [sys.executable, *(["-W", warnings] if warnings else [])]
    words = [*interpreter, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=timeout, **options)
