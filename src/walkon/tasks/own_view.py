"""Draws tasks that a user wrote as rules: by their function `picture`, with tables and without.

A picture is a Scene or a text, whose lines become a scene without a board. Where the function takes a third argument,
it is the belief over the states, as a dict from states to probabilities, or None.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.pictures.scene import Scene
from walkon.tasks.naming import name_of
from walkon.tasks.outline import Outline


@dataclass(frozen=True, eq=False)
class OwnView:
    """The view of a task with tables and a function `picture`, which takes states and observations, not numbers."""

    outline: Outline
    states: Sequence[Any]
    observations: Sequence[Any]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Draw one moment."""
        z = None if observation is None else self.observations[observation]
        known = None
        if belief is not None and self.outline.draws_belief:
            known = {self.states[x]: float(belief[x]) for x in np.flatnonzero(belief).tolist()}
        return drawn(self.outline, self.outline.picture(self.states[state], z, known))


@dataclass(frozen=True, eq=False)
class RuleView:
    """The view of a task without tables: by its function `picture`, or as names."""

    outline: Outline

    def scene(self, state: Any, *, observation: Any = None, belief: Any = None) -> Scene:
        """Draw one moment; the belief is as in `Tracked.states`."""
        if self.outline.has("picture"):
            return drawn(self.outline, self.outline.picture(state, observation, belief))
        seen = "" if observation is None else f"\nobservation: {name_of(observation)}"
        return drawn(self.outline, f"state: {name_of(state)}{seen}")


def drawn(outline: Outline, answer: Any) -> Scene:
    """Turn what a function `picture` gave into a scene."""
    if isinstance(answer, Scene):
        return answer
    if isinstance(answer, str):
        return Scene(title=outline.name, columns=0, rows=0, pieces=(), notes=tuple(answer.splitlines()))
    raise InputError(f"{outline.name}: picture gives {answer!r:.80}, expected a Scene or a text")
