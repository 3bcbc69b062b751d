"""The command line in a process of its own, as a person or a program meets it."""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from threading import Timer

from waiting import PATIENCE

FORKING = Path(__file__).with_name("forking.py")


def command(*arguments):
    return [sys.executable, "-m", "walkon", *map(str, arguments)]


def run(*arguments, **options):
    return python("-m", "walkon", *arguments, **options)


def python(*arguments, env=None, cwd=None, warnings=None, fresh=False, **options):
    """Run `python ARGUMENTS`, and return how it ended and what it wrote.

    It is forked from a process that has loaded the libraries already, which takes longer than most commands. Where
    that is impossible, where there is input, or where `fresh` is wanted, it is started anew.
    """
    words = list(map(str, arguments))
    if fresh or options or not hasattr(os, "fork"):
        words = [*_interpreter(warnings), *words]
        return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, env=env, cwd=cwd, **options)
    environment = dict(os.environ if env is None else env)
    parent = _parent(environment.get("PYTHONPATH"), warnings)
    with tempfile.TemporaryDirectory() as folder:
        out, err = (Path(folder, name) for name in ("out", "err"))
        out.touch()
        err.touch()
        wanted = {"arguments": words, "environment": environment, "folder": str(cwd or Path.cwd())}
        parent.stdin.write(json.dumps(wanted | {"out": str(out), "err": str(err)}) + "\n")
        parent.stdin.flush()
        patience = Timer(PATIENCE, parent.kill)
        patience.start()
        code = parent.stdout.readline()
        patience.cancel()
        assert code, f"{words} did not end"
        return subprocess.CompletedProcess(words, int(code), out.read_text(), err.read_text())


@cache
def _parent(path, warnings):
    """The process that forks; it ends when this one does."""
    environment = dict(os.environ) | ({"PYTHONPATH": path} if path else {})
    words = [*_interpreter(warnings), str(FORKING)]
    return subprocess.Popen(words, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _interpreter(warnings):
    return [sys.executable, *(["-W", warnings] if warnings else [])]
