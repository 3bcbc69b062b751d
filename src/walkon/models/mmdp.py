"""Multiagent Markov decision problems, and the problem of one agent when the teammates' policy is known.

The paper, section "Multiagent Markov decision problems", with the teammates as one meta-agent: its actions B are
the product of the teammates' seats, row-major. Equation (Transitions) folds their policy in:

    P_k(y|x,a) = sum_b pi_k(b|x) P_k,ab(y|x)        r_k(x,a) = sum_b pi_k(b|x) r_k(x,a,b)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array

from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.distributions import columns, discounting, labels, numbers, stochastic
from walkon.models.mdp import BLOCKED, MDP, per_action
from walkon.models.pomdp import POMDP
from walkon.models.stacked import Outcomes, Stacked, row, stack

NO_CHOICE = "do the teammates have an action in every state?"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class MMDP:
    """A team's problem, with the actions of the ad hoc agent (A) and the joint actions of its teammates (B).

    >>> swap, keep = [[0, 1], [1, 0]], [[1, 0], [0, 1]]
    >>> lever = MMDP(P=[[keep, swap], [swap, keep]], R=np.zeros((2, 2, 2)), discount=0.9)
    >>> lever.mdp(teammates=[[0.5, 0.5], [1, 0]]).P[0].toarray()
    array([[0.5, 0.5],
           [0. , 1. ]])
    """

    P: tuple[tuple[csr_array, ...], ...]  # [A][B] of [X, X]
    R: Floats  # [X, A, B]
    discount: float
    seats: tuple[int, ...]  # number of actions of each teammate; B is their product
    states: Names | None  # [X]
    actions: Names | None  # [A]
    teammate_actions: Names | None  # [B]

    def __init__(
        self,
        P: Any,
        R: Any,
        discount: float = 0.95,
        seats: Sequence[int] | None = None,
        *,
        states: Sequence[Any] | None = None,
        actions: Sequence[Any] | None = None,
        teammate_actions: Sequence[Any] | None = None,
    ) -> None:
        """Check and store the arrays.

        Args:
            P: One matrix [X, X] for each pair of actions, as `P[a][b]`.
            R: Expected rewards [X, A, B].
            discount: The discount, in [0, 1).
            seats: The number of actions of each teammate; one teammate if not given.
            states: Names of the states.
            actions: Names of the ad hoc agent's actions.
            teammate_actions: Names of the teammates' joint actions.
        """
        table = [per_action(f"P[{a}]", each) for a, each in enumerate(per_action("P", P))]
        A, B, X = len(table), len(table[0]), columns("P[0][0]", table[0][0])
        for a, each in enumerate(table):
            if len(each) != B:
                raise InputError(f"P[{a}] has {len(each)} matrices, P[0] has {B}: expected P[a][b] for every pair")
        counts = (B,) if seats is None else tuple(int(seat) for seat in seats)
        if math.prod(counts) != B:
            raise InputError(f"seats {counts} make {math.prod(counts)} joint actions, but P[a] has {B} matrices")
        names = labels("states", states, X)
        put = object.__setattr__
        checked = [
            tuple(stochastic(f"P[{a}][{b}]", p, (X, X), names, BLOCKED) for b, p in enumerate(each))
            for a, each in enumerate(table)
        ]
        put(self, "P", tuple(checked))
        put(self, "R", numbers("R", R, (X, A, B), "(X, A, B)"))
        put(self, "discount", discounting(discount))
        put(self, "seats", counts)
        put(self, "states", names)
        put(self, "actions", labels("actions", actions, A))
        put(self, "teammate_actions", labels("teammate_actions", teammate_actions, B))

    def __repr__(self) -> str:
        X, A, _ = self.R.shape
        seats = " x ".join(map(str, self.seats))
        return f"MMDP({X} states, {A} actions, teammates {seats}, discount {self.discount:g})"

    @cached_property
    def hash(self) -> str:
        """A digest of the numbers, without the names."""
        return content_hash("mmdp", self.P, self.R, self.discount, self.seats)

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """Return the next states after one joint action in one state, with their probabilities."""
        return row(self.P[a][b], x)

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """Return the reward of a step. The arrays hold only its expectation over the next state."""
        return float(self.R[x, a, b])

    @cached_property
    def transitions(self) -> Stacked:
        """The dynamics for kernels: row (a * B + b) * X + x holds P_ab(.|x)."""
        return stack([p for row in self.P for p in row])

    def mdp(self, teammates: Any, start: Any = None) -> MDP:
        """Return the problem of an ad hoc agent that sees the state.

        Args:
            teammates: Their joint policy [X, B], a distribution over B in each state.
            start: The distribution of the first state [X]; uniform if not given.
        """
        P, R = self._fold(teammates)
        return MDP(P, R, start, self.discount, states=self.states, actions=self.actions)

    def pomdp(
        self, teammates: Any, sensor: Any, start: Any = None, *, observations: Sequence[Any] | None = None
    ) -> POMDP:
        """Return the problem of the ad hoc agent: the paper's POMDP for one task.

        Args:
            teammates: Their joint policy [X, B], a distribution over B in each state.
            sensor: One matrix [X, Z] per action of the ad hoc agent.
            start: The belief before the first action [X]; uniform if not given.
            observations: Names of the observations.
        """
        P, R = self._fold(teammates)
        names = {"states": self.states, "actions": self.actions, "observations": observations}
        return POMDP(P, sensor, R, start, self.discount, **names)

    def _fold(self, teammates: Any) -> tuple[list[csr_array], Floats]:
        X, _, B = self.R.shape
        policy = stochastic("teammates", teammates, (X, B), self.states, NO_CHOICE).toarray()
        weights = [diags_array(policy[:, b], format="csr") for b in range(B)]
        P = [sum((w @ p for w, p in zip(weights, each, strict=True)), csr_array((X, X))) for each in self.P]
        return P, np.einsum("xb,xab->xa", policy, self.R)
