"""Ties: the actions that are as good as the best, and the uniform choice among them."""

import numpy as np

from walkon.models.distributions import Floats

TOLERANCE = 1e-9  # relative to the largest number compared


def best(values: Floats) -> np.typing.NDArray[np.bool_]:
    """Which entries of the last axis attain its maximum.

    >>> best(np.array([1.0, 3.0, 3.0 - 1e-12]))
    array([False,  True,  True])
    """
    slack = TOLERANCE * np.abs(values).max(axis=-1, keepdims=True)
    chosen: np.typing.NDArray[np.bool_] = values >= values.max(axis=-1, keepdims=True) - slack
    return chosen


def uniform(chosen: np.typing.NDArray[np.bool_]) -> Floats:
    """The uniform distribution over the chosen entries of the last axis."""
    shares: Floats = chosen / chosen.sum(axis=-1, keepdims=True)
    return shares
