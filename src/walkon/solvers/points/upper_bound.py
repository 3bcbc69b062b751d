"""The upper bound of a solver: values at belief points, interpolated at all other beliefs.

It starts from the fast informed bound and falls with every backup; see `interpolation_kernels`. Backups along
explorations bring it down step by step, and with a discount gamma close to one that takes long: what a backup gains
comes back through other beliefs, multiplied by gamma. So now and then all points that are interpolated from, and all
states, are solved as one system. Let u be their values, for points and for each action in each state, and B u the same
after a backup of all of them from all of them. If B u <= u + m with m < 0, then

    V <= B u + gamma/(1-gamma) m

as in MacQueen's bound (1966) for MDPs. Proof: w = u + m/(1-gamma) is nowhere below B w, since the interpolation of
values that are lower by c is lower by at least c. Let V_n be the best value of plans of n steps that end with the worst
policy; it rises to V. It is nowhere above w: for n = 0 that is checked, and if it holds for n, then V_n is nowhere
above the interpolation of w, because it is convex and no plan falls below the worst policy; so V_{n+1} is nowhere above
B w, and so nowhere above w.

Any m' from m to 0 may take the place of m, and so m is cut where u + m/(1-gamma) would be below the worst policy. An
action that cannot be the best is left out; then m is also cut where a bound on that action would stand out.

A sweep that looks for the best point to interpolate from after each observation is expensive. It is followed by several
that take the same points with their new values: every point gives an upper bound.

Where every state is left again and again, all values fall alike after a few sweeps, and these are then worth thousands
of backups. Where there is a state without return, m is zero, and a sweep is a backup of everything.
"""

from functools import cached_property

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.solvers.points.interpolation_kernels import Uppers
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.point_kernels import Points
from walkon.solvers.points.storage import extend, no_points
from walkon.solvers.points.sweep_kernels import hope_again, no_anchors, record_all, sweep, sweep_again
from walkon.solvers.points.upper_kernels import back_up_both, explore, look, prune
from walkon.solvers.solution import Budget
from walkon.solvers.upper_bounds import tighten

DEEPER = 3  # the largest length of an exploration, in lengths of a walk
MOST = 2**22  # observations after all actions at all points of an exploration, at most
INFORMED = 1e-3  # the precision of the fast informed bound, as a share of the first distance of the bounds
PRECISION = 1e-9  # at least, relative
PRUNED = 100  # the least number of points before those that others imply are left out
SELDOM = 2  # backups of explorations and walks for each belief and action of a sweep, before it
LONGER = 1  # and their work, as a multiple of that of a sweep
SAMPLE = 16  # beliefs and states by which that is estimated
SPARED = 0.01  # a sweep leaves out actions that are so much worse, as a share of the distance of the bounds, at least
AHEAD = 2  # and as a multiple of what the bounds would fall by
IMPLIED = 1e-3  # before it, points are left out that others imply so closely, as a share of the distance
AGAIN = 21  # sweeps from the same anchors, at most
LITTLE = 1e-3  # the gain of these, as a share of the distance of the bounds, after which there are no more
FEW = 0.03  # of what they gained together, a sweep gains so little that it is the last of them
OF_CHANGES = "changed", "before", "after"  # arrays with one entry for each change of a value
OF_POINTS = "q", "hope", "peak", "branch", "latest"  # arrays with one entry for each point, besides `value`


