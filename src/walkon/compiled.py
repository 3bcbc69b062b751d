"""How hot loops become machine code: one decorator, so that all kernels are compiled alike.

A kernel knows only arrays. It is compiled at its first call and cached on disk, so each machine compiles it
once. There is no `fastmath`: sums keep their order, and the same inputs give the same bits.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of plain arrays at its first call; the result is cached on disk."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
