"""Pursuit under partial observability: two predators surround a moving prey, and one of them sees worse the further."""

from walkon.domains.pursuit.tasks import library

__all__ = ["library"]
