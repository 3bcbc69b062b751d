"""The tasks of the buildings and of the gridworld: two goals, on which the team must stand at the same time.

In a building the tasks are all pairs of the map's goals. As run, another goal of the map that shares a column or a row
with one of the two counts too, so that some tasks become the same. The gridworld, 5 x 5 cells without walls inside, has
a pool of 32 ordered pairs of cells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import index
from typing import Any, TypeAlias

from walkon.domains.buildings.maps import MAPS, Plan, open_floor, pairs, plan_of
from walkon.domains.buildings.sensor import OBSERVATIONS, describe, observation_probabilities
from walkon.domains.buildings.teammates import CLOSEST, OPTIMAL, SIDEWAYS_FIRST, UPRIGHT_FIRST, policy
from walkon.domains.buildings.view import FloorView
from walkon.domains.buildings.world import Floor
from walkon.domains.ending import (
    NOTHING,
    WRONG,
    Difference,
    one_sensor,
    pick,
    settle,
    start_among,
    with_end,
    with_other_noise,
)
from walkon.domains.hunting import MOVES_AND_STAY, Cell, Move
from walkon.errors import InputError
from walkon.tasks import Task, TaskLibrary

Goals: TypeAlias = tuple[Cell, Cell]

SIDE, GRID_HORIZON, HORIZON = 5, 50, 75
HORIZONS = {"cit": 85}
NOISE = 0.2
NOISES = {"cit": 0.1}
PLAYED = {"ntu": 4}  # tasks of the paper's table; of the other maps, all
OWN, IN_LINE = "own", "in-line"
ANYWHERE, MARKED = "anywhere", "marked"
_POOL = (
    "0403 3211 4244 4411 1244 3400 0040 4143 4442 3011 3312 1322 1134 4223 3314 0124 "
    "4341 3313 2233 1334 1224 4212 3001 4310 2414 4120 2034 4424 4032 1203 1321 2132"
)
POOL: tuple[Goals, ...] = tuple(((a, b), (c, d)) for a, b, c, d in (map(int, each) for each in _POOL.split()))

MISREAD = Difference.of(
    "misread",
    NOTHING,
    WRONG,
    "What a wall or the teammate is read as when it is misread: nothing, or wrong (either of the two others).",
    choices=(NOTHING, WRONG),
)
AGENT_FAILS = Difference.of("agent_fails", True, False, "Whether the agent's moves fail with probability noise.")
TEAMMATE = Difference.of(
    "teammate",
    CLOSEST,
    OPTIMAL,
    "How the teammate walks: to its closest goal, or optimal (its part of the best joint plan).",
    choices=(CLOSEST, OPTIMAL),
)
START = Difference.of(
    "start",
    ANYWHERE,
    MARKED,
    "Where the team starts: anywhere, or on two marked cells, S on the map.",
    choices=(ANYWHERE, MARKED),
)
GOALS = Difference.of(
    "goals",
    OWN,
    IN_LINE,
    "The goals of a task: its own two, or in-line (also those that share a column or row with one of them).",
    choices=(OWN, IN_LINE),
)
TEAMMATE_FAILS = Difference.of(
    "teammate_fails", False, True, "Whether the teammate's moves fail as often as the agent's."
)
BUILDINGS = (AGENT_FAILS, MISREAD, TEAMMATE, START, GOALS)
GRIDWORLD = (TEAMMATE_FAILS, MISREAD)


@dataclass(frozen=True)
class Settings:
    """All that the tasks of a library share."""

    title: str
    plan: Plan
    noise: float
    horizon: int
    sharing: bool  # whether the two may share a cell
    order: Sequence[Move]  # in which the teammate looks for its way
    misread: str
    agent_fails: bool = True
    teammate_fails: bool = False
    teammate: str = CLOSEST
    start: str = ANYWHERE
    goals: str = OWN

    @property
    def floor(self) -> Floor:
        """The floor, and how often moves fail on it."""
        fails = (self.noise * which for which in (self.agent_fails, self.teammate_fails))
        return Floor(self.plan, self.sharing, *fails)


def buildings(*, map: str, variant: str, noise: float | None, tasks: Any, **given: Any) -> TaskLibrary:
    """Make the library of a building."""
    plan, chosen = plan_of(map), settle(variant, BUILDINGS, given)
    if chosen["start"] == MARKED and len(plan.starts) < 2:
        raise InputError(
            f"the map has {len(plan.starts)} cells to start on, expected at least two: "
            'mark them with S, or take start="anywhere"'
        )
    noise = NOISES.get(map, NOISE) if noise is None else noise
    title = f"Building {map}" if map in MAPS else "Building"
    settings = Settings(title, plan, noise, HORIZONS.get(map, HORIZON), False, UPRIGHT_FIRST, **chosen)
    return _library(settings, building_tasks(map, tasks))


def building_tasks(map: str, tasks: Any) -> list[Goals]:
    """The tasks of a building that an option asks for."""
    plan = plan_of(map)
    pool = pairs(plan)
    return pick(PLAYED.get(map, len(pool)) if tasks is None else tasks, pool, partial(_two_cells, plan))


def gridworld(*, variant: str, noise: float, tasks: Any, **given: Any) -> TaskLibrary:
    """Make a library of the gridworld."""
    chosen = settle(variant, GRIDWORLD, given)
    settings = Settings("Gridworld", open_floor(SIDE, SIDE), noise, GRID_HORIZON, True, SIDEWAYS_FIRST, **chosen)
    return _library(settings, grid_tasks(tasks))


def grid_tasks(tasks: Any) -> list[Goals]:
    """The tasks of the gridworld that an option asks for."""
    return pick(tasks, POOL, partial(_two_cells, open_floor(SIDE, SIDE)))


def names(tasks: Iterable[Goals]) -> list[str]:
    """The names of tasks."""
    return ["goals " + " and ".join(f"({c},{r})" for c, r in goals) for goals in tasks]


def _two_cells(plan: Plan, k: int, given: Any) -> Goals:
    """Two goals that were given as cells."""
    try:
        first, second = ((index(column), index(row)) for column, row in given)
    except (TypeError, ValueError):
        raise InputError(f"tasks[{k}] is {given!r:.60}, expected a number, or a (column, row) for each goal") from None
    for cell in (first, second):
        if cell not in plan.cells:
            raise InputError(
                f"tasks[{k}] has a goal at {cell}, which is wall or outside: columns and rows count from 0"
            )
    if first == second:
        raise InputError(f"tasks[{k}] is {given!r:.60}, expected two different goals")
    return first, second


def _library(settings: Settings, tasks: Sequence[Goals]) -> TaskLibrary:
    floor = settings.floor
    seen = one_sensor(observation_probabilities(floor, settings.noise, settings.misread), len(MOVES_AND_STAY))
    made = [_task(settings, floor, seen, goals, name) for goals, name in zip(tasks, names(tasks), strict=True)]
    return TaskLibrary(made, variants=partial(with_other_noise, _library, settings, tuple(tasks)))


def _task(settings: Settings, floor: Floor, seen: Any, pair: Goals, name: str) -> Task:
    plan, goals = settings.plan, tuple[Cell, ...](pair)
    if settings.goals == IN_LINE:
        others = [g for g in plan.goals if g not in pair and any(g[0] == c or g[1] == r for c, r in pair)]
        goals = (*pair, *others)
    solved = floor.solved(goals)
    team = with_end(floor.moves, solved, states=floor.names, actions=MOVES_AND_STAY, teammate_actions=MOVES_AND_STAY)
    marked = [plan.cells[i] in plan.starts and plan.cells[j] in plan.starts for i, j in floor.pairs.tolist()]
    return Task(
        team,
        policy(floor, goals, settings.teammate, settings.order),
        seen,
        start_among(marked if settings.start == MARKED else True, solved),
        [*solved, True],
        name,
        observations=[describe(z) for z in OBSERVATIONS],
        horizon=settings.horizon,
        state_numbers=floor.numbers(),
        observation_numbers=OBSERVATIONS,
        view=FloorView(settings.title, floor, goals),
    )
