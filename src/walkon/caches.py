"""The folder for files that are kept between runs: the user's cache."""

import os
import tempfile
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder(*parts: str, within: str | None = None) -> Path:
    """Return a folder in the user's cache (or `within` another), or a new private one where that cannot be written.

    A shared folder would not be safe: other users could put code there that walkon runs.
    """
    try:
        home = Path(within, "walkon") if within else user_cache_path("walkon", appauthor=False)
        folder = home.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):  # a home that cannot be written, or none at all
        pass
    return Path(tempfile.mkdtemp(prefix=f"walkon-{parts[0]}-"))
