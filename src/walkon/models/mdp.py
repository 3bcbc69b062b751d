"""Markov decision problems.

The paper, section "Markov decision problems": a tuple (X, A, {P_a}, r, gamma), where P_a(y|x) is the
probability of moving from x to y under action a and r(x, a) the expected reward.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.distributions import columns, discounting, distribution, labels, numbers, stochastic
from walkon.models.horizon import with_steps
from walkon.models.stacked import Stacked, stack

BLOCKED = "is the case of a blocked move missing?"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MDP:
    """A finite Markov decision problem, checked by its constructor and read-only.

    >>> stay_or_go = MDP(P=[[[1, 0], [0, 1]], [[0, 1], [1, 0]]], R=[[0, -1], [1, 0]], discount=0.9)
    >>> stay_or_go
    MDP(2 states, 2 actions, discount 0.9)
    """

    P: tuple[csr_array, ...]  # [A] of [X, X]
    R: Floats  # [X, A]
    start: Floats  # [X]
    discount: float
    states: Names | None  # [X]
    actions: Names | None  # [A]

    def __init__(
        self,
        P: Any,
        R: Any,
        start: Any = None,
        discount: float = 0.95,
        *,
        states: Sequence[Any] | None = None,
        actions: Sequence[Any] | None = None,
    ) -> None:
        """Check and store the arrays.

        Args:
            P: One matrix [X, X] per action, dense or scipy.sparse.
            R: Expected rewards [X, A].
            start: The distribution of the first state [X]; uniform if not given.
            discount: The discount, in [0, 1). With 1, a problem can be simulated, and solved `with_horizon`.
            states: Names of the states.
            actions: Names of the actions.
        """
        matrices = per_action("P", P)
        A, X = len(matrices), columns("P[0]", matrices[0])
        names = labels("states", states, X)
        put = object.__setattr__
        put(self, "states", names)
        put(self, "actions", labels("actions", actions, A))
        put(self, "P", tuple(stochastic(f"P[{a}]", p, (X, X), names, BLOCKED) for a, p in enumerate(matrices)))
        put(self, "R", numbers("R", R, (X, A), "(X, A)"))
        put(self, "start", distribution("start", np.full(X, 1 / X) if start is None else start, X))
        put(self, "discount", discounting(discount, most=1.0))

    def __repr__(self) -> str:
        X, A = self.R.shape
        return f"MDP({X} states, {A} actions, discount {self.discount:g})"

    def with_discount(self, discount: float) -> Self:
        """Return the same problem with another discount."""
        return replace(self, discount=discount)

    def with_horizon(self, steps: int) -> Self:
        """Return the problem of doing well for so many steps, which solvers take: its states also say which step it is.

        Values at the start are those of the problem with the horizon. If the discount is 1, the new problem has
        another one, and pays the later steps more by as much, so that every episode earns what it did.
        """
        return replace(self, **with_steps(steps, self.P, self.R, self.start, self.discount, self.states))

    @cached_property
    def hash(self) -> str:
        """A digest of the numbers, without the names."""
        return content_hash("mdp", self.P, self.R, self.start, self.discount)

    @cached_property
    def transitions(self) -> Stacked:
        """The dynamics for kernels: row a * X + x holds P_a(.|x)."""
        return stack(self.P)


def per_action(name: str, matrices: Any) -> list[Any]:
    """Return the matrices of a model as a list, one per action, at least one."""
    try:
        each = list(matrices)
    except TypeError:
        raise InputError(f"{name} is a {type(matrices).__name__}, expected one matrix per action") from None
    if not each:
        raise InputError(f"{name} is empty, expected one matrix per action")
    return each
