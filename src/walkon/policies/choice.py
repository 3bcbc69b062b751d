"""What a policy says, made a distribution: an action by its number or its name, or a probability for each."""

from typing import Any

import numpy as np

from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.models.distributions import ROW_SUM_TOLERANCE


def chosen(said: Any, count: int, names: Names | None = None, who: str = "the policy") -> Floats:
    """A distribution over so many actions.

    >>> chosen(1, 3), chosen("stay", 2, ("go", "stay"))
    (array([0., 1., 0.]), array([0., 1.]))
    """
    if isinstance(said, str):
        if names is None or said not in names:
            raise InputError(f"{who} says {said!r}, expected one of {', '.join(names or map(str, range(count)))}")
        said = names.index(said)
    try:
        array = np.asarray(said, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{who} says {said!r:.80}, expected an action or a distribution over {count}") from None
    if array.ndim == 0:
        if not (array == np.floor(array) and 0 <= array < count):
            raise InputError(f"{who} says {said!r}, expected an action from 0 to {count - 1}")
        return np.eye(1, count, int(array)).ravel()
    if array.shape != (count,):
        raise InputError(f"{who} gives {array.shape} probabilities, expected one for each of the {count} actions")
    total = array.sum()
    if not (array >= 0).all() or not abs(total - 1) <= ROW_SUM_TOLERANCE:
        raise InputError(f"{who} gives probabilities that sum to {total:.9g}, the least {array.min():.3g}: expected 1")
    shares: Floats = array / total
    return shares
