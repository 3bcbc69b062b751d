"""The end of a hunt, which both pursuit worlds share.

The paper, "Night-time pursuit" and "Pursuit under partial observability": each step costs 1, the step of the capture
pays 100 instead, and nothing is paid afterwards. The episode goes on to its horizon, so captured states absorb; what
a step pays depends on the state arrived in, and r(x, a) is its expectation.
"""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

State = TypeVar("State")

CAPTURE = 100.0
STEP = -1.0


@dataclass(frozen=True)
class Hunt(Generic[State]):
    """Moves that go on until the prey is captured.

    Attributes:
        roam: The next states with their probabilities as long as nothing is captured.
        captured: The states in which the hunt is over.
    """

    roam: Callable[[State, Any, Any], Iterable[tuple[State, float]]]
    captured: Container[State]

    def moves(self, x: State, a: Any, b: Any) -> Iterable[tuple[State, float]]:
        """The next states with their probabilities."""
        return ((x, 1.0),) if x in self.captured else self.roam(x, a, b)

    def reward(self, x: State, a: Any, b: Any, y: State) -> float:
        """What the step from x to y pays."""
        if y not in self.captured:
            return STEP
        return 0.0 if x in self.captured else CAPTURE
