"""A sensor of your own: touch, hearing or a camera? The same corridor with each of them, and what that is worth."""

from collections import namedtuple
from typing import NamedTuple

import walkon
from walkon.figures.by_setting import draw_sweep

STEPS = {"left": -1, "right": 1, "stay": 0}
State = namedtuple("State", "agent mate")


def touch(apart):
    return "a shoulder" if apart == 0 else "nothing"


def hearing(apart):
    return {"footsteps": 0.8, "nothing": 0.2} if abs(apart) <= 1 else "nothing"


def camera(apart):
    side = "here" if apart == 0 else "on the right" if apart > 0 else "on the left"
    return [(side, 0.9), ("nothing", 0.1)]


SENSORS = {"touch": touch, "hearing": hearing, "camera": camera}


class Meeting(NamedTuple):
    cell: int
    with_: str
    actions = tuple(STEPS)
    start = State(agent=2, mate=2)

    @property
    def name(self):
        return f"meet at cell {self.cell}"

    def teammates(self, x):
        return "left" if x.mate > self.cell else "right" if x.mate < self.cell else "stay"

    def moves(self, x, a, b):
        return State(*(min(max(cell + STEPS[move], 0), 4) for cell, move in zip(x, (a, b), strict=True)))

    def sensor(self, a, y):
        return SENSORS[self.with_](y.mate - y.agent)

    def solved(self, x):
        return x.agent == x.mate == self.cell

    def reward(self, x, a, b, y):
        return 10 if self.solved(y) else -1


def library(sensor: str = "hearing"):
    return walkon.define([Meeting(0, sensor), Meeting(4, sensor)])


if __name__ == "__main__":
    agents = ["perseus", "atpo"]
    found = {sensor: walkon.compare(library(sensor), agents, trials=100, effort="quick") for sensor in SENSORS}
    print("steps until they meet; perseus is told where")
    for sensor, each in found.items():
        print(f"{sensor:8}", *(f"{name} {each.mean(name).mean:.2f}" for name in agents), sep="   ")
    draw_sweep(found, "sensor").savefig("sensors.svg")
