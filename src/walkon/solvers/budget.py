"""What a solver may spend: backups, seconds, and somebody's patience."""

import math
from time import perf_counter

from walkon.errors import InputError
from walkon.solvers.solution import Progress, Watch

SECONDS_BETWEEN_REPORTS = 0.05
PREPARATION = 0.2  # of the seconds


class Budget:
    """Counts what one solve spends, and says when to stop.

    Attributes:
        reserved: How many backups what is to be done at the end costs as much as: so much earlier the clock stops it.
        stopped: Why the solver has to stop; empty while it may go on.
    """

    def __init__(self, backups: int | None, seconds: float | None, watch: Watch | None = None) -> None:
        if backups is not None and backups < 1:
            raise InputError(f"backups is {backups}, expected at least 1, or None for no limit")
        if seconds is not None and not seconds > 0:
            raise InputError(f"seconds is {seconds}, expected a positive number, or None for no limit")
        self._backups, self._seconds, self._watch = backups, seconds, watch
        self._began = perf_counter()
        self._reported = -math.inf  # so that a watch hears of every solve, however short
        self._first: tuple[float, int] | None = None  # when the first backups were made, and how many
        self.spent = 0
        self.reserved = 0.0
        self.stopped = ""

    @property
    def seconds(self) -> float:
        """The seconds since the solve began."""
        return perf_counter() - self._began

    @property
    def left(self) -> int | None:
        """How many backups are left, None where there is no limit."""
        return None if self._backups is None else self._backups - self.spent

    def spend(self, backups: int = 1) -> None:
        """Count backups."""
        self.spent += backups
        now = self.seconds
        self._first = self._first or (now, self.spent)
        began, before = self._first
        each = (now - began) / max(1, self.spent - before)
        if self._backups is not None and self.spent >= self._backups:
            self.stopped = "backups"
        elif self._seconds is not None and now + self.reserved * each >= self._seconds:
            self.stopped = "seconds"

    @property
    def over(self) -> bool:
        """Whether there is no time left at all."""
        return self._seconds is not None and self.seconds >= self._seconds

    def report(self, iteration: int, lower: float | None, upper: float | None, size: int, done: float) -> None:
        """Tell the watcher, now and then; it may ask to stop."""
        now = self.seconds
        if self._watch is None or now - self._reported < SECONDS_BETWEEN_REPORTS:
            return
        self._reported = now
        spent = self.spent / self._backups if self._backups else 0.0
        passed = now / self._seconds if self._seconds else 0.0
        if self._watch(Progress(iteration, now, lower, upper, size, min(1.0, max(done, spent, passed)))):
            self.stopped = "asked"

    def preparing(self, progress: Progress) -> bool:
        """A watch for what comes before the first backup: it may take a fifth of the seconds."""
        self.report(0, progress.lower, progress.upper, progress.size, 0.0)
        late = self._seconds is not None and self.seconds > PREPARATION * self._seconds
        return late or bool(self.stopped)


def check_share(name: str, value: float) -> None:
    """An option that is a share has to lie between 0 and 1."""
    if not 0 <= value <= 1:
        raise InputError(f"{name} is {value}, expected a share from 0 to 1")
