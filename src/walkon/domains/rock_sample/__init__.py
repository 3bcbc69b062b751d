"""RockSample: a rover takes the good rocks and leaves; it has to find out which are good.

As a Gymnasium environment, `walkon/RockSample-v0`:

    Observation  two numbers: whether there was an observation, 0 or 1; then what a check showed: 0 bad, 1 good, 2 none.
    Action       0 north, 1 east, 2 south, 3 west, then a check of each rock, and last to sample.
    Reward       10 for a good rock, -10 for a bad one, 10 for leaving to the east, -100 for anything impossible.
"""

from functools import partial
from math import comb
from typing import Any

from walkon.checks import whole
from walkon.domains.rock_sample.world import RockSample, maps_of
from walkon.domains.world import Option, World
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.tasks.define import define

MOST_ROCKS = 8  # with tables


def library(*, tables: bool, **options: Any) -> TaskLibrary:
    """Make a library of RockSample: a task for each map."""
    return define(_tasks(tables=tables, **options), tables=tables)


def names(**options: Any) -> list[str]:
    """The names of its tasks."""
    return [task.name for task in _tasks(**options)]


def _tasks(size: int, rocks: int, tasks: int, map_seed: int | None, tables: bool) -> list[RockSample]:
    if rocks > size * size:
        raise InputError(f"rocks is {rocks}, more than the {size * size} cells of the map")
    if tasks > comb(size * size, rocks):
        raise InputError(f"tasks is {tasks}, and {rocks} rocks lie in {comb(size * size, rocks)} ways: take fewer")
    if tables and rocks > MOST_ROCKS:
        raise InputError(f"rocks is {rocks}, expected at most {MOST_ROCKS}: more do without tables, tables=False")
    return [RockSample(size, lie, first) for first, lie in maps_of(size, rocks, map_seed, tasks)]


def scale(size: int, rocks: int, tasks: int, **_: Any) -> tuple[int, int]:
    """The number of states, and of observations."""
    return tasks * (size * size * 2**rocks + 1), 3


def seed_or_none(name: str, value: Any) -> int | None:
    """Check the seed of a map."""
    return None if value is None else whole(name, value, 0, 2**63 - 1)


WORLD = World(
    name="rock-sample",
    title="RockSample",
    goal="Take the good rocks, not the bad ones, and leave to the east.",
    options=(
        Option("size", 4, partial(whole, lowest=2, highest=100), "Cells along each side.", page=(3, 4, 5)),
        Option("rocks", 4, partial(whole, lowest=1, highest=60), "How many rocks there are.", page=(2, 3, 4, 5)),
        Option("tasks", 1, partial(whole, lowest=1, highest=1000), "How many maps may be the true one.", (1, 2, 3)),
        Option(
            "map_seed",
            None,
            seed_or_none,
            "Draws the first map; where it is not given, that is the published one of this size.",
            kind=int,
        ),
        Option("tables", True, help="Whether the rules are made into matrices; without, there may be many rocks."),
    ),
    library=library,
    names=names,
    scale=scale,
    observed=False,
)
