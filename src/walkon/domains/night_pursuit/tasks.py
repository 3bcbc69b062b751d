"""The tasks of Night-time Pursuit: one for each placement of the sleeping preys.

The paper draws its libraries from a pool of 32 placements (`walkon.domains.night_pursuit.pool`); a library of K tasks
has the first K. Without tables, rooms and pools may be larger.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import index
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, kron

from walkon.arrays import Floats
from walkon.checks import whole
from walkon.domains.hunting import CONTINUES, MOVES_AND_STAY, STOPS, Hunt, Move
from walkon.domains.night_pursuit.pool import POOL, Placement, pool
from walkon.domains.night_pursuit.sensor import Sensor, describe, observations
from walkon.domains.night_pursuit.teammates import choices
from walkon.domains.night_pursuit.untabled import NightTask
from walkon.domains.night_pursuit.view import NightView
from walkon.domains.night_pursuit.world import DISCOUNT, Room, State, TeammateAction, hunt_in, rules
from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.models.tabulate import tabulate
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.define import define

Hunters: TypeAlias = Callable[[State], tuple[tuple[TeammateAction, float], ...]]

HORIZON = 50
SHORT = 10  # cells along each side, up to which the paper's horizon is long enough
LARGEST = 31  # cells along each side, with tables
MOST_STATES = 10**6


def library(
    *,
    size: int,
    noise: float,
    tasks: int | Sequence[Any],
    teammates: int,
    tremble: float,
    seed: int | None,
    tables: bool,
    **reading: Any,
) -> TaskLibrary:
    """Make a library of Night-time Pursuit."""
    room = Room(size, noise, teammates, **reading)
    placements = tuple(_placements(room, tasks, seed, tables))
    return _library(room, placements, tremble) if tables else _untabled(room, placements, tremble)


def names(
    size: int, noise: float, tasks: int | Sequence[Any], teammates: int, seed: int | None, tables: bool, **_: Any
) -> list[str]:
    """The names of its tasks."""
    return [_name(prey) for prey in _placements(Room(size, noise, teammates), tasks, seed, tables)]


def scale(
    size: int, tasks: int | Sequence[Any], teammates: int, sees_walls: bool, after_capture: str, **_: Any
) -> tuple[int, int]:
    """The number of states of all its tasks, and of observations."""
    K = tasks if isinstance(tasks, int) else len(tasks)
    return K * _states(size, teammates, after_capture), len(observations(sees_walls))


def _states(size: int, teammates: int, after_capture: str) -> int:
    positions: int = size ** (2 + 2 * teammates)
    return 2 * positions if after_capture == CONTINUES else positions


def tasks_or_number(name: str, tasks: Any) -> int | list[Any]:
    """Check the tasks that are asked for, by their number or one by one."""
    if hasattr(tasks, "__index__"):
        return whole(name, tasks, 1, None)
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


def _untabled(room: Room, placements: Sequence[Placement], tremble: float) -> TaskLibrary:
    """Make a library without tables."""
    if room.after_capture != STOPS:
        raise InputError(f"after_capture is {room.after_capture!r}, which needs tables: leave it or tables=False out")
    return define([NightTask(room, prey, tremble, _horizon(room)) for prey in placements], tables=False)


def _with_other_noise(room: Room, placements: tuple[Placement, ...], tremble: float) -> list[TaskLibrary]:
    """The same tasks with less noise, and with more."""
    noises = (room.noise / 3, (1 + room.noise) / 2)
    return [_library(replace(room, noise=noise), placements, tremble) for noise in noises]


def fold(room: Room, hunt: Hunt[State], teammates: Hunters, start: Floats) -> MDP:
    """Fold the teammates in for all states at once; `rules(room, hunt).mdp(teammates)` does so state by state.

    All predators move at once, and the teammates ignore the ad hoc agent. So the probability of a next state is that of
    the agent's cell times that of the teammates' cells, and P_a is the Kronecker product of two small matrices, except
    for what a capture changes.
    """

    def mates_move(x: State) -> Iterator[tuple[State, float]]:
        for teammate_action, q in teammates(x):
            for y, p in room.roam(x, "Stay", teammate_action):
                yield y, q * p

    def own_move(move: Move) -> csr_array:
        return tabulate(room.cells, room.cells, lambda cell: room.attempt(cell, move, room.noise))

    still = [x for x in room.positions if x[0] == room.cells[0]]
    mates = tabulate(still, still, mates_move)
    free = [kron(own_move(move), mates, format="csr") for move in MOVES_AND_STAY]
    P = [hunt.transitions(p) for p in free]
    R = np.stack([hunt.rewards(p @ hunt.arriving) for p in free], axis=1)
    return MDP(P, R, start, DISCOUNT, states=rules(room, hunt).names, actions=MOVES_AND_STAY)


def _task(room: Room, prey: Placement, tremble: float) -> Task:
    hunt, seen = hunt_in(room, prey), observations(room.sees_walls)
    sensor = hunt.both(tabulate(room.positions, seen, Sensor(room, prey).distribution))
    start = _start(room, hunt)

    def hunters(x: State) -> tuple[tuple[TeammateAction, float], ...]:
        return choices(x[1:], prey, tremble)

    return Task.from_rules(
        rules(room, hunt),
        lambda x: hunters(hunt.position(x)),
        [sensor] * len(MOVES_AND_STAY),
        start,
        hunt.solved,
        _name(prey),
        mdp=fold(room, hunt, hunters, start),
        observations=[describe(z) for z in seen],
        horizon=_horizon(room),
        state_numbers=hunt.numbers(),
        observation_numbers=seen,
        view=NightView(room, prey),
    )


def _start(room: Room, hunt: Hunt[State]) -> Floats:
    """The distribution of the first state: anywhere; the agent top left; or also the teammates bottom right."""
    first, last = room.cells[0], room.cells[-1]
    corners = (first, *(last,) * room.teammates)
    if corners in hunt.captured:
        corners = (first,) * len(corners)
    chosen = {"uniform": lambda x: True, "corner": lambda x: x[0] == first, "corners": corners.__eq__}
    return hunt.start(chosen[room.start])


def _horizon(room: Room) -> int:
    """The number of steps; more in rooms that are larger than any of the paper's."""
    return HORIZON if room.size <= SHORT else 20 * room.size


def _name(prey: Placement) -> str:
    return "prey " + " and ".join(f"({c},{r})" for c, r in prey)


def _placements(room: Room, tasks: int | Sequence[Any], seed: int | None, tables: bool) -> list[Placement]:
    """The placements that the options ask for."""
    number = tasks if isinstance(tasks, int) else 1
    for word, value, most in (("size", room.size, LARGEST), ("tasks", number, POOL)):
        if tables and value > most:
            raise InputError(f"{word} is {value}, expected at most {most}: larger ones do without, tables=False")
    if tables and (states := _states(room.size, room.teammates, room.after_capture)) > MOST_STATES:
        raise InputError(
            f"{room.teammates} teammates in a room of {room.size} x {room.size} make {states:,} states, "
            f"more than {MOST_STATES:,}: take fewer teammates or a smaller room, or do without tables, tables=False"
        )
    drawn = pool(room.size, room.teammates + 1, count=number)
    if isinstance(tasks, int) and seed is None:
        return list(drawn[:tasks])
    if isinstance(tasks, int):
        chance = np.random.default_rng(whole("seed", seed, 0, 2**63 - 1))
        return [drawn[i] for i in chance.choice(max(POOL, number), size=tasks, replace=False)]
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
