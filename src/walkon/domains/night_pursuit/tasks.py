"""The tasks of Night-time Pursuit: one for each placement of the sleeping preys.

The paper draws its libraries from a pool of 32 placements. Ours holds, for each size, 32 different sets of cells,
drawn once and for all from the list of all sets in the order of their (column, row), by a generator with the size as
its seed; a library of K tasks has the first K.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, product
from operator import index
from typing import Any, TypeAlias

import numpy as np

from walkon.domains.compass import MOVES_AND_STAY, Cell
from walkon.domains.night_pursuit.matrices import folded
from walkon.domains.night_pursuit.sensor import NAMES, OBSERVATIONS, Sensor
from walkon.domains.night_pursuit.teammates import Hunters
from walkon.domains.night_pursuit.view import NightView
from walkon.domains.night_pursuit.world import Room, captured, rules
from walkon.domains.options import flag, share, whole
from walkon.errors import InputError
from walkon.models.tabulate import tabulate
from walkon.tasks import Task, TaskLibrary

Placement: TypeAlias = tuple[Cell, ...]

POOL = 32
HORIZON = 50
SIZES = (3, 10)
MOST_STATES = 10**6


def library(
    *,
    size: int = 5,
    noise: float = 0.3,
    tasks: int | Sequence[int] | Sequence[Sequence[Cell]] = 4,
    teammates: int = 1,
    teammate_noise: bool = False,
    tremble: float = 0.0,
    seed: int | None = None,
) -> TaskLibrary:
    """A library of Night-time Pursuit.

    Args:
        size: The number of cells along each wall, 3 to 10.
        noise: How often a move of the ad hoc agent fails, and how often it misses what is next to it.
        tasks: How many tasks, the first of the pool; or their numbers in the pool; or where the preys are, such as
            [((0, 0), (4, 3)), ...]: a (column, row) for each prey.
        teammates: How many; there is one prey more.
        teammate_noise: Whether a teammate's moves fail as often as the ad hoc agent's.
        tremble: How often a teammate makes a uniform move instead of its own.
        seed: Draws the given number of tasks out of the pool, in place of the first ones.
    """
    mates = whole("teammates", teammates, 1, 8)
    room = Room(whole("size", size, *SIZES), share("noise", noise), mates, flag("teammate_noise", teammate_noise))
    if room.size ** (2 + 2 * mates) > MOST_STATES:
        raise InputError(
            f"{mates} teammates in a room of {size} x {size} make {room.size ** (2 + 2 * mates):,} states, "
            f"more than {MOST_STATES:,}: take fewer teammates or a smaller room"
        )
    steady = share("tremble", tremble)
    return _library(room, tuple(_placements(room, tasks, seed)), steady)


def _library(room: Room, placements: tuple[Placement, ...], tremble: float) -> TaskLibrary:
    tasks = [_task(room, prey, tremble) for prey in placements]
    return TaskLibrary(tasks, variants=partial(_with_other_noise, room, placements, tremble))


def _with_other_noise(room: Room, placements: tuple[Placement, ...], tremble: float) -> list[TaskLibrary]:
    """The same tasks with less noise, and with more."""
    return [
        _library(replace(room, noise=noise), placements, tremble) for noise in (room.noise / 3, (1 + room.noise) / 2)
    ]


@cache
def pool(size: int, preys: int = 2, seed: int | None = None) -> tuple[Placement, ...]:
    """The placements that libraries are drawn from; others with a seed of one's own."""
    sets = list(combinations(product(range(size), repeat=2), preys))
    drawn = np.random.default_rng(size if seed is None else seed).choice(len(sets), size=POOL, replace=False)
    return tuple(sets[i] for i in drawn)


def _task(room: Room, prey: Placement, tremble: float) -> Task:
    over = captured(prey)
    solved = np.array([x in over for x in room.states])
    start = ~solved / np.count_nonzero(~solved)
    sensor = tabulate(room.states, OBSERVATIONS, Sensor(room.noise, prey).distribution)
    hunters = Hunters(prey, tremble)
    return Task.from_rules(
        rules(room, prey),
        hunters.teammate_actions,
        [sensor] * len(MOVES_AND_STAY),
        start,
        solved,
        "prey " + " and ".join(f"({c},{r})" for c, r in prey),
        mdp=folded(room, hunters, start, solved),
        observations=NAMES,
        horizon=HORIZON,
        state_numbers=np.array(room.states).reshape(len(room.states), -1),
        observation_numbers=OBSERVATIONS,
        view=NightView(room, prey),
    )


def _placements(room: Room, tasks: Any, seed: int | None) -> list[Placement]:
    """The placements that the options ask for."""
    drawn = pool(room.size, room.teammates + 1)
    if hasattr(tasks, "__index__"):
        K = whole("tasks", tasks, 1, POOL)
        if seed is None:
            return list(drawn[:K])
        chance = np.random.default_rng(whole("seed", seed, 0, 2**63 - 1))
        return [drawn[i] for i in chance.choice(POOL, size=K, replace=False)]
    if seed is not None:
        raise InputError("seed draws a number of tasks out of the pool: give tasks as a number, or leave seed out")
    try:
        each = list(tasks)
    except TypeError:
        raise InputError(f"tasks is {tasks!r}, expected a number, or a list of numbers or placements") from None
    if not each:
        raise InputError("tasks is empty, expected at least one")
    return [
        drawn[whole(f"tasks[{k}]", task, 0, POOL - 1)] if hasattr(task, "__index__") else _placed(room, k, task)
        for k, task in enumerate(each)
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
    for cell in prey:
        if cell not in room.cells:
            raise InputError(
                f"tasks[{k}] has a prey at {cell}, outside the room: columns and rows go from 0 to {room.size - 1}"
            )
    if len(set(prey)) < len(prey):
        raise InputError(f"tasks[{k}] is {cells!r}, expected each prey on a cell of its own")
    return tuple(prey)
