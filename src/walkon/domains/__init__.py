"""The worlds: what there is to play."""

from walkon.domains.registry import DOMAINS, make

__all__ = ["DOMAINS", "make"]
