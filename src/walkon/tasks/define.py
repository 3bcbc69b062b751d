"""From a few plain functions to a library of tasks, see `walkon.tasks.outline` for what is written."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate
from walkon.pictures.scene import Scene
from walkon.tasks.chances import Chances
from walkon.tasks.explore import ordered, states_of
from walkon.tasks.library import TaskLibrary
from walkon.tasks.naming import numbers_of, said
from walkon.tasks.outline import Outline
from walkon.tasks.tally import Tally
from walkon.tasks.task import Task


def define(tasks: Sequence[Any]) -> TaskLibrary:
    """The library of tasks that somebody wrote, each an object with a few functions.

    Args:
        tasks: The objects. They share their actions, and observations are pooled; states may differ.

    >>> class Lamp:
    ...     start, actions, teammate_actions = "off", ["press", "wait"], ["wait"]
    ...     def teammates(self, x):
    ...         return "wait"
    ...     def moves(self, x, a, b):
    ...         return [("on", 0.9), (x, 0.1)] if a == "press" else x
    ...     def sensor(self, a, y):
    ...         return "bright" if y == "on" else {"dark": 0.8, "bright": 0.2}
    ...     def reward(self, x, a, b, y):
    ...         return 1 if y == "on" else 0
    >>> library = define([Lamp()])
    >>> library[0], library.observations
    (Task("Lamp 0": 2 states, 2 actions, 2 observations), ('bright', 'dark'))
    """
    if not isinstance(tasks, list | tuple) or hasattr(tasks, "_fields"):
        raise InputError(f"tasks is a {type(tasks).__name__}, expected a list of tasks, as in define([task])")
    outlines = [Outline.of(written, k) for k, written in enumerate(tasks)]
    states = [states_of(outline) for outline in outlines]
    observations = _observations(outlines, states)
    return TaskLibrary([_task(outline, each, observations) for outline, each in zip(outlines, states, strict=True)])


@dataclass(frozen=True, eq=False)
class Drawn:
    """A task's own picture, asked for with states and observations in place of numbers."""

    outline: Outline
    states: Sequence[Any]
    observations: Sequence[Any]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """One moment: the scene, or the text as its lines."""
        z = None if observation is None else self.observations[observation]
        drawn = self.outline.picture(self.states[state], z)
        if isinstance(drawn, Scene):
            return drawn
        if isinstance(drawn, str):
            return Scene(title=self.outline.name, columns=0, rows=0, pieces=(), notes=tuple(drawn.splitlines()))
        raise InputError(f"{self.outline.name}: picture gives {drawn!r:.80}, expected a Scene or a text")


def _observations(outlines: Sequence[Outline], states: Sequence[Sequence[Any]]) -> list[Hashable]:
    """All observations of all tasks: those that are listed, else those that can be made."""
    listed = [list(given) for outline in outlines if (given := outline.value("observations", None)) is not None]
    if listed:
        return list(dict.fromkeys(z for each in listed for z in each))
    found = {
        z: None
        for outline, each in zip(outlines, states, strict=True)
        for a in outline.actions
        for y in each
        for z, _ in outline.sensor(a, y)
    }
    return ordered(found)


def _task(outline: Outline, states: Sequence[Any], observations: Sequence[Hashable]) -> Task:
    rules: Rules[Any, Any, Any] = Rules(
        states=states,
        actions=outline.actions,
        teammate_actions=outline.teammate_actions,
        moves=outline.moves,
        reward=outline.reward,
        discount=outline.value("discount", 0.95),
        seats=outline.seats,
        name=said,
        teammate_action_name=said,
    )
    number = {x: i for i, x in enumerate(states)}
    start = np.zeros(len(states))
    for x, p in outline.start():
        start[number[x]] = p
    try:
        return Task.from_rules(
            rules,
            outline.teammates,
            [_sensor(outline, a, states, observations) for a in outline.actions],
            start,
            np.array([outline.solved(x) for x in states]) if outline.has("solved") else None,
            outline.name,
            observations=[said(z) for z in observations],
            horizon=outline.value("horizon", 50),
            tally=_tally(outline, states),
            state_numbers=numbers_of(states),
            observation_numbers=numbers_of(observations),
            view=Drawn(outline, states, observations) if outline.has("picture") else None,
        )
    except InputError as cause:
        told = str(cause)
        raise InputError(told if told.startswith(outline.name) else f"{outline.name}: {told}") from None


def _tally(outline: Outline, states: Sequence[Any]) -> Tally | None:
    """What is counted, if something is."""
    if not outline.has("counts"):
        return None
    pairs = [[(a, b) for b in outline.teammate_actions] for a in outline.actions]
    counts = [[[outline.counts(x, a, b) for a, b in row] for row in pairs] for x in states]
    return Tally(outline.value("tally", "counts"), counts)


def _sensor(outline: Outline, a: Hashable, states: Sequence[Any], observations: Sequence[Hashable]) -> csr_array:
    """What is read after one action, [X, Z]."""
    known = set(observations)

    def rule(y: Any) -> Chances:
        made = outline.sensor(a, y)
        for z in (z for z, _ in made if z not in known):
            raise InputError(f"sensor({said(a)}; {said(y)}) gives {said(z)}, which is not among its `observations`")
        return made

    return tabulate(states, observations, rule)
