"""How fast a large room at night can be solved: `python benchmarks/still_mate.py [--size 16] [--trials 200]`.

The first task of Night-time Pursuit made easier and small enough to solve: the teammate stands on its prey from the
start, and nothing else is different. What is left to find out is one's own cell, and which of the two preys is taken.
The policy of `Ascent`, with a discount close to one, then shows about how many steps one needs who searches well. It is
no bound: the policy is not optimal, and meeting a teammate that walks tells a little, too.
"""

import argparse
import time

import walkon
from walkon.domains.hunting import MOVES
from walkon.domains.night_pursuit.pool import pool

STEPS = dict(zip((*MOVES, "Stay"), ((0, -1), (0, 1), (-1, 0), (1, 0), (0, 0)), strict=True))
NOISE = 0.3


class StillMate:
    """A state is the cell of the agent and the number of the prey on which the teammate stands."""

    actions, teammate_actions, discount, own = tuple(STEPS), ("Stay",), 0.98, ("size", "prey", "side")

    def __init__(self, size):
        """Take the preys of the first task of this size."""
        self.size, self.prey, self.horizon = size, pool(size)[0], 20 * size
        self._cells = [(c, r) for c in range(size) for r in range(size)]

    def start(self):
        """A teammate anywhere goes to the closest prey."""
        far = [[abs(c - p[0]) + abs(r - p[1]) for c, r in self._cells] for p in self.prey]
        first = sum(one <= two for one, two in zip(*far, strict=True)) / len(self._cells)
        both = [((cell, mate), p) for cell in self._cells for mate, p in ((0, first), (1, 1 - first))]
        kept = {x: p for x, p in both if not self.solved(x)}
        return {x: p / sum(kept.values()) for x, p in kept.items()}

    def teammates(self, x):
        """It stays."""
        return "Stay"

    def moves(self, x, a, b):
        """A move fails now and then."""
        (c, r), mate = x
        if self.solved(x):
            return x
        to = tuple(min(max(at + by, 0), self.size - 1) for at, by in zip((c, r), STEPS[a], strict=True))
        return x if to == (c, r) else [((to, mate), 1 - NOISE), (x, NOISE)]

    def sensor(self, a, y):
        """What is next to the agent on each side."""
        (c, r), mate = y
        return tuple(self.side((c + by[0], r + by[1]), mate) for by in list(STEPS.values())[:4])

    def side(self, cell, mate):
        """A teammate hides the prey on which it stands."""
        if cell == self.prey[mate]:
            return {"teammate": 1 - NOISE, "prey": NOISE * (1 - NOISE), "nothing": NOISE**2}
        return {"prey": 1 - NOISE, "nothing": NOISE} if cell in self.prey else {"nothing": 1.0}

    def reward(self, x, a, b, y):
        """As in the room."""
        return 0 if self.solved(x) else 100 if self.solved(y) else -1

    def solved(self, x):
        """Whether the agent stands on the other prey."""
        return x[0] == self.prey[1 - x[1]]


def main():
    """Solve and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--trials", type=int, default=200)
    arguments = parser.parse_args()
    began = time.process_time()
    library = walkon.define([StillMate(arguments.size)])
    agent = walkon.agent("atpo", library, solver=walkon.Ascent(backups=5000), jobs=1)
    found = walkon.compare(library, {"told": agent}, trials=arguments.trials)
    print(found, f"{time.process_time() - began:.0f} CPU s")


if __name__ == "__main__":
    main()
