"""Converts the answer of a policy to a distribution: an action by its number or name, or a probability for each."""

from typing import Any

import numpy as np

from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.models.distributions import ROW_SUM_TOLERANCE


def as_distribution(answer: Any, count: int, names: Names | None = None, who: str = "the policy") -> Floats:
    """Return a distribution over `count` actions.

    >>> as_distribution(1, 3), as_distribution("stay", 2, ("go", "stay"))
    (array([0., 1., 0.]), array([0., 1.]))
    """
    if isinstance(answer, str):
        if names is None or answer not in names:
            raise InputError(f"{who} chose {answer!r}, expected one of {', '.join(names or map(str, range(count)))}")
        answer = names.index(answer)
    try:
        array = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{who} chose {answer!r:.80}, expected an action or a distribution over {count}") from None
    if array.ndim == 0:
        if not (array == np.floor(array) and 0 <= array < count):
            raise InputError(f"{who} chose {answer!r}, expected an action from 0 to {count - 1}")
        return np.eye(1, count, int(array)).ravel()
    if array.shape != (count,):
        raise InputError(f"{who} gave {array.shape} probabilities, expected one for each of the {count} actions")
    total = array.sum()
    if not (array >= 0).all() or not abs(total - 1) <= ROW_SUM_TOLERANCE:
        raise InputError(f"{who} gave probabilities that sum to {total:.9g}, the least {array.min():.3g}: expected 1")
    shares: Floats = array / total
    return shares
