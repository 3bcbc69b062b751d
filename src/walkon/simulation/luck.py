"""A trial's luck: uniform random numbers that its seed fixes before the first step.

One number for the start; then for each step one for the world, one for the sensor, one for the teammates and one for
the agent. A draw is the inverse of the cumulative distribution at its number, over the outcomes in ascending order. Two
agents that play the same trial get the same numbers at the same step, whatever they did before. With these common
random numbers, comparing agents trial by trial is fair. A longer horizon begins with the same numbers.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.stacked import Outcomes

CHUNK = 64  # steps


class Uniforms(NamedTuple):
    """The luck of one step: numbers in [0, 1)."""

    world: float
    sensor: float
    teammates: float
    agent: float


@dataclass(frozen=True, eq=False)
class Luck:
    """The luck of one trial.

    >>> Luck.of(seed=7, horizon=2).steps.shape
    (2, 4)
    """

    start: float
    steps: Floats  # [T, 4]: world, sensor, teammates, agent

    @classmethod
    def of(cls, seed: int, horizon: int) -> "Luck":
        """Draw the luck of a seed, a whole number from 0 on, for so many steps."""
        if isinstance(seed, bool) or not hasattr(seed, "__index__") or seed < 0:
            raise InputError(f"seed is {seed!r}, expected a whole number, 0 or more")
        if horizon < 1:
            raise InputError(f"horizon is {horizon}, expected at least one step")
        rng = np.random.default_rng(seed)
        start, steps = float(rng.random()), rng.random((horizon, len(Uniforms._fields)))
        steps.setflags(write=False)
        return cls(start, steps)

    def __getitem__(self, t: int) -> Uniforms:
        """The luck of step t."""
        return Uniforms(*self.steps[t].tolist())


def uniforms(seed: int, t: int) -> Uniforms:
    """Return the luck of step t alone, without knowing the horizon.

    >>> uniforms(7, 130) == Luck.of(seed=7, horizon=200)[130]
    True
    """
    chunk, place = divmod(t, CHUNK)
    return Uniforms(*_chunk(seed, chunk)[place].tolist())


@lru_cache(maxsize=1024)
def _chunk(seed: int, chunk: int) -> Floats:
    """Draw the luck of some consecutive steps: making a generator costs more than drawing the numbers."""
    bits = np.random.PCG64(seed)  # as in `default_rng`: one number for the start, then four for each step
    width = len(Uniforms._fields)
    return np.random.Generator(bits.advance(1 + width * CHUNK * chunk)).random((CHUNK, width))


def draw(outcomes: Outcomes, number: float) -> int:
    """Return the outcome at which the cumulative distribution first exceeds a number in [0, 1).

    >>> some = Outcomes(np.array([3, 5]), np.array([0.25, 0.75]))
    >>> draw(some, 0.2), draw(some, 0.25), draw(some, 0.99)
    (3, 5, 5)
    """
    passed = int(np.searchsorted(np.cumsum(outcomes.probabilities), number, side="right"))
    if passed == len(outcomes.indices):  # rounding left the sum a little below one
        passed = int(np.flatnonzero(outcomes.probabilities)[-1])
    return int(outcomes.indices[passed])
