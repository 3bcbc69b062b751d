"""Matrices under one another, as plain arrays: the form in which kernels take a model.

A model keeps one CSR matrix per action. Numba wants arrays, so the matrices are stacked: row a * X + x of the
stack is row x of matrix a.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack


class Stacked(NamedTuple):
    """A CSR matrix as its three arrays."""

    indptr: npt.NDArray[np.int64]  # [rows + 1]
    indices: npt.NDArray[np.int32]  # [non-zeros]
    data: npt.NDArray[np.float64]  # [non-zeros]


def stack(matrices: Sequence[csr_array]) -> Stacked:
    """Put matrices of equal width under one another."""
    tall = vstack(matrices, format="csr", dtype=np.float64)
    return Stacked(tall.indptr.astype(np.int64), tall.indices.astype(np.int32), tall.data)
