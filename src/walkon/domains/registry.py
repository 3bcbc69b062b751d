"""The worlds by name: walkon's own, and those of other packages, found by the entry points `walkon.worlds`."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from walkon.domains import night_pursuit, overcooked, pursuit
from walkon.domains.world import World, meant
from walkon.errors import InputError
from walkon.tasks import TaskLibrary

GROUP = "walkon.worlds"


class Worlds(Mapping[str, World]):
    """All worlds. A package is imported only when its world is asked for, so a broken one does no harm before."""

    def __init__(self, *own: World) -> None:
        self._loaded: dict[str, World | str] = {world.name: world for world in own}

    @cached_property
    def _offered(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=GROUP) if point.name not in self._loaded}

    def _find(self, name: str) -> World | str:
        """The world of that name, or why it cannot be loaded."""
        if name not in self._loaded:
            self._loaded[name] = _load(self._offered[name])
        return self._loaded[name]

    def __getitem__(self, name: str) -> World:
        """The world of that name."""
        if name not in self:
            raise InputError(f"there is no world called {name!r:.40}{meant(name, self)}: expected {', '.join(self)}")
        found = self._find(name)
        if isinstance(found, str):
            raise InputError(found)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in self._offered

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._loaded, *self._offered]))

    def __len__(self) -> int:
        return len(self._loaded.keys() | self._offered.keys())

    def sound(self) -> dict[str, World]:
        """All worlds but those that cannot be loaded."""
        return {name: found for name in self if isinstance(found := self._find(name), World)}

    def broken(self) -> dict[str, str]:
        """Why some worlds cannot be loaded."""
        return {name: found for name in self if isinstance(found := self._find(name), str)}


def _load(point: EntryPoint) -> World | str:
    try:
        found = point.load()
        return replace(found, name=point.name) if isinstance(found, World) else World.of(point.name, found)
    except Exception as problem:  # whatever somebody else's package does wrong
        return (
            f"the world {point.name} cannot be loaded from {point.value} ({type(problem).__name__}: {problem}): "
            "repair or remove its package"
        )


WORLDS = Worlds(night_pursuit.WORLD, pursuit.WORLD, overcooked.WORLD)
SMALLEST: tuple[str, dict[str, Any]] = (night_pursuit.WORLD.name, {"size": 3, "tasks": 1})  # to compile kernels with


def make(name: str, **options: Any) -> TaskLibrary:
    """A library of tasks, by the name of its world. The options are those of the world; `tremble` every world has.

    >>> library = make("night-pursuit", size=3, tasks=2)
    >>> len(library), library[0].pomdp
    (2, POMDP(81 states, 5 actions, 81 observations, discount 0.95))
    """
    return WORLDS[name].make(options)
