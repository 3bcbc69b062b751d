"""How hot loops become machine code: one decorator, so that all kernels are compiled alike.

A kernel knows only arrays. It is compiled at its first call and cached on disk, so each machine compiles it once. There
is no `fastmath`: sums keep their order, and the same inputs give the same bits.

Numba's cache looks only at the file that a kernel stands in, and not at the kernels of other files that are compiled
into it. So the cache lies in a folder that is named by the content of all kernels: any change begins a new one.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import numba
from numba.core import config

from walkon.caches import cache_folder

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of plain arrays at its first call; the result is cached on disk."""
    settings = vars(config)
    before = settings["CACHE_DIR"]
    settings["CACHE_DIR"] = kernel_folder()
    try:
        return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        settings["CACHE_DIR"] = before


@cache
def kernel_folder() -> str:
    """Where compiled kernels are kept."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*kernels.py")):
        digest.update(path.read_bytes())
    return str(cache_folder("kernels", digest.hexdigest()[:16], within=os.environ.get("NUMBA_CACHE_DIR")))
