"""Measures how well agents play with the policies of each solver, and in larger worlds."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.registry import agent
from walkon.domains.registry import make
from walkon.measuring.compare import Comparison, compare
from walkon.measuring.seeds import trial_seeds
from walkon.measuring.statistics import student_interval
from walkon.simulation.play import play
from walkon.solvers.ascent import Ascent
from walkon.solvers.parallel import solve_all
from walkon.solvers.perseus import Perseus
from walkon.solvers.solve import Solver, solve
from walkon.speed.bench import Bench, Row, alone
from walkon.speed.solving import compile_solvers

LIBRARIES: dict[str, tuple[str, dict[str, Any]]] = {
    "night 5x5": ("night-pursuit", {"size": 5}),
    "night 6x6": ("night-pursuit", {"size": 6}),
    "pursuit 5x5": ("pursuit", {}),
}
SOLVERS: dict[str, Solver] = {
    "Perseus()": Perseus(),
    "Ascent(backups=1_000)": Ascent(backups=1_000),
    "Ascent(backups=4_000)": Ascent(backups=4_000),
    "Ascent(backups=10_000)": Ascent(backups=10_000),
}
TRIALS, FULL_TRIALS = 50, 250  # of each task
LARGER: dict[str, dict[str, Any]] = {
    "night 10x10": {"size": 10, "tasks": 1},
    "night 5x5, two teammates": {"size": 5, "teammates": 2, "tasks": 1},
}
BACKUPS, FULL_BACKUPS = (4_000,), (4_000, 40_000)
EPISODES = 400


def agents(bench: Bench) -> Iterator[Row]:
    """Measure for each library and solver the time of solving, and the steps of ATPO and of an informed agent.

    All meet the same luck, so the difference to the first solver is taken trial by trial. Only a full measurement has
    all libraries, else it is the first.
    """
    names = list(LIBRARIES) if bench.full else list(LIBRARIES)[:1]
    for name in names:
        world, options = LIBRARIES[name]
        library = make(world, **options)
        first: Comparison | None = None
        for method, solver in SOLVERS.items():
            bench.report(f"agents of {method} in {name}")
            began = process_time()
            solutions = solve_all([task.pomdp for task in library], solver, seed=bench.seed, jobs=1)
            seconds = process_time() - began
            policies = [solution.policy for solution in solutions]
            players: dict[str, Sequence[Agent[Any]]] = {
                "atpo": [agent("atpo", library, policies=policies)] * len(library),
                "told": [agent("perseus", library, policies=policies, target=k) for k in range(len(library))],
            }
            played = compare(library, players, trials=FULL_TRIALS if bench.full else TRIALS, seed=bench.seed)
            first = first or played
            less = student_interval(played.numbers["atpo"] - first.numbers["atpo"])
            yield {
                "library": name,
                "tasks": len(library),
                "solver": method,
                "seconds": seconds,
                "lower": float(np.mean([p.value(task.pomdp.start) for p, task in zip(policies, library, strict=True)])),
                "vectors": float(np.mean([len(policy.vectors) for policy in policies])),
                "atpo": played.mean("atpo").mean,
                "told": played.mean("told").mean,
                "difference": less.mean,
                "half_width_95": less.high - less.mean,
            }


def larger(bench: Bench) -> Iterator[Row]:
    """Build one task of each larger world, solve it by Ascent, and play it by an agent that is told the task."""
    for name, options in LARGER.items():
        for backups in FULL_BACKUPS if bench.full else BACKUPS:
            bench.report(f"{name}, {backups:,} backups")
            row = alone(bench, _larger, options, backups, EPISODES, bench.seed)
            if row is None:
                return
            yield {"world": name, **row}


def _larger(options: dict[str, Any], backups: int, episodes: int, seed: int) -> Row:
    """Measure one task, in a process of its own whose memory is that of the task."""
    compile_solvers()
    began = process_time()
    library = make("night-pursuit", **options)
    built = process_time() - began
    solution = solve(library[0].pomdp, Ascent(backups=backups), seed=seed)
    solved = process_time() - began - built
    player = agent("perseus", library, policies=[solution.policy], target=0)
    played = [play(library[0], player, seed=each, stop=True) for each in trial_seeds("larger", seed, 0, episodes)]
    steps = student_interval([episode.steps for episode in played])
    return {
        "states": len(library[0].pomdp.start),
        "backups": backups,
        "build_seconds": built,
        "seconds": solved,
        "lower": solution.lower,
        "vectors": len(solution.policy.vectors),
        "steps": steps.mean,
        "half_width_95": steps.high - steps.mean,
        "solved": float(np.mean([episode.solved for episode in played])),
        "peak_mib": peak_memory(),
    }


def peak_memory() -> float | None:
    """Return the peak memory of this process in MiB; None where the system does not report it.

    `getrusage` would also count the memory of the process that started this one.
    """
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), None)
