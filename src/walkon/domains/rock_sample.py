"""RockSample (Smith and Simmons 2004): a rover samples rocks, some of which are worth it.

The rover knows where it is and where the rocks lie, but not which are good. Sampling a good rock pays 10 and makes it
bad; a bad one costs 10. Leaving to the east pays 10 and ends the mission. Checking a rock tells whether it is good,
from distance d with accuracy (1 + e^-d)/2. What cannot be done (a step over another edge, a sample where no rock is)
costs 100 and ends the mission.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from walkon.models.pomdp import POMDP
from walkon.models.tabulate import tabulate

ROCKS = ((3, 1), (2, 1), (1, 3), (1, 0))
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OVER = "over"

Place = tuple[int, int, int]  # column, row, and a bit for each rock that is good


def rock_sample(size: int = 4, rocks: Sequence[tuple[int, int]] = ROCKS, first: tuple[int, int] = (0, 2)) -> POMDP:
    """RockSample on a 4 x 4 floor with four rocks; 257 states, 9 actions, 2 observations."""
    good = range(2 ** len(rocks))
    states: list[Place | str] = [*((x, y, g) for x in range(size) for y in range(size) for g in good), OVER]
    checks = {f"check {i}": i for i in range(len(rocks))}
    names = [*STEPS, *checks, "sample"]

    def result(state: Place | str, name: str) -> tuple[Place | str, float]:
        """The next state and the reward."""
        if isinstance(state, str):
            return state, 0.0
        x, y, g = state
        if name in checks:
            return state, 0.0
        if name in STEPS:
            x, y = x + STEPS[name][0], y + STEPS[name][1]
            if x == size:
                return OVER, 10.0
            return ((x, y, g), 0.0) if x >= 0 and 0 <= y < size else (OVER, -100.0)
        if (x, y) not in rocks:
            return OVER, -100.0
        bit = 1 << rocks.index((x, y))
        return (x, y, g & ~bit), 10.0 if g & bit else -10.0

    def step(state: Place | str, name: str) -> Iterator[tuple[Place | str, float]]:
        yield result(state, name)[0], 1.0

    def read(state: Place | str, name: str) -> Iterator[tuple[str, float]]:
        right = 1.0
        if not isinstance(state, str) and name in checks:
            x, y, g = state
            rock = rocks[checks[name]]
            trust = math.exp(-math.dist((x, y), rock))
            right = trust * (g >> checks[name] & 1) + (1 - trust) / 2
        yield "good", right
        yield "bad", 1 - right

    at_first = np.array([not isinstance(s, str) and s[:2] == first for s in states])
    return POMDP(
        P=[tabulate(states, states, partial(step, name=name)) for name in names],
        O=[tabulate(states, ["good", "bad"], partial(read, name=name)) for name in names],
        R=[[result(s, name)[1] for name in names] for s in states],
        start=at_first / np.count_nonzero(at_first),
        discount=0.95,
        states=states,
        actions=names,
        observations=["good", "bad"],
    )
