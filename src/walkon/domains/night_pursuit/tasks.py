"""The tasks of Night-time Pursuit: one for each placement of the sleeping preys.

The paper draws its libraries from a pool of 32 placements. For each size, our pool holds 32 different sets of cells,
drawn from the list of all sets in the order of their (column, row), by a generator with the size as its seed; a library
of K tasks has the first K.

Each teammate walks to a prey of its own and ignores the other predators. The closest (teammate, prey) pair is matched,
then the closest among those left, until every teammate has a prey; equal distances go to the first teammate, then to
the first prey in the order of (column, row). With one teammate this is the paper's policy: it moves towards its closest
prey. A teammate walks to the column of its prey first, then to the row, and stays there.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import combinations, product
from math import prod
from operator import index
from typing import Any, TypeAlias

import numpy as np

from walkon.checks import whole
from walkon.domains.hunting import MOVES_AND_STAY, Cell, Move, tremble_at
from walkon.domains.night_pursuit.view import NightView
from walkon.domains.night_pursuit.world import (
    NAMES,
    OBSERVATIONS,
    Room,
    Sensor,
    State,
    TeammateAction,
    captured,
    fold,
    rules,
)
from walkon.errors import InputError
from walkon.models.tabulate import tabulate
from walkon.tasks import Task, TaskLibrary


def towards(cell: Cell, target: Cell) -> Move:
    """The next move on the way, columns first."""
    if cell[0] != target[0]:
        return "Right" if target[0] > cell[0] else "Left"
    if cell[1] != target[1]:
        return "Down" if target[1] > cell[1] else "Up"
    return "Stay"


def match(mates: tuple[Cell, ...], prey: tuple[Cell, ...]) -> list[Cell]:
    """Choose the prey that each teammate walks to."""
    pairs = sorted(
        (abs(m[0] - p[0]) + abs(m[1] - p[1]), i, p) for (i, m), p in product(enumerate(mates), prey)
    )  # by distance, then teammate, then prey
    target: dict[int, Cell] = {}
    for _, i, p in pairs:
        if i not in target and p not in target.values():
            target[i] = p
    return [target[i] for i in range(len(mates))]


@lru_cache(maxsize=2**16)
def choices(
    mates: tuple[Cell, ...], prey: tuple[Cell, ...], tremble: float
) -> tuple[tuple[TeammateAction, float], ...]:
    """The joint actions of teammates in these cells, with their probabilities. Each trembles independently."""
    wanted = [towards(cell, target) for cell, target in zip(mates, match(mates, prey), strict=True)]
    each = [tremble_at([(move, 1.0)], MOVES_AND_STAY, tremble) for move in wanted]
    return tuple((tuple(m for m, _ in joint), prod(p for _, p in joint)) for joint in product(*each))


Placement: TypeAlias = tuple[Cell, ...]

POOL = 32
HORIZON = 50
MOST_STATES = 10**6


def library(
    *,
    size: int,
    noise: float,
    tasks: int | Sequence[Any],
    teammates: int,
    teammate_noise: bool,
    tremble: float,
    seed: int | None,
) -> TaskLibrary:
    """Make a library of Night-time Pursuit."""
    room = Room(size, noise, teammates, teammate_noise)
    return _library(room, tuple(_placements(room, tasks, seed)), tremble)


def names(size: int, noise: float, tasks: int | Sequence[Any], teammates: int, seed: int | None, **_: Any) -> list[str]:
    """The names of its tasks."""
    return [_name(prey) for prey in _placements(Room(size, noise, teammates), tasks, seed)]


def scale(size: int, tasks: int | Sequence[Any], teammates: int, **_: Any) -> tuple[int, int]:
    """The number of states of all its tasks, and of observations."""
    K = tasks if isinstance(tasks, int) else len(tasks)
    return K * size ** (2 + 2 * teammates), len(OBSERVATIONS)


def tasks_or_number(name: str, tasks: Any) -> int | list[Any]:
    """Check the tasks that are asked for, by their number or one by one."""
    if hasattr(tasks, "__index__"):
        return whole(name, tasks, 1, POOL)
    try:
        which = list(tasks)
    except TypeError:
        raise InputError(f"{name} is {tasks!r:.60}, expected a number, or a list of numbers or placements") from None
    if not which:
        raise InputError(f"{name} is empty, expected at least one")
    return which


def _library(room: Room, placements: tuple[Placement, ...], tremble: float) -> TaskLibrary:
    tasks = [_task(room, prey, tremble) for prey in placements]
    return TaskLibrary(tasks, variants=partial(_with_other_noise, room, placements, tremble))


def _with_other_noise(room: Room, placements: tuple[Placement, ...], tremble: float) -> list[TaskLibrary]:
    """The same tasks with less noise, and with more."""
    noises = (room.noise / 3, (1 + room.noise) / 2)
    return [_library(replace(room, noise=noise), placements, tremble) for noise in noises]


@cache
def pool(size: int, preys: int = 2, seed: int | None = None) -> tuple[Placement, ...]:
    """The placements that libraries are drawn from, by the seed that is given or else by the size."""
    sets = list(combinations(product(range(size), repeat=2), preys))
    drawn = np.random.default_rng(size if seed is None else seed).choice(len(sets), size=POOL, replace=False)
    return tuple(sets[i] for i in drawn)


def _task(room: Room, prey: Placement, tremble: float) -> Task:
    over = captured(prey)
    solved = np.array([x in over for x in room.states])
    start = ~solved / np.count_nonzero(~solved)
    sensor = tabulate(room.states, OBSERVATIONS, Sensor(room.noise, prey).distribution)

    def hunters(x: State) -> tuple[tuple[TeammateAction, float], ...]:
        return choices(x[1:], prey, tremble)

    return Task.from_rules(
        rules(room, prey),
        hunters,
        [sensor] * len(MOVES_AND_STAY),
        start,
        solved,
        _name(prey),
        mdp=fold(room, hunters, start, solved),
        observations=NAMES,
        horizon=HORIZON,
        state_numbers=np.array(room.states).reshape(len(room.states), -1),
        observation_numbers=OBSERVATIONS,
        view=NightView(room, prey),
    )


def _name(prey: Placement) -> str:
    return "prey " + " and ".join(f"({c},{r})" for c, r in prey)


def _placements(room: Room, tasks: int | Sequence[Any], seed: int | None) -> list[Placement]:
    """The placements that the options ask for."""
    if (states := room.size ** (2 + 2 * room.teammates)) > MOST_STATES:
        raise InputError(
            f"{room.teammates} teammates in a room of {room.size} x {room.size} make {states:,} states, "
            f"more than {MOST_STATES:,}: take fewer teammates or a smaller room"
        )
    drawn = pool(room.size, room.teammates + 1)
    if isinstance(tasks, int) and seed is None:
        return list(drawn[:tasks])
    if isinstance(tasks, int):
        chance = np.random.default_rng(whole("seed", seed, 0, 2**63 - 1))
        return [drawn[i] for i in chance.choice(POOL, size=tasks, replace=False)]
    if seed is not None:
        raise InputError("seed draws a number of tasks out of the pool: give tasks as a number, or leave seed out")
    return [
        drawn[whole(f"tasks[{k}]", task, 0, POOL - 1)] if hasattr(task, "__index__") else _placed(room, k, task)
        for k, task in enumerate(tasks)
    ]


def _placed(room: Room, k: int, cells: Any) -> Placement:
    """One placement, checked and in the order of (column, row)."""
    try:
        prey = sorted((index(column), index(row)) for column, row in cells)
    except (TypeError, ValueError):
        raise InputError(f"tasks[{k}] is {cells!r}, expected a (column, row) for each prey") from None
    if len(prey) != room.teammates + 1:
        raise InputError(
            f"tasks[{k}] has {len(prey)} preys, expected {room.teammates + 1}: "
            "one for the ad hoc agent and one for each teammate"
        )
    if outside := [cell for cell in prey if cell not in room.cells]:
        span = f"columns and rows go from 0 to {room.size - 1}"
        raise InputError(f"tasks[{k}] has a prey at {outside[0]}, outside the room: {span}")
    if len(set(prey)) < len(prey):
        raise InputError(f"tasks[{k}] is {cells!r}, expected each prey on a cell of its own")
    return tuple(prey)
