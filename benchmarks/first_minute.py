"""Measure the first minute: what people type first, on a machine where nothing is compiled or solved yet.

python benchmarks/first_minute.py [PYTHON]

PYTHON is the interpreter of an environment with walkon and its page, such as a new one with the wheel; the one
that runs this script if not given. Each command begins with an empty cache. CPU seconds are those of all its processes.
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

FIRST_GAME = """
import walkon
library = walkon.make("night-pursuit", size=3, tasks=2)
agent = walkon.agent("atpo", library, solver=walkon.Perseus(beliefs=100))
assert walkon.play(library[1], agent, seed=7).solved
"""
COMMANDS = {
    "walkon play night-pursuit --fast": ["-m", "walkon", "play", "night-pursuit", "--fast"],
    "walkon play night-pursuit --size 4 --fast": ["-m", "walkon", "play", "night-pursuit", "--size", "4", "--fast"],
    "walkon play pursuit --fast": ["-m", "walkon", "play", "pursuit", "--fast"],
    "walkon play overcooked --fast": ["-m", "walkon", "play", "overcooked", "--fast"],
    "README's three calls": ["-c", FIRST_GAME],
}


def spent(run):
    """Return the wall seconds and the CPU seconds of the processes that a function starts and waits for."""
    before, began = os.times(), time.perf_counter()
    run()
    after, wall = os.times(), time.perf_counter() - began
    return wall, sum(after[2:4]) - sum(before[2:4])


def served(command, environment):
    """Return the wall seconds until the first game, with its scripts, has come from `walkon serve`."""
    began = time.perf_counter()
    server = subprocess.Popen(
        [*command, "-m", "walkon", "serve", "--port", "0", "--no-browser"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        address = next(word for line in server.stdout for word in line.split() if word.startswith("http"))
        for name in ("", "engine.js", "views.js", "night-pursuit.js"):
            urllib.request.urlopen(f"{address.rstrip('/.')}/{name}").read()
        return time.perf_counter() - began
    finally:
        server.terminate()
        server.wait()


def main(python=sys.executable):
    """Print one line for each command."""
    for what, arguments in COMMANDS.items():
        with tempfile.TemporaryDirectory() as cache:
            environment = os.environ | {"XDG_CACHE_HOME": cache}
            run = [python, *arguments]
            wall, cpu = spent(
                lambda run=run, environment=environment: subprocess.run(
                    run, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            )
            kernels = sum(1 for each in Path(cache).rglob("*.nbc"))
        print(f"{what:<45} {wall:6.1f} s {cpu:6.1f} CPU s   {kernels} kernels kept")
    with tempfile.TemporaryDirectory() as cache:
        seconds = served([python], os.environ | {"XDG_CACHE_HOME": cache})
    print(f"{'walkon serve, to the first game':<45} {seconds:6.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
