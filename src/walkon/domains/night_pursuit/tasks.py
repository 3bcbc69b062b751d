"""The tasks of Night-time Pursuit: one for each placement of the sleeping preys.

The paper draws its libraries from a pool of 32 placements. For each size, our pool holds 32 different sets of cells,
drawn from the list of all sets in the order of their (column, row), by a generator with the size as its seed; a library
of K tasks has the first K.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import combinations, product
from operator import index
from typing import Any, TypeAlias

import numpy as np

from walkon.arrays import Floats
from walkon.checks import whole
from walkon.domains.hunting import MOVES_AND_STAY, Cell, around
from walkon.domains.night_pursuit.world import NAMES, OBSERVATIONS, THINGS, Room, Sensor, captured, choices, fold, rules
from walkon.errors import InputError
from walkon.models.tabulate import tabulate
from walkon.pictures.scene import Heat, Observation, Piece, Scene
from walkon.tasks import Task, TaskLibrary

Placement: TypeAlias = tuple[Cell, ...]
Which: TypeAlias = int | Sequence[Any]  # how many tasks, or which

POOL = 32
HORIZON = 50
MOST_STATES = 10**6


@dataclass(frozen=True)
class NightView:
    """Draws the room from above."""

    room: Room
    prey: tuple[Cell, ...]

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: all pieces, the cells next to the ad hoc agent, and what it observed there."""
        x = self.room.states[state]
        near = around(x[0])
        seen = () if observation is None else zip(OBSERVATIONS[observation], near, strict=True)
        return Scene(
            title=f"Night-time Pursuit, {self.room.size} x {self.room.size}",
            columns=self.room.size,
            rows=self.room.size,
            pieces=(
                *(Piece("prey", cell) for cell in self.prey),
                *(Piece("teammate", cell) for cell in x[1:]),
                Piece("agent", x[0]),
            ),
            visible=frozenset(near) & frozenset(self.room.cells),
            observations=tuple(Observation(THINGS[n], cell) for n, cell in seen if cell in self.room.cells),
            beliefs=() if belief is None else self._beliefs(belief),
            notes=() if observation is None else (f"read: {NAMES[observation]}",),
        )

    def _beliefs(self, belief: Floats) -> tuple[Heat, ...]:
        """Where each predator is believed to be: the marginals of the belief."""
        n, predators = self.room.size, 1 + self.room.teammates
        joint = np.asarray(belief).reshape((n * n,) * predators)
        heats = []
        for i in range(predators):
            grid = joint.sum(axis=tuple(j for j in range(predators) if j != i)).reshape(n, n).T
            who = "agent" if i == 0 else "teammate" if predators == 2 else f"teammate {i}"
            heats.append(Heat(f"where the {who} may be", "agent" if i == 0 else "teammate", grid))
        return tuple(heats)


def library(
    *, size: int, noise: float, tasks: Which, teammates: int, teammate_noise: bool, tremble: float, seed: int | None
) -> TaskLibrary:
    """Make a library of Night-time Pursuit."""
    room = Room(size, noise, teammates, teammate_noise)
    return _library(room, tuple(_placements(room, tasks, seed)), tremble)


def names(size: int, noise: float, tasks: Which, teammates: int, seed: int | None, **_: Any) -> list[str]:
    """The names of its tasks."""
    return [_name(prey) for prey in _placements(Room(size, noise, teammates), tasks, seed)]


def scale(size: int, tasks: Which, teammates: int, **_: Any) -> tuple[int, int]:
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
    hunters = partial(choices, prey, tremble)

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


def _placements(room: Room, tasks: Which, seed: int | None) -> list[Placement]:
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
