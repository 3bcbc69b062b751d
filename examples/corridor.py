"""Two walkers in a dark corridor. One knows where they are to meet; the other, our agent, has to find out."""

from collections import namedtuple
from typing import NamedTuple

import walkon

STEPS = {"left": -1, "right": 1, "stay": 0}
State = namedtuple("State", "agent mate")


class Meeting(NamedTuple):
    cell: int
    actions = tuple(STEPS)
    start = State(agent=2, mate=2)

    def teammates(self, x):
        return "left" if x.mate > self.cell else "right" if x.mate < self.cell else "stay"

    def moves(self, x, a, b):
        agent, mate = (min(max(cell + STEPS[move], 0), 4) for cell, move in zip(x, (a, b), strict=True))
        return [(State(agent, mate), 0.9), (State(x.agent, mate), 0.1)]  # the agent slips now and then

    def sensor(self, a, y):
        return {"someone is near": 0.8, "nothing": 0.2} if abs(y.agent - y.mate) <= 1 else "nothing"

    def solved(self, x):
        return x.agent == x.mate == self.cell

    def reward(self, x, a, b, y):
        return 10 if self.solved(y) else -1


library = walkon.define([Meeting(0), Meeting(4)])
