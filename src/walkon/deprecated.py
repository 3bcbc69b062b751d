"""Deprecated names: they work for one more minor version, with a warning that names the successor."""

import warnings
from typing import Any


def deprecated(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn that an old name or value goes with the next minor version."""
    text = f"{old} is deprecated and goes with the next minor version: use {new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel)


def renamed(old: str, new: str) -> Any:
    """Make a property that gives an attribute or method by its old name, with a warning."""

    def get(self: Any) -> Any:
        deprecated(old, new)
        return getattr(self, new)

    return property(get, doc=f"Deprecated: use `{new}`.")
