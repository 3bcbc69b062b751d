"""From objects with a few plain functions, as `walkon.tasks.outline` describes them, to a library of tasks."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate
from walkon.pictures.scene import Scene
from walkon.tasks.chances import Chances
from walkon.tasks.library import TaskLibrary
from walkon.tasks.outline import Outline, name_of, numbers_of
from walkon.tasks.tally import Tally
from walkon.tasks.task import Task

MOST_STATES = 100_000


def define(tasks: Sequence[Any]) -> TaskLibrary:
    """Make a library of tasks, each described by an object with a few functions.

    Args:
        tasks: The objects. They have the same actions; their observations are pooled, their states may differ.

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
    states = [_states(outline) for outline in outlines]
    observations = _observations(outlines, states)
    return TaskLibrary([_task(outline, each, observations) for outline, each in zip(outlines, states, strict=True)])


@dataclass(frozen=True, eq=False)
class OwnView:
    """The view of a task with a function `picture`, which takes states and observations in place of numbers."""

    outline: Outline
    states: Sequence[Any]
    observations: Sequence[Any]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Draw one moment; a text becomes a scene with its lines."""
        z = None if observation is None else self.observations[observation]
        drawn = self.outline.picture(self.states[state], z)
        if isinstance(drawn, Scene):
            return drawn
        if isinstance(drawn, str):
            return Scene(title=self.outline.name, columns=0, rows=0, pieces=(), notes=tuple(drawn.splitlines()))
        raise InputError(f"{self.outline.name}: picture gives {drawn!r:.80}, expected a Scene or a text")


def _states(outline: Outline) -> list[Any]:
    """Find all states that can be reached from the start, in ascending order where they have one.

    They include those that only other teammates would reach, so that any policies, and people, may take part. Where
    the states are listed, the list is taken, and a move that leaves it is an error.
    """
    listed = outline.value("states", None)
    found: dict[Any, None] = dict.fromkeys(() if listed is None else listed)
    waiting = list(found)

    def arrive(y: Any, rule: str, *arguments: Any) -> None:
        if y in found:
            return
        if listed is not None:
            call = f"{rule}({'; '.join(map(name_of, arguments))})" if arguments else rule
            raise InputError(f"{outline.name}: {call} gives {name_of(y)}, which is not among its `states`")
        if len(found) == MOST_STATES:
            raise InputError(
                f"{outline.name}: more than {MOST_STATES:,} states can be reached from the start, the last of them "
                f"{name_of(y)}: does something count without end? If not, list the `states`"
            )
        found[y] = None
        waiting.append(y)

    for x, _ in outline.start():
        arrive(x, "start")
    while waiting:
        x = waiting.pop()
        outline.teammates(x)  # so that a mistake in it is found now, and not during play
        if outline.solved(x):
            continue  # nothing moves any more
        for a, b in product(outline.actions, outline.teammate_actions):
            for y, _ in outline.moves(x, a, b):
                arrive(y, "moves", x, a, b)
    return list(found) if listed is not None else _in_order(found)


def _in_order(things: Iterable[Any]) -> list[Any]:
    """List things in ascending order if they can be compared."""
    listed = list(things)
    try:
        return sorted(listed)
    except TypeError:
        return listed


def _observations(outlines: Sequence[Outline], states: Sequence[Sequence[Any]]) -> list[Hashable]:
    """Collect the observations of all tasks: those that are listed, else those that can occur."""
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
    return _in_order(found)


def _task(outline: Outline, states: Sequence[Any], observations: Sequence[Hashable]) -> Task:
    rules: Rules[Any, Any, Any] = Rules(
        states=states,
        actions=outline.actions,
        teammate_actions=outline.teammate_actions,
        moves=outline.moves,
        reward=outline.reward,
        discount=outline.value("discount", 0.95),
        seats=outline.seats,
        name=name_of,
        teammate_action_name=name_of,
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
            observations=[name_of(z) for z in observations],
            horizon=outline.value("horizon", 50),
            tally=_tally(outline, states),
            state_numbers=numbers_of(states),
            observation_numbers=numbers_of(observations),
            view=OwnView(outline, states, observations) if outline.has("picture") else None,
        )
    except InputError as cause:
        message = str(cause)
        raise InputError(message if message.startswith(outline.name) else f"{outline.name}: {message}") from None


def _tally(outline: Outline, states: Sequence[Any]) -> Tally | None:
    """Make the tally of a task that has `counts`."""
    if not outline.has("counts"):
        return None
    counts = [[[outline.counts(x, a, b) for b in outline.teammate_actions] for a in outline.actions] for x in states]
    return Tally(outline.value("tally", "counts"), counts)


def _sensor(outline: Outline, a: Hashable, states: Sequence[Any], observations: Sequence[Hashable]) -> csr_array:
    """Tabulate the observations after one action, [X, Z]."""
    known = set(observations)

    def rule(y: Any) -> Chances:
        made = outline.sensor(a, y)
        for z in (z for z, _ in made if z not in known):
            raise InputError(
                f"sensor({name_of(a)}; {name_of(y)}) gives {name_of(z)}, which is not among its `observations`"
            )
        return made

    return tabulate(states, observations, rule)
