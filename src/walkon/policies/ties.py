"""Ties: the actions that are as good as the best, and the uniform choice among them."""

import numpy as np

from walkon.arrays import Bools, Floats

TOLERANCE = 1e-9  # relative to the best


def best(values: Floats) -> Bools:
    """Mark the entries of the last axis that attain its maximum.

    >>> best(np.array([1.0, 3.0, 3.0 - 1e-12]))
    array([False,  True,  True])
    """
    highest = values.max(axis=-1, keepdims=True)
    chosen: Bools = values >= highest - TOLERANCE * np.abs(highest)
    return chosen


def uniform(chosen: Bools) -> Floats:
    """Return the uniform distribution over the chosen entries of the last axis."""
    shares: Floats = chosen / chosen.sum(axis=-1, keepdims=True)
    return shares
