"""The kinds of arrays and names that all models are made of."""

from collections.abc import Iterable
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Names: TypeAlias = tuple[str, ...]
Bools: TypeAlias = npt.NDArray[np.bool_]

Array = TypeVar("Array", bound=npt.NDArray[Any])


def things(values: Iterable[Any]) -> npt.NDArray[np.object_]:
    """Make an array of any values, which stay as they are, tuples too."""
    each = list(values)
    array = np.empty(len(each), dtype=object)
    for i, value in enumerate(each):
        array[i] = value
    return array


def fixed(array: Array) -> Array:
    """Make an array read-only, and return it."""
    array.setflags(write=False)
    return array
