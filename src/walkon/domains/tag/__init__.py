"""Tag: catch an opponent who runs away, and who is seen only where we stand on it.

Its numbers:

    Observation  our cell, 0 to 28, or 29 on the opponent's.
    Action       0 north, 1 south, 2 east, 3 west, 4 catch.
    Reward       -1 for a move, 10 for a catch, -10 for one that misses.
"""

from typing import Any

from walkon.domains.tag.world import Tag
from walkon.domains.world import Option, World
from walkon.tasks import TaskLibrary
from walkon.tasks.define import define


def library(*, tables: bool) -> TaskLibrary:
    """Make a library of one task."""
    return define([Tag()], tables=tables)


def scale(**_: Any) -> tuple[int, int]:
    """The number of states, and of observations."""
    return 870, 30


WORLD = World(
    name="tag",
    title="Tag",
    goal="Catch the opponent, which runs away and is seen only from its own cell.",
    options=(Option("tables", True, help="Whether the rules are made into matrices."),),
    library=library,
    scale=scale,
    observed=False,
)
