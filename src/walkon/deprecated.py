"""How an old name is given up: it works for one more minor version, with a warning that names its successor."""

import warnings


def deprecated(old: str, new: str, stacklevel: int = 3) -> None:
    """Warn whoever still uses an old name or value. It goes with the next minor version."""
    text = f"{old} is deprecated and goes with the next minor version: use {new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel)
