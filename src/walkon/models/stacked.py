"""Stacked matrices as plain arrays, for kernels.

A model has one CSR matrix per action. Numba needs arrays, so the matrices are stacked: row a * X + x of the stack is
row x of matrix a. The indices are unsigned, so that compiled code need not check for negative ones: sums over rows are
twice as fast.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack

Places: TypeAlias = npt.NDArray[np.uint32]


class Stacked(NamedTuple):
    """A CSR matrix as its three arrays."""

    indptr: Places  # [rows + 1]
    indices: Places  # [non-zeros]
    data: npt.NDArray[np.float64]  # [non-zeros]


def stack(matrices: Sequence[csr_array]) -> Stacked:
    """Stack matrices of equal width vertically."""
    return plain(vstack(matrices, format="csr", dtype=np.float64))


def plain(matrix: csr_array) -> Stacked:
    """Return the arrays of one matrix."""
    return Stacked(matrix.indptr.astype(np.uint32), matrix.indices.astype(np.uint32), matrix.data)
