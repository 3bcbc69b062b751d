"""The world of RockSample (Smith and Simmons 2004): a rover that knows where rocks lie, but not which are good.

Rules as the field has them: a sample of a good rock pays 10 and makes it bad, of a bad one it costs 10; leaving to the
east pays 10 and ends the mission; a sample where no rock is, or a step over another edge, costs 100 and ends it. A
check from distance d is right with probability (1 + 2^(-d/20))/2. There are no teammates to speak of: the one that
`define` asks for only waits.

A state is (column, row, rocks), the last a bit for each good rock; after the end it is (size, 0, 0). An observation is
1 (good), 0 (bad) or 2 (none).
"""

from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import Any, TypeAlias

import numpy as np

from walkon.domains.rock_sample import rules_kernels as rules
from walkon.domains.rock_sample.view import draw
from walkon.pictures.scene import Scene
from walkon.tasks.compiled_rules import CompiledRules, functions_of

Cell: TypeAlias = tuple[int, int]
Place: TypeAlias = tuple[int, int, int]

DISCOUNT = 0.95
HALF = 20.0  # the distance at which a check tells half as much
STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
MAPS: dict[tuple[int, int], tuple[Cell, tuple[Cell, ...]]] = {  # published: the first cell, and the rocks
    (4, 4): ((0, 2), ((3, 1), (2, 1), (1, 3), (1, 0))),
    (7, 8): ((0, 3), ((2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6))),
    (11, 11): (
        (0, 5),
        ((0, 3), (0, 7), (1, 8), (2, 4), (3, 3), (3, 8), (4, 3), (5, 8), (6, 1), (9, 3), (9, 9)),
    ),
}


def maps_of(size: int, rocks: int, seed: int | None, count: int) -> list[tuple[Cell, tuple[Cell, ...]]]:
    """So many different maps: the one of the seed, and those of the seeds that follow."""
    found, following = [map_of(size, rocks, seed)], seed or 0
    while len(found) < count:
        following += 1
        if (drawn := map_of(size, rocks, following))[1] not in [set_of for _, set_of in found]:
            found.append(drawn)
    return found


def map_of(size: int, rocks: int, seed: int | None) -> tuple[Cell, tuple[Cell, ...]]:
    """The published map of this size, or else one by a seed: the first cell, and where the rocks lie."""
    if seed is None and (size, rocks) in MAPS:
        return MAPS[size, rocks]
    cells = np.random.default_rng(seed or 0).choice(size * size, size=rocks, replace=False)
    return (0, size // 2), tuple(sorted((int(c) // size, int(c) % size) for c in cells))


@dataclass(frozen=True)
class RockSample:
    """One map, as `walkon.define` takes it."""

    size: int
    rocks: tuple[Cell, ...]
    first: Cell
    horizon: int = 150

    discount = DISCOUNT
    score = "return"
    teammate_actions = ("wait",)

    @property
    def name(self) -> str:
        """The name of the task."""
        return "rocks " + " ".join(f"({c},{r})" for c, r in self.rocks)

    @property
    def actions(self) -> tuple[str, ...]:
        """Steps, a check of each rock, and sampling the rock in the own cell."""
        return (*STEPS, *(f"check {i}" for i in range(len(self.rocks))), "sample")

    @property
    def start(self) -> Any:
        """Each rock is good with probability 1/2."""
        if len(self.rocks) > 10:
            return lambda rng: (*self.first, int(rng.integers(2 ** len(self.rocks))))
        count: int = 2 ** len(self.rocks)
        return [((*self.first, good), 1 / count) for good in range(count)]

    def teammates(self, state: Place) -> str:
        """Nobody else is there."""
        return "wait"

    def moves(self, state: Place, action: str, teammate_action: str) -> Place:
        """The next state."""
        return self._result(state, action)[0]

    def reward(self, state: Place, action: str, teammate_action: str, next_state: Place) -> float:
        """What the step pays."""
        return self._result(state, action)[1]

    def _result(self, state: Place, action: str) -> tuple[Place, float]:
        column, row, good = state
        over = (self.size, 0, 0)
        if action in STEPS:
            column, row = column + STEPS[action][0], row + STEPS[action][1]
            if column == self.size:
                return over, rules.LEAVING
            inside = column >= 0 and 0 <= row < self.size
            return ((column, row, good), 0.0) if inside else (over, rules.FAULT)
        if action != "sample":
            return state, 0.0
        if (column, row) not in self.rocks:
            return over, rules.FAULT
        bit = 1 << self.rocks.index((column, row))
        return (column, row, good & ~bit), rules.SAMPLE if good & bit else -rules.SAMPLE

    def sensor(self, action: str, state: Place) -> dict[int, float]:
        """What a check shows."""
        if not action.startswith("check") or self.solved(state):
            return {rules.NONE: 1.0}
        rock = int(action.split()[1])
        right = self._right(state[:2], rock)
        good = bool(state[2] >> rock & 1)
        return {rules.GOOD: right if good else 1 - right, rules.BAD: 1 - right if good else right}

    def _right(self, cell: Cell, rock: int) -> float:
        """The probability that a check is right."""
        return float((1 + 2 ** (-dist(cell, self.rocks[rock]) / HALF)) / 2)

    def solved(self, state: Place) -> bool:
        """Whether the mission is over."""
        return state[0] == self.size

    def picture(self, state: Place, observation: int | None, belief: dict[Any, float] | None = None) -> Scene:
        """The map, with north up."""
        return draw(self.size, self.rocks, state, observation, belief)

    @cached_property
    def compiled(self) -> CompiledRules:
        """The rules over beliefs, for kernels."""
        n, rocks = self.size, range(len(self.rocks))
        trust = [self._right((c, r), i) for c in range(n) for r in range(n) for i in rocks]
        return CompiledRules(
            **functions_of(rules),
            facts=np.array([n, len(self.rocks), *self.first, *sum(self.rocks, ())], dtype=np.int64),
            reals=np.concatenate([DISCOUNT ** np.arange(4 * n + 1), trust]),
            state_size=rules.KNOWN + len(self.rocks),
            observation_size=1,
            action_count=len(self.actions),
            discount=DISCOUNT,
            bundle=1,
            factored=True,
        )
