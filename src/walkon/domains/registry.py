"""The worlds by name: walkon's own, and those of other packages, found by the entry points `walkon.worlds`."""

from dataclasses import replace
from typing import Any

from walkon.domains import (
    buildings,
    hotspot,
    night_pursuit,
    one_soup,
    overcooked,
    power_plant,
    pursuit,
    pursuit_pairs,
    rock_sample,
    tag,
)
from walkon.domains.world import World
from walkon.plugins import Registry
from walkon.tasks import TaskLibrary

OURS = (
    night_pursuit.WORLD,
    pursuit.WORLD,
    overcooked.WORLD,
    buildings.WORLD,
    buildings.GRIDWORLD_WORLD,
    *pursuit_pairs.WORLDS,
    power_plant.WORLD,
    one_soup.WORLD,
    hotspot.WORLD,
    rock_sample.WORLD,
    tag.WORLD,
)


def _accept(name: str, found: Any) -> World:
    """Take a `World` of another package, or make one from its function."""
    return replace(found, name=name) if isinstance(found, World) else World.of(name, found)


WORLDS = Registry("world", {world.name: world for world in OURS}, _accept)
SMALLEST: tuple[str, dict[str, Any]] = (night_pursuit.WORLD.name, {"size": 3, "tasks": 1})  # to compile kernels with


def make(name: str, **options: Any) -> TaskLibrary:
    """Make a library of tasks, by the name of its world and its options. Every world has the option `tremble`.

    >>> library = make("night-pursuit", size=3, tasks=2)
    >>> len(library), library[0].pomdp
    (2, POMDP(81 states, 5 actions, 81 observations, discount 0.95))
    """
    return WORLDS[name].make(options)
