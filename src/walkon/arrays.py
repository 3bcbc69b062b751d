"""The kinds of arrays and names that all models are made of."""

from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Names: TypeAlias = tuple[str, ...]
Bools: TypeAlias = npt.NDArray[np.bool_]

Array = TypeVar("Array", bound=npt.NDArray[Any])


def fixed(array: Array) -> Array:
    """Make an array read-only, and return it."""
    array.setflags(write=False)
    return array