class UpperBound:
    """Upper bounds at the points of a lower bound, interpolated at all other beliefs."""

    def __init__(self, below: LowerBound) -> None:
        A = below.model.R.shape[1]
        precision = max(INFORMED * below.distance, PRECISION * float(abs(below.model.above).max()))
        tighten(below.problem, below.model.above, precision, below.budget.preparing)
        blocks, largest = len(below.blocks.first) - 1, int(np.diff(below.blocks.first).max())
        self._below, self._many = below, PRUNED
        self._spent, self._swept, self._next = 0, 0.0, 0.0  # backups and work at the last sweep; no other before
        self._cost, self._size = 0.0, 0  # the work of the last sweep, and the number of its beliefs and states
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
            after=np.zeros(0, np.int64),
            newest=np.zeros(blocks, np.int64),
            latest=np.zeros(0, np.int64),
            size=np.array([0, 1, 0]),
            weights=np.zeros(len(below.blocks.states)),
            low=below.worst[below.blocks.states],
            ratios=np.empty(largest),
            costs=np.empty(largest),
        )
        self.make_room()
        look(below.model, below.blocks, below.points, self.uppers, 0)

    @property
    def value(self) -> float:
        """The bound at the start."""
        return float(self.uppers.value[0])

    def explore(self, aim: float, least: float) -> Ints:
        """Make an exploration and return its points. There must be room for them."""
        if self.uppers.size[2] > self._many:
            prune(self._below.model, self._below.blocks, self._below.points, self.uppers, least)
            self._many = 2 * self.uppers.size[2] + PRUNED
        path = np.empty(self.steps, np.int64)
        return path[: explore(self._below.search, self.uppers, aim, least, path)]

    def back_up(self, path: Ints, least: float, budget: Budget) -> None:
        """Back up both bounds at the points of a path in reverse until the budget runs out."""
        for few in self._below.paced(path, budget):
            back_up_both(self._below.search, self.uppers, few, least)

    @property
    def due(self) -> bool:
        """Whether there was so much work since the last sweeps that it is time for others, and time is left."""
        below, budget = self._below, self._below.budget
        cost = self.uppers.q.shape[1] * (self.uppers.size[2] + len(self._states.block)) // 2
        if budget.spent - self._spent <= SELDOM * cost or below.work < self._next:
            return False
        expected = self._expected()
        self._next = self._swept + LONGER * expected
        return below.work >= self._next and budget.remaining * below.work > expected * budget.seconds

    def _expected(self) -> float:
        """Estimate the work of a sweep by that of the last, or else by that for a few beliefs and states."""
        below, A = self._below, self.uppers.q.shape[1]
        if self._size:
            return float(self._cost * ((self.uppers.size[2] + len(below.model.R)) / self._size))
        listed = np.flatnonzero(self.uppers.latest[: below.points.size[0]] > 0)
        total = 0.0
        for beliefs, all_of in ((below.points, listed), (self._states, np.arange(len(below.model.R)))):
            few = all_of[:: -(-len(all_of) // SAMPLE) or 1]
            before, q = below.work, np.empty((len(few), A))
            sweep(below.search, self.uppers, beliefs, few, np.empty(0), no_anchors(len(few), A), q)
            total += (below.work - before) * len(all_of) / max(1, len(few))
        return total

    def sweep(self, rate: float, distance: float) -> None:
        """Sweep until that gains less for its work than explorations do, at this `rate`.

        `distance` is that of the bounds at the start.
        """
        below, uppers, model, budget = self._below, self.uppers, self._below.model, self._below.budget
        points, size, A = below.points, below.points.size[0], model.R.shape[1]
        prune(model, below.blocks, points, uppers, IMPLIED * distance)
        listed = np.flatnonzero(uppers.latest[:size] > 0)
        chosen, states = np.unique(np.append(0, listed)), np.arange(len(model.R))
        values, table = uppers.value[chosen], model.above.copy()  # the lowest so far
        q, new = np.empty((len(chosen), A)), np.empty_like(table)
        of_points, of_states = no_anchors(len(chosen), A), no_anchors(len(states), A)
        spared, gained, work, floor = SPARED * distance, np.inf, 0.0, self._floor(chosen)
        while gained > max(rate * work, LITTLE * distance) and not budget.stopped:
            before, skip, done = values[0], values - spared, below.work
            of_points = sweep(below.search, uppers, points, chosen, skip, of_points, q)
            of_states = sweep(below.search, uppers, self._states, states, np.empty(0), of_states, new)
            for again in range(AGAIN):
                if again > 0:
                    sweep_again(below.search, uppers, points, chosen, of_points, q)
                    sweep_again(below.search, uppers, self._states, states, of_states, new)
                last, fall = values[0], self._take(chosen, floor, q, new, values, table)
                spared = max(spared, AHEAD * fall)
                if (again > 2 and last - values[0] < FEW * (before - values[0])) or budget.over:
                    break
            gained, work = before - values[0], below.work - done
            self._cost, self._size = work, len(listed) + len(states)
            budget.spend(len(chosen) + len(states))
        uppers.value[chosen], model.above[:] = values, table
        known = np.flatnonzero(uppers.value[:size] < np.inf)
        hope_again(below.search, uppers, known)
        uppers.q[known] = np.minimum(uppers.q[known], uppers.hope[known])
        uppers.value[known] = np.minimum(uppers.value[known], uppers.peak[known])
        record_all(points, uppers, listed)
        self._spent, self._swept = budget.spent, below.work
        self._next = self._swept

    def _floor(self, chosen: Ints) -> Floats:
        """Return the value of the worst policy at the chosen points."""
        points, size = self._below.points, self._below.points.size[0]
        entries = slice(0, points.first[size])
        lows = points.weights[entries] * self.uppers.low[points.slots[entries]]
        floor: Floats = np.add.reduceat(lows, points.first[:size])[chosen]
        return floor

    def _take(self, chosen: Ints, floor: Floats, q: Floats, new: Floats, values: Floats, table: Floats) -> float:
        """Replace the upper bounds by those of a sweep, and lower the lowest so far, `values` and `table`, in place.

        Returns by how much all would be lower than the sweep's if neither the worst policy nor actions that were left
        out stood in the way.
        """
        below, uppers, discount = self._below, self.uppers, self._below.model.discount
        omitted = np.where(q == -np.inf, uppers.q[chosen], -np.inf).max(axis=1)
        worth = q.max(axis=1)
        most = max((worth - uppers.value[chosen]).max(), (new - below.model.above).max())
        wanted = min(0.0, discount / (1 - discount) * float(most))
        least = max((np.maximum(omitted, floor) - worth).max(), (below.worst[:, None] - new).max())
        shift = min(0.0, max(wanted, float(least)))
        worth = np.maximum(worth, omitted)
        np.minimum(values, worth + shift, out=values)
        np.minimum(table, new + shift, out=table)
        uppers.value[chosen], below.model.above[:] = worth, new
        hope_again(below.search, uppers, chosen)
        return -wanted

    @cached_property
    def _states(self) -> Points:
        """Each state as a belief."""
        blocks = self._below.blocks
        X = len(blocks.block)
        return no_points()._replace(first=np.arange(X + 1), slots=blocks.slot, weights=np.ones(X), block=blocks.block)

    def make_room(self) -> None:
        """Make room for an exploration, the backups of its points, and their upper bounds."""
        uppers, below = self.uppers, self._below
        kept = below.make_room(self.steps, extend(uppers.latest > 0, len(below.points.block)))
        if kept is not None:
            number = np.zeros(len(uppers.value), np.int64)  # the new number of each point; all that are listed are kept
            number[kept] = np.arange(len(kept))
            fewer = {name: getattr(uppers, name)[kept] for name in ("value", *OF_POINTS)}
            uppers = uppers._replace(changed=number[uppers.changed], **fewer)
            uppers.branch[:] = -1  # what is known of their observations is worked out again
            uppers.size[0] = 0
        room = len(below.points.block)
        if len(uppers.value) < room:
            more = {name: extend(getattr(uppers, name), room) for name in OF_POINTS}
            uppers = uppers._replace(value=extend(uppers.value, room, np.inf), **more)
        wanted = uppers.size[0] + self.steps * uppers.q.shape[1] * len(below.branches.observation)
        if len(uppers.worth) < wanted:
            uppers = uppers._replace(worth=extend(uppers.worth, 2 * wanted), stamp=extend(uppers.stamp, 2 * wanted))
        wanted = uppers.size[1] + 2 * self.steps + uppers.size[2]
        if len(uppers.changed) < wanted:
            more = {name: extend(getattr(uppers, name), 2 * wanted) for name in OF_CHANGES}
            uppers = uppers._replace(**more)
        self.uppers = uppers
