"""Partially observable Markov decision problems.

The paper, section "Partially observable MDPs": a tuple (X, A, Z, {P_a}, {O_a}, r, gamma), where
O_a(z|y) is the probability of observing z after action a led to state y.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from scipy.sparse import csr_array

from walkon.arrays import Names
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.models.distributions import columns, discounting, labels, stochastic
from walkon.models.factored import FactoredPOMDP
from walkon.models.flatten import flatten
from walkon.models.horizon import at_every_step, with_steps
from walkon.models.mdp import MDP, per_action
from walkon.models.stacked import Stacked, stack

LOST_OBSERVATION = "is the observation of nothing missing?"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class POMDP(MDP):
    """A finite partially observable Markov decision problem: an MDP and a sensor.

    >>> listen = [[0.85, 0.15], [0.15, 0.85]]
    >>> coin = POMDP(P=[[[1, 0], [0, 1]]], O=[listen], R=[[0], [0]], discount=0.9)
    >>> coin
    POMDP(2 states, 1 actions, 2 observations, discount 0.9)
    """

    O: tuple[csr_array, ...]  # [A] of [X, Z], X being the state arrived in
    observations: Names | None  # [Z]
    factored: ClassVar[FactoredPOMDP | None] = None  # what the matrices are made from; None if others were given

    def __init__(
        self,
        P: Any,
        O: Any,
        R: Any,
        start: Any = None,
        discount: float = 0.95,
        *,
        states: Sequence[Any] | None = None,
        actions: Sequence[Any] | None = None,
        observations: Sequence[Any] | None = None,
    ) -> None:
        """Check and store the arrays.

        Args:
            P: One matrix [X, X] per action, dense or scipy.sparse.
            O: One matrix [X, Z] per action; the row is the state arrived in.
            R: Expected rewards [X, A].
            start: The belief before the first action [X]; uniform if not given.
            discount: The discount, in [0, 1]. With 1, a problem can be simulated, and solved `with_horizon`.
            states: Names of the states.
            actions: Names of the actions.
            observations: Names of the observations.
        """
        super().__init__(P, R, start, discount, states=states, actions=actions)
        X, A = self.R.shape
        matrices = per_action("O", O)
        if len(matrices) != A:
            raise InputError(f"O has {len(matrices)} matrices, expected one for each of the {A} actions of P")
        Z = columns("O[0]", matrices[0])
        put = object.__setattr__
        checked: dict[int, csr_array] = {}  # a sensor that is the same for several actions is checked and stored once
        for a, o in enumerate(matrices):
            if id(o) not in checked:
                checked[id(o)] = stochastic(f"O[{a}]", o, (X, Z), self.states, LOST_OBSERVATION)
        put(self, "O", tuple(checked[id(o)] for o in matrices))
        put(self, "observations", labels("observations", observations, Z))

    @classmethod
    def from_factors(cls, factored: FactoredPOMDP) -> Self:
        """Make a problem whose matrices, start and names are made when one of them is first used.

        They are refused if they would take more than 1 GiB; `factored` stays usable.
        """
        made = cls.__new__(cls)
        made.__dict__.update(factored=factored, discount=discounting(factored.discount, most=1.0))
        return made

    def with_discount(self, discount: float) -> Self:
        """Return the same problem with another discount; one that is made from factors stays so."""
        if self.factored is None:
            return super().with_discount(discount)
        return self.from_factors(replace(self.factored, discount=discounting(discount, most=1.0)))

    def with_horizon(self, steps: int) -> Self:
        """Return the problem of doing well for so many steps, which solvers take: its states also say which step it is.

        Values at the start are those of the problem with the horizon. If the discount is 1, the new problem has
        another one, and pays the later steps more by as much, so that every episode earns what it did.
        """
        parts = with_steps(steps, self.P, self.R, self.start, self.discount, self.states)
        return replace(self, **parts, O=at_every_step(steps, self.O))

    if not TYPE_CHECKING:  # for which a misspelt attribute shall stay an error

        def __getattr__(self, name: str) -> Any:
            """Make the matrices when one of the fields is missing."""
            if self.factored is None or name not in self.__dataclass_fields__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            POMDP.__init__(self, **flatten(self.factored))
            return self.__dict__[name]

    def __repr__(self) -> str:
        if self.factored:
            return repr(self.factored).replace("FactoredPOMDP", "POMDP")
        X, A = self.R.shape
        Z = self.O[0].shape[1]
        return f"POMDP({X} states, {A} actions, {Z} observations, discount {self.discount:g})"

    @cached_property
    def hash(self) -> str:
        """A digest of the numbers, without the names."""
        return content_hash("pomdp", self.P, self.O, self.R, self.start, self.discount)

    @cached_property
    def mdp(self) -> MDP:
        """The same problem for an agent that sees the state."""
        return MDP(self.P, self.R, self.start, self.discount, states=self.states, actions=self.actions)

    @cached_property
    def sensor_rows(self) -> Stacked:
        """The sensor for kernels: row a * X + y holds O_a(.|y)."""
        return stack(self.O)
