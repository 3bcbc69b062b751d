"""What the robot of HOTSPOT reads after a step: its own place, and what the person says or where the person is.

The own place is read rightly 99 times out of 100, and otherwise not at all. The rest depends on the variant:

- With questions, something is heard only after the robot asked what the person is going to do: a place, or nothing.
  How often which place is heard where was counted in 257 recorded phrases of four speakers; the shares are raised to at
  least 0.03, and 1e-8 is added to each before they are normalised.
- Without questions, the robot sees the person for certain if both are in one place after the step, and otherwise not.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from walkon.domains.hotspot.world import ASK, PLACES, Moment

NOTHING = -1
READINGS = (NOTHING, *range(len(PLACES)))
OBSERVATIONS = tuple(product(READINGS, READINGS))  # the own place, and the person's
OWN = 0.99
PHRASES = (  # by where the person was: how often each place was heard, and last, nothing
    (14, 0, 0, 0, 0, 5),
    (0, 43, 0, 0, 0, 8),
    (2, 0, 27, 0, 0, 39),
    (0, 0, 0, 27, 0, 24),
    (0, 15, 0, 0, 37, 16),
)
LEAST, ADDED = 0.03, 1e-8


def _shares() -> tuple[dict[int, float], ...]:
    """The probability of each answer, by where the person is."""
    counts = np.array(PHRASES, dtype=np.float64)
    raised = np.maximum(counts / counts.sum(axis=1, keepdims=True), LEAST) + ADDED
    rows = (raised / raised.sum(axis=1, keepdims=True)).tolist()
    return tuple(dict(zip((*range(len(PLACES)), NOTHING), row, strict=True)) for row in rows)


ANSWERS = _shares()


@dataclass(frozen=True)
class Sensor:
    """Reads the own place, and what one of the variants tells of the person."""

    questions: bool

    def distribution(self, action: str, y: Moment) -> Iterator[tuple[tuple[int, int], float]]:
        """The possible observations after an action that led to a state, with their probabilities."""
        for (own, p), (other, q) in product(((y.robot, OWN), (NOTHING, 1 - OWN)), self._person(action, y).items()):
            yield (own, other), p * q

    def _person(self, action: str, y: Moment) -> dict[int, float]:
        if self.questions:
            return ANSWERS[y.person] if action == ASK else {NOTHING: 1.0}
        return {y.person if y.person == y.robot else NOTHING: 1.0}

    def name(self, z: tuple[int, int]) -> str:
        """The name of an observation."""
        own, other = ("" if place == NOTHING else PLACES[place] for place in z)
        heard = f"hears {other or 'nothing'}" if self.questions else f"sees the person at {other}" if other else ""
        return f"{f'at {own}' if own else 'own place unread'}, {heard or 'sees nobody'}"
