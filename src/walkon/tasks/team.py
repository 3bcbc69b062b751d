"""What a joint action does: the one thing that a simulator asks a team's problem."""

from typing import Protocol

from walkon.models.outcomes import Outcomes, row
from walkon.models.pomdp import POMDP


class Team(Protocol):
    """A team's problem, one step at a time. An MMDP answers from its matrices, Rules by asking the rules."""

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """The next states after the joint action (a, b) in state x."""
        ...

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """What that step paid when it led to y."""
        ...


class Folded:
    """A problem with the teammates folded in, seen as a team whose others have a single action, 0."""

    def __init__(self, pomdp: POMDP) -> None:
        self.pomdp = pomdp

    def outcomes(self, x: int, a: int, b: int) -> Outcomes:
        """The next states after action a in state x."""
        return row(self.pomdp.P[a], x)

    def paid(self, x: int, a: int, b: int, y: int) -> float:
        """What that step paid in expectation."""
        return float(self.pomdp.R[x, a])
