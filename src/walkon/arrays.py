"""The kinds of arrays and names that all models are made of."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Names: TypeAlias = tuple[str, ...]
Bools: TypeAlias = npt.NDArray[np.bool_]
