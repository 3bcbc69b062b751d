"""From a problem to a solution: what every solver takes, tells on its way, and returns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy

Policy = TypeVar("Policy", TabularPolicy, AlphaVectors, covariant=True)


@dataclass(frozen=True)
class Solution(Generic[Policy]):
    """A policy, what is proven about it, and what it took.

    Attributes:
        policy: What to do.
        lower: What the policy earns at least from the problem's own start, in expectation: a proven bound, and so one
            on the optimal value too. It holds for an infinite horizon, if the model is true, beliefs are exact, and
            nothing is asked of them but the model's own observations (no hazard rate, no soft evidence). None where
            nothing is proven.
        upper: A proven upper bound on the optimal value at the start; None where the solver proves none.
        iterations: How often the solver went round.
        seconds: How long it took, compilation included.
        stopped: Why it stopped: "converged", or the budget that ran out, or "asked".
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
    """How far a solver is. Its bounds are on the optimal value; what the policy will earn is known at the end."""

    iteration: int
    seconds: float
    lower: float | None
    upper: float | None
    size: int  # vectors, or states
    done: float  # the share of the work that is done, in [0, 1], as far as the solver can tell


Watch: TypeAlias = Callable[[Progress], bool | None]
"""Is called now and then; if it returns True, the solver stops and returns what it has."""
