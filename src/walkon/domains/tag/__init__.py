"""Tag: catch an opponent who runs away, and who is seen only where we stand on it.

As a Gymnasium environment, `walkon/Tag-v0`:

    Observation  two numbers: whether there was an observation, 0 or 1; then our cell, 0 to 28, or 29 on the opponent's.
    Action       0 north, 1 south, 2 east, 3 west, 4 catch.
    Reward       -1 for a move, 10 for a catch, -10 for one that misses.
"""

from functools import partial
from typing import Any

from walkon.checks import whole
from walkon.domains.tag.world import OPPONENTS, Tag
from walkon.domains.world import Option, World
from walkon.tasks import TaskLibrary
from walkon.tasks.define import define


def library(*, tasks: int, tables: bool) -> TaskLibrary:
    """Make a library of Tag: a task for each kind of opponent."""
    return define([Tag(name) for name in names(tasks)], tables=tables)


def names(tasks: int, **_: Any) -> list[str]:
    """The names of its tasks."""
    return list(OPPONENTS)[:tasks]


def scale(tasks: int, **_: Any) -> tuple[int, int]:
    """The number of states, and of observations."""
    return 870 * tasks, 30


WORLD = World(
    name="tag",
    title="Tag",
    goal="Catch the opponent, which is seen only from its own cell.",
    options=(
        Option(
            "tasks",
            1,
            partial(whole, lowest=1, highest=len(OPPONENTS)),
            "How many kinds of opponents are possible: one that runs away, one that wanders, one that comes nearer.",
            page=(1, 2, 3),
        ),
        Option("tables", True, help="Whether the rules are made into matrices."),
    ),
    library=library,
    names=names,
    scale=scale,
    observed=False,
)
