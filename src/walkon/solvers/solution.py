"""The result of a solver, its reports of progress, and its budget: backups, seconds, and a watch that may stop it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from walkon.checks import above
from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy

SECONDS_BETWEEN_REPORTS = 0.05
PREPARATION = 0.2  # the share of the seconds for the work before the first backup
OVERTIME = 0.05  # the share of the seconds by which the work after the last backup may exceed them

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
        seconds: The time it took, without compilation if there was a time limit, which does not count it either.
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


class Budget:
    """Counts the backups and seconds of one solve and decides when it has to stop.

    Attributes:
        reserved: The time to keep for the work at the end, in backups.
        pace: The mean time of a backup so far, in seconds.
        stopped: Why the solver has to stop; empty while it may continue.
    """

    def __init__(self, backups: int | None, seconds: float | None, watch: Watch | None = None) -> None:
        if backups is not None and not above(backups, 0, "__index__"):
            raise InputError(f"backups is {backups!r:.60}, expected a whole number from 1 on, or None for no limit")
        if seconds is not None and not above(seconds, 0):
            raise InputError(f"seconds is {seconds!r:.60}, expected a positive number, or None for no limit")
        self._backups, self._seconds, self._watch = backups, seconds, watch
        self._began = perf_counter()
        self._reported = -math.inf  # so that a watch is called in every solve, however short
        self._last: tuple[int, float | None, float | None, int, float] = (0, None, None, 0, 0.0)  # the last report
        self._first: tuple[float, int] | None = None  # the time of the first call of `spend`, and its backups
        self.spent = 0
        self.reserved, self.pace = 0.0, 0.0
        self.stopped = ""

    @property
    def seconds(self) -> float:
        """The seconds since the start of the solve."""
        return perf_counter() - self._began

    @property
    def left(self) -> int | None:
        """The number of backups left, None without a limit."""
        return None if self._backups is None else self._backups - self.spent

    def spend(self, backups: int = 1) -> None:
        """Count backups."""
        self.spent += backups
        now = self.seconds
        self._first = self._first or (now, self.spent)
        began, before = self._first
        self.pace = (now - began) / max(1, self.spent - before)
        if self._backups is not None and self.spent >= self._backups:
            self.stopped = "backups"
        elif self._seconds is not None and now + self.reserved * self.pace >= self._seconds:
            self.stopped = "seconds"

    @property
    def remaining(self) -> float:
        """The seconds that are left, infinite without a limit."""
        return math.inf if self._seconds is None else self._seconds - self.seconds

    @property
    def share(self) -> float:
        """The share of the budget that is spent, 0 without a limit."""
        backups = self.spent / self._backups if self._backups else 0.0
        return max(backups, self.seconds / self._seconds if self._seconds else 0.0)

    @property
    def over(self) -> bool:
        """Whether there is no time left at all."""
        return self.remaining <= 0

    def report(self, iteration: int, lower: float | None, upper: float | None, size: int, done: float) -> None:
        """Call the watch at most every 50 ms; it may stop the solver, and is then not called again."""
        now = self.seconds
        self._last = iteration, lower, upper, size, done
        if self._watch is None or self.stopped == "asked" or now - self._reported < SECONDS_BETWEEN_REPORTS:
            return
        self._reported = now
        spent = self.spent / self._backups if self._backups else 0.0
        passed = now / self._seconds if self._seconds else 0.0
        if self._watch(Progress(iteration, now, lower, upper, size, min(1.0, max(done, spent, passed)))):
            self.stopped = "asked"

    def preparing(self, progress: Progress) -> bool:
        """Watch the work before the first backup, which may take a fifth of the seconds."""
        self.report(0, progress.lower, progress.upper, progress.size, 0.0)
        late = self._seconds is not None and self.seconds > PREPARATION * self._seconds
        return late or bool(self.stopped)

    def finishing(self) -> bool:
        """Watch the work after the last backup; return whether it has to end."""
        before = self.stopped
        self.report(*self._last)
        late = self._seconds is not None and self.seconds > (1 + OVERTIME) * self._seconds
        return late or self.stopped != before
