"""A belief over states in which some weights are too small for floats.

It is an array like any other. Weights below the smallest float are shown as that, 5e-324, so that 0 says impossible.
What they are, m 2^e, it holds beside them, and `walkon.update` goes on from there. Whatever else is done with it (a
slice, a sum, a copy) gives an ordinary array of what is shown.
"""

from typing import Any

import numpy as np

from walkon.arrays import Floats
from walkon.models.scaled import logarithms


class FaintBelief(np.ndarray[Any, np.dtype[np.float64]]):
    """A belief, read-only, and its exact weights."""

    exact: Floats | None  # [X, 2], mantissas and exponents

    @classmethod
    def of(cls, belief: Floats, exact: Floats) -> "FaintBelief":
        """What is shown [X], and the mantissas and exponents [X, 2]."""
        made = np.array(belief).view(cls)
        made.exact = exact
        made.setflags(write=False)
        return made

    def __array_finalize__(self, source: Any) -> None:
        """Nothing that is made from it has its weights."""
        self.exact = None

    @property
    def logs(self) -> Floats:
        """The natural logarithm of each weight, [X]."""
        return np.log(np.asarray(self)) if self.exact is None else logarithms(self.exact)


def exact_weights(belief: Floats) -> Floats:
    """Mantissas and exponents [X, 2] of a belief that has them; else none, [0, 2]."""
    exact = belief.exact if isinstance(belief, FaintBelief) else None
    return np.empty((0, 2)) if exact is None else exact
