"""A library of one's own, from the files that were named on the command line; and an agent, if a bundle holds one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from walkon.agents.agent import Agent
from walkon.formats.bundle import load
from walkon.formats.library_file import CODE, POMDPS, read_library
from walkon.tasks import TaskLibrary


@dataclass(frozen=True, eq=False)
class Brought:
    """What somebody brought.

    Attributes:
        name: What it is called: the name of its first file.
        library: The tasks.
        agent: The agent that came with them, ready to play; None if there was none.
    """

    name: str
    library: TaskLibrary
    agent: Agent[Any] | None = None


def read_brought(paths: Sequence[Path]) -> Brought:
    """The library in some files, and the agent if a bundle has one."""
    first = paths[0]
    if len(paths) == 1 and first.is_file() and first.suffix.lower() not in (CODE, POMDPS):
        thing: Any = load(first)
        if hasattr(thing, "library") and hasattr(thing, "act"):
            return Brought(first.stem, thing.library, thing)
    return Brought(first.stem, read_library(*paths))
