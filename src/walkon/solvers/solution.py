"""The result of a solver, and its reports of progress."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy

Policy = TypeVar("Policy", TabularPolicy, AlphaVectors, covariant=True)


@dataclass(frozen=True)
class Solution(Generic[Policy]):
    """A policy and the bounds that are proven for it.

    Attributes:
        policy: The policy.
        lower: A proven lower bound on the expected return of the policy from the problem's own start, and so on the
            optimal value too. It holds for an infinite horizon, if the model is true, beliefs are exact, and they are
            updated with the model's own observations only (no hazard rate, no soft evidence). None if nothing is
            proven.
        upper: A proven upper bound on the optimal value at the start; None if the solver proves none.
        iterations: The number of iterations.
        seconds: The time it took, including compilation.
        stopped: Why it stopped: "converged", the name of the budget that ran out, or "asked" by the watch.
    """

    policy: Policy
    lower: float | None
    upper: float | None
    iterations: int
    seconds: float
    stopped: str

    def __post_init__(self) -> None:
        if not isinstance(self.policy, TabularPolicy | AlphaVectors):
            raise InputError(f"policy is a {type(self.policy).__name__}, expected a TabularPolicy or AlphaVectors")


class Progress(NamedTuple):
    """The progress of a solver. Its bounds are on the optimal value; the return of the policy is known at the end."""

    iteration: int
    seconds: float
    lower: float | None
    upper: float | None
    size: int  # vectors, or states
    done: float  # the estimated share of the work that is done, in [0, 1]


Watch: TypeAlias = Callable[[Progress], bool | None]
"""Is called from time to time; if it returns True, the solver stops and returns its solution so far."""
