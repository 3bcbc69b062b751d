"""Runs work within a deadline, with a bounded queue.

Work that was started is finished, even after its deadline: the step is then in the journal, and sending it again
returns its answer. Until it is finished it counts as waiting, so that a service that is too slow refuses new work.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from walkon.service.refusal import BUSY, LATE, RefusalError

WORKERS = 4
T = TypeVar("T")


class Executor:
    """Runs up to `most` pieces of work at once, waiting or running, each within `deadline` seconds."""

    def __init__(self, deadline: float = 5.0, most: int = 64) -> None:
        self.deadline, self.most, self.waiting = deadline, most, 0
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="walkon")

    async def done(self, work: Callable[[], T]) -> T:
        """Run the work, and return its result in time."""
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
            future.exception()  # marks it as retrieved, as the client may have left

    def close(self) -> None:
        """Finish the work that was started."""
        self._pool.shutdown(wait=True, cancel_futures=True)
