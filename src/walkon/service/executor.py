"""Has work done in time. What waits is bounded, and nobody waits longer than the deadline.

Work that was begun is finished, also when its deadline has passed: a step is in the journal then, and telling it again
gives its answer. Until it is finished it counts as waiting, so that a service that is too slow turns new work away.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from walkon.service.refusal import BUSY, LATE, RefusalError

WORKERS = 4
T = TypeVar("T")


class Executor:
    """Takes work, up to a limit."""

    def __init__(self, deadline: float = 5.0, most: int = 64) -> None:
        """Begin empty.

        Args:
            deadline: How many seconds anybody waits.
            most: How much work may wait or be under way at once.
        """
        self.deadline, self.most, self.waiting = deadline, most, 0
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="walkon")

    async def done(self, work: Callable[[], T]) -> T:
        """What the work gives, in time."""
        if self.waiting >= self.most:
            raise RefusalError(BUSY, f"{self.waiting} requests are waiting, the most there may be: send it again", 1)
        self.waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._finished)
        finished, _ = await asyncio.wait([future], timeout=self.deadline)
        if not finished:
            raise RefusalError(
                LATE, f"it took longer than {self.deadline:g} s: send it again, a step is never taken twice", 1
            )
        return future.result()

    def _finished(self, future: "asyncio.Future[T]") -> None:
        self.waiting -= 1
        if not future.cancelled():
            future.exception()  # somebody has looked at it, or nobody waits for it any more

    def close(self) -> None:
        """Finish what was begun."""
        self._pool.shutdown(wait=True, cancel_futures=True)
