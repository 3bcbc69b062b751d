"""What a solver may spend: backups, seconds, and somebody's patience."""

from time import perf_counter

from walkon.errors import InputError
from walkon.solvers.solution import Progress, Watch

SECONDS_BETWEEN_REPORTS = 0.05


class Budget:
    """Counts what one solve spends, and says when to stop.

    Attributes:
        stopped: Why the solver has to stop; empty while it may go on.
    """

    def __init__(self, backups: int | None, seconds: float | None, watch: Watch | None) -> None:
        if backups is not None and backups < 1:
            raise InputError(f"backups is {backups}, expected at least 1, or None for no limit")
        if seconds is not None and not seconds > 0:
            raise InputError(f"seconds is {seconds}, expected a positive number, or None for no limit")
        self._backups, self._seconds, self._watch = backups, seconds, watch
        self._began = perf_counter()
        self._reported = 0.0
        self.spent = 0
        self.stopped = ""

    @property
    def seconds(self) -> float:
        """The seconds since the solve began."""
        return perf_counter() - self._began

    def spend(self) -> None:
        """Count one backup."""
        self.spent += 1
        if self._backups is not None and self.spent >= self._backups:
            self.stopped = "backups"
        elif self._seconds is not None and self.seconds >= self._seconds:
            self.stopped = "seconds"

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
