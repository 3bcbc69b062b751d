"""Sparse matrices: stacked as plain arrays, for kernels, and single rows without their zeros.

A model has one CSR matrix per action. Numba needs arrays, so the matrices are stacked: row a * X + x of the stack is
row x of matrix a. The indices are unsigned, so that compiled code need not check for negative ones: sums over rows are
twice as fast.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack

from walkon.arrays import Floats, Ints

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


class Outcomes(NamedTuple):
    """A distribution over the indices with positive probability, in ascending order."""

    indices: Ints  # [N]
    probabilities: Floats  # [N]


def row(matrix: csr_array, i: int) -> Outcomes:
    """Return one row of a matrix.

    >>> row(csr_array([[0.0, 0.3, 0.7]]), 0).indices
    array([1, 2])
    """
    at = slice(matrix.indptr[i], matrix.indptr[i + 1])
    return Outcomes(matrix.indices[at].astype(np.int64), matrix.data[at])


def gather(pairs: Iterable[tuple[int, float]]) -> Outcomes:
    """Sort indices with their probabilities, and add up those that appear more than once.

    >>> gather([(2, 0.5), (1, 0.25), (2, 0.25)])
    Outcomes(indices=array([1, 2]), probabilities=array([0.25, 0.75]))
    """
    total: dict[int, float] = {}
    for index, probability in pairs:
        if probability > 0:
            total[index] = total.get(index, 0.0) + probability
    indices = sorted(total)
    return Outcomes(np.array(indices, dtype=np.int64), np.array([total[i] for i in indices]))
