"""Measures how time and memory of a decision of `search` grow with the number of states, with tables and without.

Night-time Pursuit with four tasks, a fixed number of simulations for each decision, and a new process for each point,
so that its memory is its own. Without tables, states are never listed: a room of any size costs the same few particles.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from time import process_time

import numpy as np

from walkon.agents.registry import agent as make_agent
from walkon.domains.registry import make
from walkon.simulation.stepping import first_state, stepping
from walkon.speed.bench import Bench, Row, alone
from walkon.trials.luck import Luck

TASKS, SIMULATIONS, STEPS = 4, 1_000, 12
SIZES = {True: (4, 6, 8, 10), False: (4, 6, 8, 10, 16, 32, 100)}  # cells along each side, with tables and without
LARGE = {True: (12,), False: (316,)}


def searching(bench: Bench) -> Iterator[Row]:
    """Time making a library and its agent, and its decisions, at each size."""
    for tables, sizes in SIZES.items():
        for size in (*sizes, *(LARGE[tables] if bench.full else ())):
            words = "tables" if tables else "rules"
            bench.report(f"search by {words} with {size**4:,} states")
            if row := alone(bench, _point, size, tables):
                yield {"form": words, "states": size**4, **row}


def _point(size: int, tables: bool) -> Row:
    """Measure one point; the first decision, which loads kernels, is not counted."""
    began = process_time()
    library = make("night-pursuit", size=size, tasks=TASKS, tables=tables)
    player = make_agent("search", library, simulations=SIMULATIONS)
    made = process_time() - began
    luck = Luck.of(1, STEPS + 1)
    spent = [
        (each.acting, each.updating)
        for each in stepping(
            library[0], player, luck, first_state(library[0], luck), player.start(), clock=process_time
        )
    ]
    acting, updating = np.median(spent[1:], axis=0).tolist()
    return {"tasks": TASKS, "make": made, "decision": acting, "update": updating, "MiB": peak()}


def peak() -> float:
    """Return the most memory that this process has had, in MiB; NaN where the system does not tell."""
    try:
        resource = import_module("resource")
    except ImportError:  # not on this system
        return float("nan")
    used: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (2**20 if sys.platform == "darwin" else 2**10)
