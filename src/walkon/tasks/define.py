"""From objects with a few plain functions, as `walkon.tasks.outline` describes them, to a library of tasks."""

from collections.abc import Hashable, Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Ints
from walkon.errors import InputError
from walkon.models.rules import Rules
from walkon.models.tabulate import tabulate
from walkon.saying import briefly
from walkon.tasks.chances import Chances
from walkon.tasks.library import TaskLibrary
from walkon.tasks.naming import in_order, name_of
from walkon.tasks.outline import Outline
from walkon.tasks.own_view import OwnView
from walkon.tasks.rule_task import RuleTask
from walkon.tasks.tally import Tally
from walkon.tasks.task import Task

MOST_STATES = 100_000
WITHOUT = "do without tables, define(tasks, tables=False)"


def define(tasks: Sequence[Any], *more: Any, tables: bool = True) -> TaskLibrary:
    """Make a library of tasks, each described by an object with a few functions.

    Args:
        tasks: The objects. They have the same actions; their observations are pooled, their states may differ.
        *more: In place of a list, the objects may be given one after the other: define(a), define(a, b).
        tables: Whether all states and observations are listed and the rules made into matrices, which most agents need.
            Without, nothing is listed: the rules are called when they are needed, and there may be any number of
            states and observations (`walkon.tasks.rule_task`). The agents "search" and "random" play such libraries,
            and "atpo" where the tasks give advice.

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
    if more or (hasattr(tasks, "moves") and not isinstance(tasks, type)):
        tasks = [tasks, *more]
    if isinstance(tasks, type):
        tasks = [tasks]
    if not isinstance(tasks, list | tuple) or hasattr(tasks, "_fields"):
        raise InputError(f"tasks is {briefly(tasks)}, expected a list of tasks, as in define([task])")
    outlines = [Outline.of(written, k) for k, written in enumerate(tasks)]
    names = [outline.name for outline in outlines]
    for k, name in enumerate(names):
        if (first := names.index(name)) != k:
            raise InputError(f'tasks[{first}] and tasks[{k}] are both called "{name}": give each a `name` of its own')
    if not tables:
        return TaskLibrary([RuleTask(outline) for outline in outlines])
    for outline in outlines:
        if outline.draws_start:
            remedy = "make it a function of nothing that returns them with their probabilities"
            raise InputError(f"{outline.name}: start draws a state, and tables need all: {remedy}, or {WITHOUT}")
    states = [_states(outline) for outline in outlines]
    observations = _observations(outlines, states)
    return TaskLibrary([_task(outline, each, observations) for outline, each in zip(outlines, states, strict=True)])


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
            what = f"more than {MOST_STATES:,} states can be reached from the start, the last of them {name_of(y)}"
            remedy = f"does something count without end? If not, list the `states`, or {WITHOUT}"
            raise InputError(f"{outline.name}: {what}: {remedy}")
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
    return list(found) if listed is not None else in_order(found)


def _observations(outlines: Sequence[Outline], states: Sequence[Sequence[Any]]) -> list[Hashable]:
    """Collect the observations of all tasks: those that are listed, else those that can occur."""
    listed = [list(given) for outline in outlines if (given := outline.value("observations", None)) is not None]
    if listed:
        return list(dict.fromkeys(z for each in listed for z in each))
    each = zip(outlines, states, strict=True)
    steps = ((outline, a, y) for outline, arrived in each for a, y in product(outline.actions, arrived))
    return in_order(dict.fromkeys(z for outline, a, y in steps for z, _ in outline.sensor(a, y)))


def _task(outline: Outline, states: Sequence[Any], observations: Sequence[Hashable]) -> Task:
    A, B, tally = outline.actions, outline.teammate_actions, None
    rules: Rules[Any, Any, Any] = Rules(
        states=states,
        actions=A,
        teammate_actions=B,
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
        if outline.has("counts"):
            counts = [[[outline.counts(x, a, b) for b in B] for a in A] for x in states]
            tally = Tally(outline.value("tally", "counts"), counts)
        task = Task.from_rules(
            rules,
            outline.teammates,
            [_sensor(outline, a, states, observations) for a in A],
            start,
            np.array([outline.solved(x) for x in states]) if outline.has("solved") else None,
            outline.name,
            observations=[name_of(z) for z in observations],
            horizon=outline.value("horizon", 50),
            tally=tally,
            score=outline.value("score", None),
            state_numbers=_numbers(states),
            observation_numbers=_numbers(observations),
            view=OwnView(outline, states, observations) if outline.has("picture") else None,
        )
        task.__dict__["omitted"] = outline.omitted
        return task
    except InputError as cause:
        message = str(cause)
        raise InputError(message if message.startswith(outline.name) else f"{outline.name}: {message}") from None


def _sensor(outline: Outline, a: Hashable, states: Sequence[Any], observations: Sequence[Hashable]) -> csr_array:
    """Tabulate the observations after one action, [X, Z]."""
    known = set(observations)

    def rule(y: Any) -> Chances:
        made = outline.sensor(a, y)
        for z in (z for z, _ in made if z not in known):
            call = f"sensor({name_of(a)}; {name_of(y)})"
            raise InputError(f"{call} gives {name_of(z)}, which is not among its `observations`")
        return made

    return tabulate(states, observations, rule)


def _numbers(things: Sequence[Any]) -> Ints | None:
    """Return the things as rows of whole numbers if all are tuples of equally many whole numbers, else None."""
    if not all(isinstance(thing, tuple) and thing and len(thing) == len(things[0]) for thing in things):
        return None
    if not all(isinstance(part, int | np.integer) and abs(int(part)) < 2**62 for thing in things for part in thing):
        return None
    return np.array([[int(part) for part in thing] for thing in things], dtype=np.int64)
