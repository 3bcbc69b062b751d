"""A table with four corners, and three carriers, each on the way to a corner: which corner is left for the agent?"""

from functools import partial
from typing import NamedTuple

import walkon

TURNS = {"clockwise": 1, "counter-clockwise": -1, "stay": 0}


class Corners(NamedTuple):
    agent: int
    first: int
    second: int
    third: int


class Lift(NamedTuple):
    """Lift the table. The carriers have agreed on their corners, and left one free."""

    free: int
    actions = tuple(TURNS)
    horizon = 30

    @property
    def name(self):
        return f"corner {self.free} is free"

    @property
    def start(self):
        return {Corners(agent, 0, 1, 2): 0.25 for agent in range(4)}

    @property
    def teammates(self):
        goals = [corner for corner in range(4) if corner != self.free]
        return [partial(self._carry, carrier, goal) for carrier, goal in enumerate(goals, start=1)]

    def _carry(self, carrier, goal, x):
        """Go round to the goal, with pauses, and stay there."""
        if x[carrier] == goal:
            return "stay"
        return {"clockwise": 0.7, "stay": 0.3}

    def moves(self, x, a, b):
        return Corners(*((corner + TURNS[turn]) % 4 for corner, turn in zip(x, (a, *b), strict=True)))

    def sensor(self, a, y):
        others = sum(corner == y.agent for corner in y[1:])
        return [(f"{others} here", 0.8), (f"{max(others - 1, 0)} here", 0.2)]  # one may be overlooked

    def solved(self, x):
        return len(set(x)) == 4

    def reward(self, x, a, b, y):
        return 20 if self.solved(y) else -1


library = walkon.define([Lift(free) for free in range(4)])
