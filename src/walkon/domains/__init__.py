"""The worlds that can be played."""

from walkon.domains.registry import make as make
