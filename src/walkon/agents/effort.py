"""What a search may spend on a decision: so many simulations, or so much time."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

AT_ONCE = 0.01  # seconds that simulations take between two looks at the clock
MOST_AT_ONCE = 2**20  # simulations between them


@dataclass(frozen=True)
class Effort:
    """How a tree is grown.

    Attributes:
        simulations: How many there are, where `seconds` is not given.
        seconds: How long they may take.
        depth: How many steps are looked ahead.
        explore: How wide the confidence bounds are, in standard deviations of the returns.
        trust: How many returns the prior of an action counts for.
        fresh: How many particles make the prior of a node.
        few: With how many visits a node is a leaf.
        doubt: For how many steps a leaf pays for not knowing.
    """

    simulations: int = 10_000
    seconds: float | None = None
    depth: int = 30
    explore: float = 1.0
    trust: float = 5.0
    fresh: int = 16
    few: int = 8
    doubt: float = 4.0

    def spend(self, simulate: Callable[[int], int], began: float) -> None:
        """Simulate as often or as long as this allows; `simulate` returns how many more it did, fewer if it is full."""
        if self.seconds is None:
            simulate(self.simulations)
        else:
            within(began + self.seconds, simulate)


def within(end: float, simulate: Callable[[int], int]) -> None:
    """Simulate in growing portions, of which each should take half of the time that is left, and at least once."""
    portion = 1
    while True:
        before = perf_counter()
        if simulate(portion) < portion:
            return
        now = perf_counter()
        rate = portion / max(now - before, 1e-6)
        portion = int(min(2 * portion, rate * (end - now) / 2, rate * AT_ONCE, MOST_AT_ONCE))
        if portion < 1:
            return


@contextmanager
def old_objects_aside() -> Iterator[None]:
    """Meanwhile, look for garbage only among new objects: through all that rules have said, that takes 0.1 s."""
    ours = gc.get_freeze_count() == 0
    if ours:
        gc.freeze()
    try:
        yield
    finally:
        if ours:
            gc.unfreeze()
