"""Where things are kept between runs: in the user's cache folder."""

import os
import tempfile
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder(*parts: str, within: str | None = None) -> Path:
    """A folder in the user's cache, or a new private one where that cannot be written.

    Nothing else will do: whoever could put files there could make us run them.

    Args:
        *parts: Its path below walkon's own folder.
        within: Where walkon's folder is, if not where the system keeps caches.
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
