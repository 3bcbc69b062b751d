"""Several problems at once, each in a process of its own. The results are those of solving them one by one."""

import multiprocessing
import os
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from walkon.models.mdp import MDP
from walkon.processes import Workers
from walkon.solvers.solution import Solution
from walkon.solvers.solve import Solver, solve

NO_GUARD = (
    "no process could be started to solve in, so this one solves everything: a script has to put what it "
    'does under `if __name__ == "__main__":`, or ask for jobs=1'
)


def solve_all(
    problems: Sequence[MDP],
    solver: Solver | None = None,
    *,
    seed: int = 0,
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> list[Solution[Any]]:
    """Solve every problem with the same solver and seed.

    Args:
        problems: MDPs, or POMDPs.
        solver: As for `solve`.
        seed: As for `solve`; every problem gets the same.
        jobs: How many processes; as many as there are cores if not given. With 1, everything stays in this process.
        watch: Is told how many are solved, of how many.
    """
    workers = min(jobs or cores(), len(problems))
    tell = watch or (lambda done, total: None)
    tell(0, len(problems))
    if workers > 1:
        try:
            return _in_processes(problems, solver, seed, workers, tell)
        except BrokenProcessPool:
            warnings.warn(NO_GUARD, RuntimeWarning, stacklevel=2)
            tell(0, len(problems))
    solutions = []
    for problem in problems:
        solutions.append(solve(problem, solver, seed=seed))
        tell(len(solutions), len(problems))
    return solutions


def _in_processes(
    problems: Sequence[MDP], solver: Solver | None, seed: int, workers: int, tell: Callable[[int, int], None]
) -> list[Solution[Any]]:
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking beside idle BLAS threads; no lock is theirs
        with Workers(workers, multiprocessing.get_context(method)) as pool:
            try:
                futures = [pool.submit(solve, problem, solver, seed=seed) for problem in problems]
                for done, _ in enumerate(as_completed(futures), start=1):
                    tell(done, len(problems))
                return [future.result() for future in futures]
            except BaseException:  # Ctrl-C, or a problem that cannot be solved: do not wait for the others
                pool.kill()
                raise


def cores() -> int:
    """The cores that this process may use, where the system says so; else all that there are."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1
