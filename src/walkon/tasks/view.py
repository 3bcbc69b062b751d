"""How a task shows itself: from the numbers of a moment to a scene."""

from typing import Protocol

from walkon.arrays import Floats
from walkon.pictures.scene import Scene


class View(Protocol):
    """Draws the moments of one task."""

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """One moment.

        Args:
            state: The true state.
            observation: What the ad hoc agent read last; None before its first observation.
            belief: Its belief over the states of this task [X].
        """
        ...
