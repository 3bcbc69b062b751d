"""The luck of a trial: uniform random numbers that its seed alone fixes.

One for the start; then for each step one for the world, one for the sensor, one for the teammates and one for the
agent. Two agents that play the same trial get the same numbers at the same step, whatever they did before. With these
common random numbers, comparing agents trial by trial is fair. A longer horizon begins with the same numbers.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from walkon.arrays import Floats
from walkon.checks import whole
from walkon.errors import InputError

CHUNK = 64  # steps
MOST_STEPS = 10_000_000  # of an episode whose luck is drawn as a whole: 0.3 GB


class Uniforms(NamedTuple):
    """The luck of one step: numbers in [0, 1)."""

    world: float
    sensor: float
    teammates: float
    agent: float


@dataclass(frozen=True, eq=False)
class Luck:
    """The luck of one trial. That of a step is drawn when it is first used, so a long horizon costs nothing by itself.

    >>> luck = Luck.of(seed=7, horizon=10**9)
    >>> luck[10**9 - 1] == uniforms(7, 10**9 - 1)
    True
    """

    seed: int
    horizon: int

    @classmethod
    def of(cls, seed: int, horizon: int) -> "Luck":
        """Return the luck of a seed, a whole number from 0 on, for so many steps."""
        if isinstance(seed, bool) or not hasattr(seed, "__index__") or seed < 0:
            raise InputError(f"seed is {seed!r}, expected a whole number, 0 or more")
        return cls(int(seed), whole("horizon", horizon, 1, None))

    def __len__(self) -> int:
        return self.horizon

    def __getitem__(self, t: int) -> Uniforms:
        """The luck of step t."""
        if not 0 <= t < self.horizon:
            raise IndexError(f"step {t} has no luck: they are numbered 0 to {self.horizon - 1}")
        return uniforms(self.seed, t)

    @cached_property
    def start(self) -> float:
        """The luck of the first state."""
        return float(np.random.default_rng(self.seed).random())

    @cached_property
    def steps(self) -> Floats:
        """The luck of all steps, [T, 4]: world, sensor, teammates, agent."""
        if self.horizon > MOST_STEPS:
            raise InputError(f"horizon is {self.horizon:,}; at most {MOST_STEPS:,} steps can be played at once")
        rng = np.random.default_rng(self.seed)
        rng.random()  # that of the start
        steps = rng.random((self.horizon, len(Uniforms._fields)))
        steps.setflags(write=False)
        return steps


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
