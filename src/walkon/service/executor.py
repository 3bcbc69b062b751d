"""Runs the work of requests on threads, so that no request of one session holds up the others."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, TypeVar

from walkon.service.messages import BUSY, LATE, RefusalError

WORKERS = 4
EACH = 8  # requests of one session that may wait
T = TypeVar("T")


@dataclass(eq=False)
class Queue:
    """The requests of one session: one is worked on, the others wait without holding a thread."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Executor:
    """Runs up to `most` pieces of work at once, waiting or running, each within `deadline` seconds.

    Work that has not begun at its deadline is dropped. Work that has begun is finished: the step is then in the
    journal, and sending it again returns its answer. Until it is finished it counts as waiting, so that a service that
    is too slow refuses new work. Replays have a thread of their own, one replay at a time.
    """

    def __init__(self, deadline: float = 5.0, most: int = 64) -> None:
        self.deadline, self.most, self.waiting = deadline, most, 0
        self._queues: dict[str, Queue] = {}
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="walkon")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="walkon-replay")
        self._reading = False

    async def done(self, work: Callable[[], T], session: str = "") -> T:
        """Run the work, and return its result in time. Work on one session is done one after another."""
        if self.waiting >= self.most:
            raise RefusalError(BUSY, f"{self.waiting} requests are waiting, the most there may be: send it again", 1)
        queue = self._queues.setdefault(session, Queue()) if session else Queue()
        if queue.length >= EACH:
            raise RefusalError(BUSY, f'{EACH} requests of session "{session}" are waiting: send it again later', 1)
        self.waiting += 1
        queue.length += 1
        began, job = perf_counter(), None
        try:
            async with asyncio.timeout(self.deadline):
                await queue.turn.acquire()
            job = self._pool.submit(work)
        except TimeoutError:
            raise self._late() from None
        finally:
            if job is None:
                self._left(session, queue)
        return await self._result(job, lambda: self._finished(session, queue), began)

    async def pieces(self, work: Iterator[T]) -> AsyncGenerator[T]:
        """Run a replay piece by piece, each within the deadline; it stops if nobody takes the pieces any more."""
        if self._reading:
            raise RefusalError(BUSY, "another session is being replayed: send it again when that is done", 1)
        self._reading, nothing = True, object()
        job: Future[Any] | None = None
        try:
            while True:
                job = self._reader.submit(next, work, nothing)
                piece = await self._result(job, lambda: None, perf_counter())
                if piece is nothing:
                    return
                yield piece
        finally:
            if job is None or job.done():
                self._reading = False
            else:  # a piece that takes too long is finished first
                loop = asyncio.get_running_loop()
                job.add_done_callback(lambda _: _call(loop, self._free))

    async def _result(self, job: "Future[T]", finished: Callable[[], None], began: float) -> T:
        """Wait for a job until its deadline; `finished` is called when it is done, even if that is later."""
        loop = asyncio.get_running_loop()
        job.add_done_callback(lambda _: _call(loop, finished))
        future = asyncio.wrap_future(job)
        future.add_done_callback(_retrieved)
        done, _ = await asyncio.wait([future], timeout=max(0.0, began + self.deadline - perf_counter()))
        if not done:
            job.cancel()  # unless it has begun
            raise self._late()
        return future.result()

    def _late(self) -> RefusalError:
        return RefusalError(
            LATE, f"it took longer than {self.deadline:g} s: send it again, a step is never taken twice", 1
        )

    def _finished(self, session: str, queue: Queue) -> None:
        queue.turn.release()
        self._left(session, queue)

    def _left(self, session: str, queue: Queue) -> None:
        self.waiting -= 1
        queue.length -= 1
        if not queue.length:
            self._queues.pop(session, None)

    def _free(self) -> None:
        self._reading = False

    def close(self) -> None:
        """Finish the work that has begun."""
        for pool in (self._pool, self._reader):
            pool.shutdown(wait=True, cancel_futures=True)


def _call(loop: asyncio.AbstractEventLoop, finished: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the service has ended
        loop.call_soon_threadsafe(finished)


def _retrieved(future: "asyncio.Future[T]") -> None:
    """Mark an exception as retrieved, as the client may have left."""
    if not future.cancelled():
        future.exception()
