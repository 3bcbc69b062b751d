"""The folder for files that are kept between runs: the user's cache. No cache is no reason to stop."""

import atexit
import multiprocessing
import os
import shutil
import tempfile
import warnings
from pathlib import Path

from platformdirs import user_cache_path

PRIVATE = "WALKON_PRIVATE_CACHE"  # in the environment: the folder that worker processes share where there is no cache
ROOM = 2**24  # bytes that must be free: all kernels together take about as much


class CacheWarning(UserWarning):
    """Something cannot be kept for the next run: a folder is full or cannot be written."""


def cache_folder(*parts: str, within: str | None = None) -> Path:
    """Return a folder in the user's cache (or `within` another), or a private one where that is full or read-only.

    A shared folder would not be safe: other users could put code there that walkon runs.
    """
    home: Path | str = within or "the cache folder"
    try:
        home = Path(within, "walkon") if within else user_cache_path("walkon", appauthor=False)
        folder = home.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as trial:
            trial.write(bytes(4096))  # a quota may be used up where the disk is not
        if (free := shutil.disk_usage(folder).free) < ROOM:
            raise OSError(f"only {free:,} bytes are free")
    except (OSError, RuntimeError) as cause:  # a home that cannot be written, or none at all
        warn_of_cache(home, cause)
        folder = _private_folder().joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def warn_of_cache(folder: Path | str, cause: Exception) -> None:
    """Say once, and in the main process alone, that a folder cannot be used."""
    if multiprocessing.parent_process() is None and not _told:
        _told.append(folder)
        why = getattr(cause, "strerror", None) or cause
        text = f"{folder} cannot be used ({why}): walkon goes on, but compiles and solves again in the next run"
        warnings.warn(text, CacheWarning, stacklevel=3)


_told: list[Path | str] = []


def _private_folder() -> Path:
    """Return a folder of this process and of those that it starts, which is deleted when it ends."""
    if PRIVATE not in os.environ:
        os.environ[PRIVATE] = tempfile.mkdtemp(prefix="walkon-cache-")
        atexit.register(shutil.rmtree, os.environ[PRIVATE], ignore_errors=True)
    return Path(os.environ[PRIVATE])
