"""Overcooked: a helper and a cook, two counters between them, and as many soups as the time allows."""

from walkon.domains.overcooked.tasks import library

__all__ = ["library"]
