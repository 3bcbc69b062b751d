"""The worlds: what there is to play."""

from walkon.domains.registry import WORLDS, make

__all__ = ["WORLDS", "make"]
