"""The command line with Ctrl-C pressed at one exact moment: before or after the n-th call of a function.

python pressing.py MODULE FUNCTION before|after N WORD...

As at a terminal, every process of the group gets it: the caller gives this process its own group.
"""

import os
import signal
import sys
from functools import wraps
from importlib import import_module
from operator import attrgetter
from pathlib import Path


def press_at(module, function, side, n):
    """Have Ctrl-C pressed at that moment, in this process and not in those that it forks."""
    path, _, name = function.rpartition(".")
    owner = attrgetter(path)(import_module(module)) if path else import_module(module)
    as_usual, here, calls = getattr(owner, name), os.getpid(), []

    def press():
        if os.getpid() == here and len(calls) == n:
            os.killpg(0, signal.SIGINT)

    @wraps(as_usual)
    def pressed(*arguments, **options):
        calls.append(1)
        if side == "before":
            press()
        try:
            return as_usual(*arguments, **options)
        finally:
            if side == "after":
                press()

    setattr(owner, name, pressed)


def pressing(module, function, *words, side="before", n=1):
    """The words of a command line that starts this."""
    return [sys.executable, str(Path(__file__)), module, function, side, str(n), *map(str, words)]


if __name__ == "__main__":
    from walkon.cli.main import main

    press_at(*sys.argv[1:4], int(sys.argv[4]))
    sys.argv[1:] = sys.argv[5:]
    main()
