"""The command line in a process of its own, as a person or a program meets it."""

import subprocess
import sys

from waiting import PATIENCE


def command(*arguments):
    return [sys.executable, "-m", "walkon", *map(str, arguments)]


def run(*arguments, **options):
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=PATIENCE, **options)
