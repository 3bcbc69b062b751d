"""The upper bound of a solver: values at points, interpolated at all other beliefs.

It starts from the fast informed bound and falls with every backup; see `upper_kernels`.
"""

import numpy as np

from walkon.arrays import Ints
from walkon.solvers.budget import Budget
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.storage import extend
from walkon.solvers.points.upper_kernels import Uppers, back_up_both, explore, look

DEEPER = 3  # the largest length of an exploration, in lengths of a walk
MOST = 2**22  # observations after all actions at all points of an exploration, at most
OF_POINTS = "q", "hope", "peak", "branch", "latest"  # arrays with one entry for each point, besides `value`


class UpperBound:
    """Upper bounds at the points of a lower bound."""

    def __init__(self, below: LowerBound) -> None:
        A = below.model.R.shape[1]
        blocks = len(below.blocks.first) - 1
        self._below = below
        self.steps = max(1, min(DEEPER * below.steps, MOST // (A * len(below.branches.observation))))
        self.uppers = Uppers(
            value=np.full(0, np.inf),
            q=np.zeros((0, A)),
            hope=np.zeros((0, A)),
            peak=np.zeros(0),
            branch=np.zeros((0, A), np.int64),
            worth=np.zeros(0),
            stamp=np.zeros(0, np.int64),
            changed=np.zeros(0, np.int64),
            before=np.zeros(0, np.int64),
            newest=np.zeros(blocks, np.int64),
            latest=np.zeros(0, np.int64),
            size=np.array([0, 1]),
            weights=np.zeros(len(below.blocks.states)),
        )
        self.make_room()
        look(below.model, below.blocks, below.points, self.uppers, 0)

    @property
    def value(self) -> float:
        """The bound at the start."""
        return float(self.uppers.value[0])

    def explore(self, aim: float, least: float) -> Ints:
        """Make an exploration and return its points. There must be room for them."""
        path = np.empty(self.steps, np.int64)
        return path[: explore(self._below.search, self.uppers, aim, least, path)]

    def back_up(self, path: Ints, least: float, budget: Budget) -> None:
        """Back up both bounds at the points of a path in reverse until the budget runs out."""
        for few in self._below.paced(path, budget):
            back_up_both(self._below.search, self.uppers, few, least)

    def make_room(self) -> None:
        """Make room for an exploration, the backups of its points, and their upper bounds."""
        uppers, below = self.uppers, self._below
        looked_at = extend(np.isfinite(uppers.value), len(below.points.block))
        kept = below.make_room(self.steps, looked_at)
        if kept is not None:
            uppers = _select(uppers, kept)
        room = len(below.points.block)
        if len(uppers.value) < room:
            more = {name: extend(getattr(uppers, name), room) for name in OF_POINTS}
            uppers = uppers._replace(value=extend(uppers.value, room, np.inf), **more)
        wanted = uppers.size[0] + self.steps * uppers.q.shape[1] * len(below.branches.observation)
        if len(uppers.worth) < wanted:
            uppers = uppers._replace(worth=extend(uppers.worth, 2 * wanted), stamp=extend(uppers.stamp, 2 * wanted))
        wanted = uppers.size[1] + 2 * self.steps
        if len(uppers.changed) < wanted:
            uppers = uppers._replace(
                changed=extend(uppers.changed, 2 * wanted), before=extend(uppers.before, 2 * wanted)
            )
        self.uppers = uppers


def _select(uppers: Uppers, kept: Ints) -> Uppers:
    """Return the upper bounds at some points, which include all points that have one."""
    number = np.zeros(len(uppers.value), np.int64)
    number[kept] = np.arange(len(kept))
    fewer = {name: getattr(uppers, name)[kept] for name in ("value", *OF_POINTS)}
    return uppers._replace(changed=number[uppers.changed], **fewer)
