"""Deprecated names: they work for one more minor version, with a warning that names the successor."""

import warnings


def deprecated(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn that an old name or value goes with the next minor version."""
    text = f"{old} is deprecated and goes with the next minor version: use {new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel)
