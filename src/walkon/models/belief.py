"""The belief over states, and how an action and an observation change it.

Equation (Belief-update) of the paper:  b'(y) = (1/rho) sum_x b(x) P_a(y|x) O_a(z|y).
The update also returns the normaliser rho, the probability of the observation, which the task update needs.

A weight may become too small for a float and grow again later. So a belief with a weight below 1e-250 is returned as a
`FaintBelief`, which keeps the exact weights for the next update. A weight is 0 only if the state is impossible.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.arrays import Floats
from walkon.checks import index_of
from walkon.errors import InputError
from walkon.models.belief_kernels import condition, predict_exactly
from walkon.models.distributions import ROW_SUM_TOLERANCE, distribution, numbers
from walkon.models.pomdp import POMDP
from walkon.models.scaled import logarithms


class Posterior(NamedTuple):
    """The belief after an observation, and the probability of the observation."""

    belief: Floats  # [X]
    likelihood: float  # the paper's rho; at least the smallest float if the observation is possible


def predict(pomdp: POMDP, belief: Floats, action: int | str) -> Floats:
    """Return the belief after an action without an observation."""
    a = index_of("action", action, len(pomdp.P), pomdp.actions)
    return prediction(pomdp, check_belief(belief, len(pomdp.start)), a)


def prediction(pomdp: POMDP, belief: Floats, action: int) -> Floats:
    """Do what `predict` does, for arguments that are known to be right; the weights need not sum to one."""
    after, exact = predict_exactly(pomdp.transitions, writable(belief), exact_weights(belief), action)
    return FaintBelief.of(after, exact) if len(exact) else after


def update(pomdp: POMDP, belief: Floats, action: int | str, observation: int | str) -> Posterior:
    """Condition a belief on one action and the observation that followed it, by their numbers or names.

    An observation that is impossible under the belief has likelihood zero and does not change the belief.

    >>> coin = POMDP(P=[np.eye(2)], O=[[[0.85, 0.15], [0.15, 0.85]]], R=[[0], [0]])
    >>> update(coin, np.array([0.5, 0.5]), action=0, observation=0)
    Posterior(belief=array([0.85, 0.15]), likelihood=0.5)
    """
    a = index_of("action", action, len(pomdp.P), pomdp.actions)
    z = index_of("observation", observation, pomdp.O[a].shape[1], pomdp.observations)
    return posterior(pomdp, check_belief(belief, len(pomdp.start)), a, z)


def posterior(pomdp: POMDP, belief: Floats, action: int, observation: int) -> Posterior:
    """Do what `update` does, for arguments that are known to be right."""
    model, before = (pomdp.transitions, pomdp.sensor_rows), writable(belief)
    after, exact, rho = condition(*model, before, exact_weights(belief), action, observation)
    return Posterior(FaintBelief.of(after, exact) if len(exact) else after, rho)


def check_belief(belief: Any, size: int) -> Floats:
    """Return a belief over so many states, if it is one: finite weights that are not negative and sum to one."""
    known = isinstance(belief, np.ndarray) and belief.dtype == np.float64
    array: Floats = belief if known else numbers("belief", belief, (size,), "(X,)")
    right = array.shape == (size,) and np.minimum.reduce(array) >= 0
    right = right and abs(np.add.reduce(array) - 1) <= ROW_SUM_TOLERANCE
    return array if right else distribution("belief", array, size)


def check_index(what: str, index: int, size: int) -> int:
    """Return the index of an action, an observation or a state, if it exists."""
    if not 0 <= index < size:
        raise InputError(f"{what} {index} does not exist: they are numbered 0 to {size - 1}")
    return index


def writable(belief: Floats) -> Floats:
    """Return the belief for a kernel: contiguous and writable, since Numba compiles each kind of array separately."""
    return np.require(belief, np.float64, ("C", "W", "E"))


class FaintBelief(np.ndarray[Any, np.dtype[np.float64]]):
    """A read-only belief in which some weights are too small for floats, with its exact weights.

    It is an ordinary array in which weights below the smallest float are shown as that, 5e-324: 0 means impossible. The
    exact weights, m 2^e, are in `exact`, and `walkon.update` continues from these. All other operations (a slice, a
    sum, a copy) give an ordinary array of the shown weights.
    """

    exact: Floats | None  # [X, 2], mantissas and exponents

    @classmethod
    def of(cls, belief: Floats, exact: Floats) -> "FaintBelief":
        """Combine the shown weights [X] with the exact mantissas and exponents [X, 2]."""
        made = np.array(belief).view(cls)
        made.exact = exact
        made.setflags(write=False)
        return made

    def __array_finalize__(self, source: Any) -> None:
        """Drop the exact weights in all derived arrays."""
        self.exact = None

    @property
    def logs(self) -> Floats:
        """The natural logarithm of each weight, [X]."""
        return np.log(np.asarray(self)) if self.exact is None else logarithms(self.exact)


def exact_weights(belief: Floats) -> Floats:
    """Return the mantissas and exponents [X, 2] of a belief that has them; else none, [0, 2]."""
    exact = belief.exact if isinstance(belief, FaintBelief) else None
    return np.empty((0, 2)) if exact is None else exact
