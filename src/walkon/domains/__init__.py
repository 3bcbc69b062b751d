"""The worlds that can be played."""

from walkon.domains.registry import WORLDS, make

__all__ = ["WORLDS", "make"]
