"""RockSample: a rover takes the good rocks and leaves; it has to find out which are good.

Its numbers:

    Observation  what a check showed: 0 bad, 1 good, 2 none.
    Action       0 north, 1 east, 2 south, 3 west, then a check of each rock, and last to sample.
    Reward       10 for a good rock, -10 for a bad one, 10 for leaving to the east, -100 for anything impossible.
"""

from functools import partial
from typing import Any

from walkon.checks import whole
from walkon.domains.rock_sample.world import RockSample, map_of
from walkon.domains.world import Option, World
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.tasks.define import define

MOST_ROCKS = 8  # with tables


def library(*, size: int, rocks: int, map_seed: int | None, tables: bool) -> TaskLibrary:
    """Make a library of one task: one map."""
    if rocks > size * size:
        raise InputError(f"rocks is {rocks}, more than the {size * size} cells of the map")
    if tables and rocks > MOST_ROCKS:
        raise InputError(f"rocks is {rocks}, expected at most {MOST_ROCKS}: more do without tables, tables=False")
    first, lie = map_of(size, rocks, map_seed)
    return define([RockSample(size, lie, first)], tables=tables)


def scale(size: int, rocks: int, **_: Any) -> tuple[int, int]:
    """The number of states, and of observations."""
    return size * size * 2**rocks + 1, 3


WORLD = World(
    name="rock-sample",
    title="RockSample",
    goal="Take the good rocks, not the bad ones, and leave to the east.",
    options=(
        Option("size", 4, partial(whole, lowest=2, highest=100), "Cells along each side."),
        Option("rocks", 4, partial(whole, lowest=1, highest=60), "How many rocks there are."),
        Option("map_seed", None, help="Draws the map; where it is not given, the published one of this size."),
        Option("tables", True, help="Whether the rules are made into matrices; without, there may be many rocks."),
    ),
    library=library,
    scale=scale,
    observed=False,
)
