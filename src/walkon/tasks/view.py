"""Views of a task: from a state, an observation and a belief to a scene."""

from dataclasses import dataclass
from typing import Protocol

from walkon.arrays import Floats, Names
from walkon.pictures.scene import Scene


class View(Protocol):
    """Draws the moments of one task."""

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Draw the true state, the ad hoc agent's last observation, and its belief over the states of this task [X]."""
        ...


@dataclass(frozen=True)
class NamedView:
    """Shows a task without a view of its own by the names of its states and observations. It shows no belief."""

    name: str
    states: Names | None  # [X]
    observations: Names | None  # [Z]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe one moment in words."""
        notes = [f"state: {self.states[state] if self.states else state}"]
        if observation is not None:
            notes.append(f"observation: {self.observations[observation] if self.observations else observation}")
        return Scene(title=self.name, columns=0, rows=0, pieces=(), notes=tuple(notes))
