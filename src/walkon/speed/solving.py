"""Measures how fast the solvers bound the value of a problem, and how well agents play with their policies."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from walkon.agents.agent import Agent
from walkon.agents.registry import agent
from walkon.domains.classics import CLASSICS
from walkon.domains.registry import make
from walkon.measuring.compare import Comparison, compare
from walkon.measuring.seeds import trial_seeds
from walkon.measuring.statistics import student_interval
from walkon.models.pomdp import POMDP
from walkon.simulation.play import play, simulate
from walkon.solvers.ascent import Ascent
from walkon.solvers.parallel import solve_all
from walkon.solvers.perseus import Perseus
from walkon.solvers.sarsop import Sarsop
from walkon.solvers.solution import Progress, Solution
from walkon.solvers.solve import Solver, solve
from walkon.speed.bench import Bench, Row, alone

MARKS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)  # seconds
EPISODES, FULL_EPISODES = 1_000, 5_000
FOREVER = 10**9
METHODS: dict[str, Any] = {
    "ascent": Ascent(backups=FOREVER, tolerance=1e-7),
    "sarsop": Sarsop(backups=FOREVER),
    "perseus": Perseus(backups=FOREVER, tolerance=1e-7),
}
PROBLEMS: dict[str, Callable[[], POMDP]] = {
    "night 5x5": lambda: make("night-pursuit", size=5)[0].pomdp,
    "night 6x6": lambda: make("night-pursuit", size=6)[0].pomdp,
    "pursuit 5x5": lambda: make("pursuit")[0].pomdp,
    **{name: CLASSICS[name] for name in ("tag", "hallway", "hallway2", "rock-sample")},
}
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
LARGER_EPISODES = 400


def compile_solvers() -> None:
    """Let each solver solve a tiny problem, so that its kernels are compiled."""
    tiger = CLASSICS["tiger"]()
    for method in METHODS.values():
        simulate(tiger, solve(tiger, replace(method, backups=200)).policy, episodes=1)


def solving(bench: Bench) -> Iterator[Row]:
    """Measure the bounds of each solver on each problem at several times, and finally what the policy earns."""
    problems = {name: lambda problem=problem: problem for name, problem in bench.problems.items()} or PROBLEMS
    episodes = FULL_EPISODES if bench.full else EPISODES
    for name, build in problems.items():
        problem = build()
        for method, solver in METHODS.items():
            bench.report(f"{method} on {name}, {bench.seconds:g} s")
            rows, solution = bounds(problem, solver, bench)
            played: Row = {"earned": None, "half_width_95": None}
            for row in rows:
                if row is rows[-1] and not bench.stop():
                    bench.report(f"{episodes:,} episodes of {name}")
                    earned = student_interval(simulate(problem, solution.policy, episodes=episodes, seed=bench.seed))
                    played = {"earned": earned.mean, "half_width_95": earned.high - earned.mean}
                yield {"problem": name, "model": repr(problem), "solver": method, **row, **played}


def bounds(problem: POMDP, solver: Solver, bench: Bench) -> tuple[list[Row], Solution[Any]]:
    """Return the bounds at each mark, and the solution at the last."""
    marks = [mark for mark in MARKS if mark < bench.seconds] + [bench.seconds]
    rows: list[Row] = []
    began = process_time()

    def at(mark: float, lower: float | None, upper: float | None, vectors: int, stopped: str) -> Row:
        return {"seconds": mark, "lower": lower, "upper": upper, "vectors": vectors, "stopped": stopped}

    def watch(now: Progress) -> bool:
        seconds = process_time() - began
        while len(rows) < len(marks) - 1 and seconds >= marks[len(rows)]:
            rows.append(at(marks[len(rows)], now.lower, now.upper, now.size, ""))
        return seconds >= bench.seconds or bench.stop()

    solution = solve(problem, solver, seed=bench.seed, watch=watch)
    stopped = "" if solution.stopped == "asked" else solution.stopped
    spent = min(process_time() - began, bench.seconds)
    value = solution.policy.value(problem.start)  # a bound on the optimal value, whether or not the policy earns it
    return [*rows, at(spent, value, solution.upper, solution.policy.vector_count, stopped)], solution


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
                "vectors": float(np.mean([policy.vector_count for policy in policies])),
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
            row = alone(bench, _larger, options, backups, LARGER_EPISODES, bench.seed)
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
        "vectors": solution.policy.vector_count,
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
