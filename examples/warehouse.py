"""Three rooms in a row, and a colleague who hands over a box or is on patrol: two tasks with different states."""

from collections import namedtuple

import walkon

Box = namedtuple("Box", "agent mate box")  # the box: on the shelf in room 0, with one of them, at the dock in room 2
Round = namedtuple("Round", "agent mate heading")


def walk(room, action):
    return min(max(room + {"left": -1, "right": 1}.get(action, 0), 0), 2)


class Job:
    actions = ("left", "right", "take")

    def reward(self, x, a, b, y):
        return 20 if self.solved(y) else -1

    def sensor(self, a, y):
        noise = "silence" if y.agent != y.mate else "a heavy tread" if y[2] == "mate" else "footsteps"
        return [(noise, 0.85), ("silence", 0.15)]


class HandOver(Job):
    name, start = "hand a box over", Box(2, 1, "shelf")

    def teammates(self, x):
        place, way = (0, "left") if x.box == "shelf" else (1, "right")
        return way if x.mate != place else "take"

    def moves(self, x, a, b):
        y = x._replace(agent=walk(x.agent, a), mate=walk(x.mate, b))
        if x.box == "shelf" and (b, x.mate) == ("take", 0):
            return y._replace(box="mate")
        if x.box == "mate" and a == "take" and x.agent == x.mate:
            return {y._replace(box="agent"): 0.9, y: 0.1}  # it may slip
        return y._replace(box="dock") if x.box == "agent" and y.agent == 2 else y

    def solved(self, x):
        return x.box == "dock"


class Patrol(Job):
    name, start = "meet the patrol in room 0", {Round(2, 1, "left"): 0.5, Round(2, 1, "right"): 0.5}

    def teammates(self, x):
        return x.heading

    def moves(self, x, a, b):
        mate = walk(x.mate, b)
        return Round(walk(x.agent, a), mate, {0: "right", 2: "left"}.get(mate, x.heading))

    def solved(self, x):
        return x.agent == x.mate == 0


library = walkon.define([HandOver(), Patrol()])
