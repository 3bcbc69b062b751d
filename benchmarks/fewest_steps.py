"""How many steps any agent needs in a large room at night, proven: `python benchmarks/fewest_steps.py [--starts 64]`.

Of the first task of Night-time Pursuit of a size (K = 1, as `night-16` of `search.py`). The agent is told more than in
the game: where its teammate stands first. The teammate's moves never fail, so the agent knows from then on where it is,
which prey it takes, and when; what is left to find out is its own cell. Whatever an agent does without being told it
may also do when told, with the same luck and the same observations. So no agent in the game captures sooner than the
best one that is told.

The game of each first cell of the teammate is a POMDP: a state is a cell of the agent and one on the teammate's way. A
capture at step T, and nothing else, is paid, and so its value is E[discount^(T-1)], for which `Sarsop` proves an upper
bound. Let U be the mean of discount times these bounds, over the first cells of the teammate, in which it starts with
the probabilities of the game. As n -> discount^n is convex, and episodes end at the horizon H at the latest,

    discount^E[min(T, H)] <= E[discount^min(T, H)] <= U + discount^H

and so E[min(T, H)] >= log(U + discount^H) / log(discount). If only some first cells are drawn, that holds for the upper
end of a 95 % interval around U. The lower bounds of `Sarsop` are values of policies: they show how much could be proven
in this way at most, however long one computes.

Each first cell is appended to a file as it is solved (`--out`, fewest_steps.csv), and one in the file is not solved
again. With another size, discount or number of backups, name another file.
"""

import argparse
import csv
import time
from math import log
from pathlib import Path

import numpy as np

import walkon
from walkon.domains.night_pursuit.pool import pool
from walkon.domains.night_pursuit.untabled import NightTask
from walkon.domains.night_pursuit.world import Room

NOISE, Z = 0.3, 1.96


class Told:
    """The task for an agent that is told where its teammate starts. A state is (column, row, column, row)."""

    actions, teammate_actions, own = NightTask.actions, ("hunt",), ("task", "first")

    def __init__(self, task, mate, discount):
        """Take the task, the first cell of the teammate and a discount."""
        self.task, self.discount, self.horizon = task, discount, task.horizon
        cells = [(c, r, *mate) for c in range(task.room.size) for r in range(task.room.size)]
        self.first = [x for x in cells if not task.solved(x)]

    def start(self):
        """The agent is anywhere, but no game begins with a capture."""
        return {x: 1 / len(self.first) for x in self.first}

    def teammates(self, x):
        """It does what it does in the task."""
        return "hunt"

    def moves(self, x, a, b):
        """As in the task, until the capture."""
        if self.task.solved(x):
            return x
        ((hunt, _),) = self.task.teammates[0](x)
        return self.task.moves(x, a, (hunt,))

    def sensor(self, a, y):
        """As in the task."""
        return self.task.sensor(a, y)

    def reward(self, x, a, b, y):
        """For the capture."""
        return float(self.task.solved(y) and not self.task.solved(x))


def solved(out):
    """The first cells that are in the file: discount times their bounds, and the share of games that start there."""
    if not out.exists():
        return {}
    with out.open(newline="") as file:
        return {(int(r["column"]), int(r["row"])): r for r in csv.DictReader(file)}


def solve(task, mate, arguments):
    """The row of a first cell."""
    began, told = time.process_time(), Told(task, mate, arguments.discount)
    problem = walkon.define([told])[0].pomdp
    found = walkon.Sarsop(backups=arguments.backups).solve(problem)
    bounds = [arguments.discount * bound for bound in (found.lower, found.upper)]
    return [*mate, len(told.first), len(problem.start), *bounds, round(time.process_time() - began, 2)]


def steps(value, discount, horizon):
    """The least mean number of steps with which a value of discount^steps is possible."""
    return log(min(1.0, value + discount**horizon)) / log(discount)


def main():
    """Solve the first cells that are missing, and print what follows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--starts", type=int, help="so many first cells of the teammate, drawn; all if not given")
    parser.add_argument("--discount", type=float, default=0.95)
    parser.add_argument("--backups", type=int, default=3000)
    parser.add_argument("--out", type=Path, default=Path("fewest_steps.csv"))
    arguments = parser.parse_args()
    n = arguments.size
    task = NightTask(Room(n, NOISE), pool(n)[0], tremble=0.0, horizon=20 * n)
    cells = [divmod(int(i), n) for i in np.random.default_rng(0).permutation(n * n)]
    for mate in cells[: arguments.starts]:
        if mate not in solved(arguments.out):
            new, row = not arguments.out.exists(), solve(task, mate, arguments)
            with arguments.out.open("a", newline="") as file:
                writer = csv.writer(file)
                if new:
                    writer.writerow(["column", "row", "starts", "states", "lower", "upper", "cpu"])
                writer.writerow(row)
    rows = list(solved(arguments.out).values())
    share, low, high, cpu = (np.array([float(r[word]) for r in rows]) for word in ("starts", "lower", "upper", "cpu"))
    share /= share.sum()
    draws = len(rows) < n * n
    error = Z * np.std(high, ddof=1) * (1 / len(rows) - 1 / n**2) ** 0.5 if draws else 0.0
    least = steps(share @ high + error, arguments.discount, task.horizon)
    most = steps(share @ low, arguments.discount, task.horizon)
    said = f"estimated from {len(rows)} first cells of {n * n}, 95 %" if draws else "proven"
    print(
        f"{n} x {n}: no agent takes fewer than {least:.1f} steps in the mean ({said}); with this discount, no more "
        f"than {most:.1f} can be proven. {cpu.sum():.0f} CPU s"
    )


if __name__ == "__main__":
    main()
