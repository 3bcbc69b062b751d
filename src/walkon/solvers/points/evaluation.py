"""Controllers in the middle of a solve.

A backup improves one vector by one step. With a discount close to one, a plan that goes on for ever is worth much more
than what a few thousand backups have added up. So now and then the vectors that are best at some point are evaluated as
a controller (see `closing`), which takes little time and often raises all of them. The controller takes their place if
its value at the start is higher; it then has no missing successors either. Where that happened once, it can be done at
the end too, and so successors need not be kept for the end any more.

If there are missing successors near the end, a controller takes the place of the vectors even if its value is lower,
the present one or the last that was of use, while there is time for backups that make up for it. From then on all
successors are kept, so that nothing is lost at the end.
"""

from typing import cast

from walkon.solvers.points.closing import make_controller
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.point_kernels import count_wins
from walkon.solvers.points.storage import winners
from walkon.solvers.points.vector_kernels import Vectors, closed, needed

FIRST = 3_000  # backups before the first
LATER = 1.5  # the next is after so many times the backups
FEWEST, MOST = 0.5, 4.0  # the cost of another, as a multiple of the backups since the last
CHANGE = 2  # it may cost so many times as much after one that was of use, and else as much less
LEAST = 50  # sweeps for which there must be time
LAST = 0.9  # the share of the budget after which no successor may be missing
FOR_LAST = 0.3  # the cost of the last one, as a share of the backups so far


class Evaluation:
    """Evaluates the vectors of one lower bound from time to time."""

    def __init__(self, bound: LowerBound) -> None:
        self._bound, self._next, self._spent, self._more = bound, FIRST, 0, 1.0
        self._share, self._longest, self._last = 0.0, 0.0, False
        self._worth, self._best = 0.0, cast(Vectors | None, None)  # of the last controller that was of use

    def perhaps(self, precision: float) -> None:
        """Evaluate the vectors to `precision` if it is time for that."""
        bound, budget = self._bound, self._bound.budget
        share = budget.share
        self._longest, self._share = max(self._longest, share - self._share), share
        if not self._last and share + self._longest > LAST:
            self._last = True
            if not self._whole():
                sweeps = self._sweeps(FOR_LAST * budget.spent)
                make_controller(bound, precision, hurried=True, sweeps=max(LEAST, sweeps))
                if self._best is not None and bound.value < self._worth:
                    bound.replace(self._best)
            bound.keep_all()
        elif not self._last and budget.spent >= self._next:
            count_wins(bound.blocks, bound.vectors, bound.points)
            sweeps = self._sweeps(self._more * (budget.spent - self._spent))
            self._spent = budget.spent
            if sweeps >= LEAST:
                before, value = bound.copy(), bound.value
                make_controller(bound, precision, hurried=True, sweeps=sweeps)
                if bound.value > value:
                    bound.keep = False
                    self._more = min(MOST, CHANGE * self._more)
                    self._worth, self._best = bound.value, bound.copy()[0]
                else:
                    bound.restore(before)
                    self._more = max(FEWEST, self._more / CHANGE)
            self._next = int(LATER * budget.spent)

    def _sweeps(self, backups: float) -> int:
        """Return how many sweeps may cost as much as so many backups, which look at all actions."""
        nodes = int(winners(self._bound.vectors).sum())
        return int(backups * self._bound.model.R.shape[1] / max(1, nodes))

    def _whole(self) -> bool:
        """Return whether all successors of the vectors that are best somewhere exist."""
        bound = self._bound
        count_wins(bound.blocks, bound.vectors, bound.points)
        return bool(closed(bound.blocks, bound.vectors, needed(bound.blocks, bound.vectors)))
