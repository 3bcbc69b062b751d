"""Solves several problems in parallel processes, with the same results as one after the other."""

import multiprocessing
import os
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from walkon.compiled import prepare_to_fork
from walkon.models.mdp import MDP
from walkon.processes import Workers, first_done
from walkon.solvers.solution import Solution
from walkon.solvers.solve import Solver, solve

NO_GUARD = (
    "no worker process could be started, so this process solves everything: put the code of the script "
    'under `if __name__ == "__main__":`, or use jobs=1'
)


def solve_all(
    problems: Sequence[MDP],
    solver: Solver | None = None,
    *,
    seed: int = 0,
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> list[Solution[Any]]:
    """Solve every problem with the same solver and seed, in `jobs` processes: one for each core if not given.

    With one job, this process solves everything. The watch is called with the numbers of solved and of all problems.
    """
    workers = min(jobs or cores(), len(problems))
    report = watch or (lambda done, total: None)
    report(0, len(problems))
    if workers > 1:
        try:
            return _in_processes(problems, solver, seed, workers, report)
        except BrokenProcessPool:
            warnings.warn(NO_GUARD, RuntimeWarning, stacklevel=2)
            report(0, len(problems))
    solutions = []
    for problem in problems:
        solutions.append(solve(problem, solver, seed=seed))
        report(len(solutions), len(problems))
    return solutions


def _in_processes(
    problems: Sequence[MDP], solver: Solver | None, seed: int, workers: int, report: Callable[[int, int], None]
) -> list[Solution[Any]]:
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    if method == "fork":
        prepare_to_fork()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # BLAS threads are idle and hold no locks while we fork
        with Workers(workers, multiprocessing.get_context(method)) as pool:
            try:
                futures = [pool.submit(solve, problem, solver, seed=seed) for problem in problems]
                waiting = set(futures)
                while waiting:
                    waiting.remove(first_done(waiting))
                    report(len(problems) - len(waiting), len(problems))
                return [future.result() for future in futures]
            except BaseException:  # Ctrl-C, or a problem that cannot be solved: do not wait for the others
                pool.kill()
                raise


def cores() -> int:
    """Return the number of cores that this process may use, or of all cores if the system does not tell."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
