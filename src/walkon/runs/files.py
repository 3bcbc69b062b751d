"""A user's file as the world of a run: its library, with options if it is a function, and its agents.

A Python file may define `library` as a function, `def library(size=5, noise=0.1)`, whose parameters are options, and
`agents`, a dict of agents by name (`walkon.measuring.contenders` says what an agent may be). Workers read the file
again, so it has to be at the same place for them.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from walkon.domains.world import World
from walkon.errors import InputError
from walkon.formats.library_file import CODE, read_file, read_library
from walkon.trials.trial import WorldSpec


@dataclass(frozen=True)
class FileSpec(WorldSpec):
    """A library in a file. Its domain is the file's name and a hash of the library, so that another is another."""

    path: str = ""

    @classmethod
    def read(cls, path: str, options: Mapping[str, Any]) -> "FileSpec":
        """Read a file, with these options of its library."""
        place = Path(path)
        found = cls(place.name, WorldSpec.of(place.name, **options).options, str(place.resolve()))
        return replace(found, domain=f"{place.name} {found.make_unshared().hash[:12]}")

    @property
    def source(self) -> World:
        """The world that makes it."""
        return _read(self.path)[0]

    @property
    def agents(self) -> dict[str, Any]:
        """The agents that the file defines."""
        return _read(self.path)[1]

    @property
    def code(self) -> str:
        """A hash of the file, as it was read."""
        return _read(self.path)[2]


@lru_cache(maxsize=8)
def _read(path: str) -> tuple[World, dict[str, Any], str]:
    place = Path(path)
    code = hashlib.sha256(place.read_bytes()).hexdigest()[:12]
    if place.suffix.lower() != CODE:
        library = read_library(place)
        return World(place.name, place.name, "", (), lambda: library), {}, code
    made, agents = read_file(place, "library", "agents")
    if not isinstance(agents, dict | None) or not all(isinstance(name, str) for name in agents or ()):
        raise InputError(f"{path} defines {agents!r:.60} as `agents`: expected agents by name, as in {{'mine': ...}}")
    if callable(made):
        return World.of(place.name, made), agents or {}, code
    if made is None:
        raise InputError(f"{path} defines nothing as `library`: expected `library = walkon.define([...])`")
    return World(place.name, place.name, "", (), lambda: made), agents or {}, code
