"""Measures how long it takes to build a library, and to start."""

import os
import subprocess
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

from walkon.domains.registry import make
from walkon.speed.bench import Bench, Row, alone

LIBRARIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("night-pursuit", {"size": 3}),
    ("night-pursuit", {"size": 4}),
    ("night-pursuit", {"size": 5}),
    ("night-pursuit", {"size": 6}),
    ("pursuit", {}),
    ("overcooked", {"role": "helper"}),
    ("overcooked", {"role": "cook"}),
    ("night-pursuit", {"size": 10}),
    ("night-pursuit", {"size": 5, "teammates": 2}),
)
STARTS = {
    "import walkon": [sys.executable, "-c", "import walkon"],
    "walkon --help": [sys.executable, "-m", "walkon", "--help"],
}
TIMES = 3


def building(bench: Bench) -> Iterator[Row]:
    """Time the building of each world, with all its tasks, in a new process, because worlds share cached parts."""
    for world, options in LIBRARIES:
        described = ", ".join(f"{name}={value}" for name, value in options.items())
        bench.report(f"building {world} {described}")
        times = [row for _ in range(TIMES) if (row := alone(bench, _build, world, options))]
        if not times:
            return
        yield {"world": world, "options": described, **min(times, key=lambda row: row["seconds"])}


def _build(world: str, options: dict[str, Any]) -> Row:
    began = process_time()
    library = make(world, **options)
    seconds = process_time() - began
    return {"tasks": len(library), "states": len(library[0].pomdp.start), "seconds": seconds}


def starting(bench: Bench) -> Iterator[Row]:
    """Time a process that only starts: the fastest of a few."""
    for what, command in STARTS.items():
        bench.report(what)
        yield {"what": what, "seconds": min(_process_seconds(command) for _ in range(TIMES))}


def _process_seconds(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, start_new_session=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
