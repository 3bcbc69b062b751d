"""The belief over states, and how an action and an observation change it.

Equation (Belief-update) of the paper:  b'(y) = (1/rho) sum_x b(x) P_a(y|x) O_a(z|y).
The normaliser rho is the probability of the observation, which is all that the task update needs; so the update
returns it too, from the same pass.

A weight may become too small for a float, and grow again later. So a belief in which one is below 1e-250 comes back as
a `FaintBelief`, which the next update takes as it is. No weight becomes 0 for being small: 0 says impossible.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.models.scaled import logarithms
from walkon.models.update_kernels import arrive, condition


class Posterior(NamedTuple):
    """What an observation taught us: where we are, and how expected it was."""

    belief: Floats  # [X]
    likelihood: float  # the paper's rho; at least the smallest float where the observation is possible


def predict(pomdp: POMDP, belief: Floats, action: int) -> Floats:
    """The belief after an action when nothing was read."""
    _check("action", action, len(pomdp.P))
    after, exact = arrive(pomdp.transitions, writable(belief), exact_weights(belief), action)
    return FaintBelief.of(after, exact) if len(exact) else after


def update(pomdp: POMDP, belief: Floats, action: int, observation: int) -> Posterior:
    """Condition a belief on one action and the observation that followed it.

    An observation that the belief cannot produce has likelihood zero and leaves the belief as it was.

    >>> coin = POMDP(P=[np.eye(2)], O=[[[0.85, 0.15], [0.15, 0.85]]], R=[[0], [0]])
    >>> update(coin, np.array([0.5, 0.5]), action=0, observation=0)
    Posterior(belief=array([0.85, 0.15]), likelihood=0.5)
    """
    _check("action", action, len(pomdp.P))
    _check("observation", observation, pomdp.O[action].shape[1])
    model, before = (pomdp.transitions, pomdp.sensor_rows), writable(belief)
    after, exact, rho = condition(*model, before, exact_weights(belief), action, observation)
    return Posterior(FaintBelief.of(after, exact) if len(exact) else after, rho)


def _check(axis: str, index: int, size: int) -> None:
    if not 0 <= index < size:
        raise InputError(f"{axis} {index} does not exist: they are numbered 0 to {size - 1}")


def writable(belief: Floats) -> Floats:
    """The belief as kernels know it: contiguous and not read-only (Numba compiles each kind anew)."""
    return np.require(belief, np.float64, ("C", "W", "E"))


class FaintBelief(np.ndarray[Any, np.dtype[np.float64]]):
    """A belief in which some weights are too small for floats, read-only, and its exact weights.

    It is an array like any other. Weights below the smallest float are shown as that, 5e-324: 0 says impossible.
    What they are, m 2^e, it holds beside them, and `walkon.update` goes on from there. Whatever else is done with it (a
    slice, a sum, a copy) gives an ordinary array of what is shown.
    """

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
