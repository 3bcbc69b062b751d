"""Test whether the single-task policies of the reproduction have converged, by comparing with ten times the work.

`python benchmarks/convergence.py [TRIALS]` solves the four tasks of the baseline (Night-time Pursuit 5x5, noise 0.3)
with Perseus as the reproduction does, and again with five times the beliefs and a fiftieth of the tolerance, which is
about ten times the backups or more; then plays TRIALS episodes of each task (500 if not given) with both, under the
same luck.
"""

import sys
from functools import partial

import numpy as np

import walkon
from walkon.solvers import perseus
from walkon.solvers.solution import Budget

MORE = walkon.Perseus(beliefs=5000, tolerance=1e-5)


class Counted(Budget):
    """A budget that counts the backups."""

    total = 0

    def spend(self, backups=1):
        """Count the backups."""
        Counted.total += backups
        super().spend(backups)


def solved(pomdp, solver):
    """Solve the problem; return the solution and the number of backups."""
    before = Counted.total
    solution = walkon.solve(pomdp, solver)
    return solution, Counted.total - before


def value_at_start(task, solution):
    """The value that a policy's vectors have at the start."""
    return solution.policy.value(task.pomdp.start)


def main(trials=500):
    """Solve, play, and print the comparison."""
    perseus.Budget = Counted
    steps = {"ours": [], "more": []}
    print("| task | backups | value | backups | value | more backups |\n|---|---|---|---|---|---|")
    for k, task in enumerate(walkon.make("night-pursuit")):
        (ours, few), (more, many) = solved(task.pomdp, walkon.Perseus()), solved(task.pomdp, MORE)
        value = partial(value_at_start, task)
        print(
            f"| {k} | {few:,} | {value(ours):.3f} | {many:,} | {value(more):.3f} | {many / few:.1f} times |", flush=True
        )
        for name, solution in (("ours", ours), ("more", more)):
            agent = walkon.agent("perseus", walkon.TaskLibrary([task]), policies=[solution], target=0)
            episodes = walkon.play_many(task, agent, range(k * trials, (k + 1) * trials))
            steps[name] += [episode.steps for episode in episodes]
    ours, more = (np.array(steps[name], dtype=float) for name in ("ours", "more"))
    change, half = (more - ours).mean(), 1.96 * (more - ours).std(ddof=1) / np.sqrt(len(ours))
    print(f"\nmean steps {ours.mean():.3f} and {more.mean():.3f}: ", end="")
    print(f"{100 * change / ours.mean():+.2f} % ± {100 * half / ours.mean():.2f} %, {len(ours):,} paired trials")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
