"""Compiles hot loops to machine code, all by one decorator.

A kernel knows only arrays. It is compiled at its first call and cached on disk, so each machine compiles it once. There
is no `fastmath`: sums keep their order, and the same inputs give the same bits.

Numba's cache checks only the file of a kernel, and not the kernels of other files that are compiled into it. So the
cache is in a folder that is named by the content of all kernels: any change starts a new one. Where a kernel cannot be
stored or loaded, it is compiled for this process alone.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config
from numba.core.registry import cpu_target

from walkon.caches import cache_folder, warn_of_cache

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of plain arrays at its first call; the result is cached on disk."""
    settings = vars(config)
    before = settings["CACHE_DIR"]
    settings["CACHE_DIR"] = kernel_folder()
    try:
        made = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        stored = vars(made)["_cache"]
        stored.load_overload = _tolerant(stored.load_overload, stored.cache_path)
        stored.save_overload = _tolerant(stored.save_overload, stored.cache_path)
        return cast(F, made)
    finally:
        settings["CACHE_DIR"] = before


def prepare_to_fork() -> None:
    """Load what Numba needs for any kernel, which takes a third of a second, once for all forked processes."""
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def _tolerant(use: Callable[..., Any], folder: str) -> Callable[..., Any]:
    """Make loading or storing a kernel do nothing where the folder is full or cannot be read or written."""

    def tolerant(*arguments: Any) -> Any:
        try:
            return use(*arguments)
        except OSError as cause:
            return warn_of_cache(folder, cause)

    return tolerant


@cache
def kernel_folder() -> str:
    """Return the folder of the compiled kernels."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*kernels.py")):
        digest.update(path.read_bytes())
    return str(cache_folder("kernels", digest.hexdigest()[:16], within=os.environ.get("NUMBA_CACHE_DIR")))
