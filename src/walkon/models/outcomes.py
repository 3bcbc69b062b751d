"""Sparse distributions: one row of a stochastic matrix without its zeros."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints


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
