"""Measures how fast the solvers bound the value of a problem, and what their policies earn."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import process_time
from typing import Any

from walkon.domains.classics import CLASSICS
from walkon.domains.registry import make
from walkon.measuring.statistics import student_interval
from walkon.models.pomdp import POMDP
from walkon.simulation.play import simulate
from walkon.solvers.ascent import Ascent
from walkon.solvers.perseus import Perseus
from walkon.solvers.sarsop import Sarsop
from walkon.solvers.solution import Progress, Solution
from walkon.solvers.solve import Solver, solve
from walkon.speed.bench import Bench, Row

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
    return [*rows, at(spent, value, solution.upper, len(solution.policy.vectors), stopped)], solution
