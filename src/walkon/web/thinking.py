"""Work for pages on threads beside the event loop: every decision of an agent, replayed moves, opened episodes, films.

The hot loops are kernels that release the interpreter, so threads are enough, and nothing has to be copied to another
process. Every page has at most one piece of work under way, so pieces are done in turns. Work in several parts goes
back to the end of the queue after a short while; it is stopped between two parts when no page waits for it any more.
Work that was quick before has threads of its own, so no page waits for the slow agent of another.
"""

import asyncio
import math
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from walkon.errors import InputError
from walkon.web.solving import Cache

BUDGET = 60.0  # seconds of work for one request of a page
QUICK = 0.05  # CPU seconds of a part: work of this kind has threads of its own
SLICE = 0.25  # CPU seconds after which work in several parts goes back to the end of the queue
THREADS = 2  # for quick work, and as many for slow work
MOST_GIVEN_UP = 8  # parts over the budget that may still be running; after that, threads are not replaced
MOST_KINDS = 256
NICE = 10

T = TypeVar("T")


class OverBudgetError(InputError):
    """Work that takes longer than a page may ask for."""


class Visitor:
    """One page's place in the queue."""

    def __init__(self) -> None:
        self.present = True  # whether the page is connected; its work waits while it is not
        self.busy = False  # whether a thread is working for it
        self.spent = 0.0  # CPU seconds since its last request


class _Done(NamedTuple):
    """How far a thread got with a job."""

    finished: bool
    seconds: float  # of CPU
    parts: int
    problem: Exception | None  # that was raised


@dataclass(eq=False, repr=False)
class _Job:
    """Work that is waiting or under way."""

    visitor: Visitor
    parts: Iterator[Any]
    kind: Hashable
    watch: Callable[[Any], None] | None
    future: "asyncio.Future[Any]"
    latest: Any = None
    given_up: bool = False


@dataclass(eq=False)
class _Lane:
    """Threads, and the jobs that wait for them."""

    slow: bool
    idle: int = THREADS
    started: int = 0
    tasks: "SimpleQueue[Callable[[], None]]" = field(default_factory=SimpleQueue)
    given_up: int = 0
    waiting: deque[_Job] = field(default_factory=deque)


class Thinking:
    """The threads for all pages."""

    def __init__(self) -> None:
        self._quick, self._slow = _Lane(slow=False), _Lane(slow=True)
        self._seconds: Cache[float] = Cache(MOST_KINDS)  # CPU seconds of the last parts, by kind

    def is_slow(self, kind: Hashable) -> bool:
        """Whether work of this kind may take long: its last parts did, or there were none yet."""
        return self._seconds.get(kind, math.inf) > QUICK

    @property
    def busy(self) -> bool:
        """Whether a thread is working."""
        return any(lane.idle < THREADS or lane.given_up for lane in (self._quick, self._slow))

    async def run(
        self,
        visitor: Visitor,
        parts: Iterable[T],
        kind: Hashable = None,
        watch: Callable[[T], None] | None = None,
    ) -> T:
        """Do all parts of some work on a thread, and return the last one.

        Work of one kind takes as long each time, such as one agent's decisions. Work without a kind is slow, and goes
        on while the page is not connected: what it makes is of use to others too. `watch` is called with the latest
        part now and then, and before an error is raised. Cancelling this stops the work after its present part.
        """
        job = _Job(visitor, iter(parts), kind, watch, asyncio.get_running_loop().create_future())
        lane = self._slow if self.is_slow(kind) else self._quick
        lane.waiting.append(job)
        self._dispatch()
        try:
            found: T = await job.future
            return found
        finally:
            if job in lane.waiting:  # an error of `remove` would print the whole game, which is slow
                lane.waiting.remove(job)

    async def call(self, visitor: Visitor, work: Callable[[], T], kind: Hashable = None) -> T:
        """Do work that has one part."""
        return await self.run(visitor, (work() for _ in range(1)), kind)

    def put(self, visitor: Visitor, *, present: bool) -> None:
        """Note that a page is connected or not."""
        visitor.present = present
        self._dispatch()

    def _dispatch(self) -> None:
        for lane in (self._quick, self._slow):
            for job in list(lane.waiting):
                wanted = job.visitor.present or job.kind is None
                if lane.idle and wanted and not job.visitor.busy:
                    lane.waiting.remove(job)
                    self._begin(lane, job)

    def _begin(self, lane: _Lane, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        lane.idle -= 1
        job.visitor.busy = True
        patience = loop.call_later(BUDGET, self._give_up, lane, job)

        def work() -> None:
            outcome = _slice(job)
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(self._done, lane, job, outcome, patience)

        lane.tasks.put(work)
        if lane.started < THREADS - lane.idle + lane.given_up:
            lane.started += 1
            threading.Thread(target=_serve, args=(lane,), daemon=True).start()  # a daemon does not delay the end

    def _give_up(self, lane: _Lane, job: _Job) -> None:
        """Stop waiting for a part that takes too long. It cannot be stopped, so another thread takes its place."""
        if lane.given_up < MOST_GIVEN_UP:
            job.given_up = True
            lane.given_up += 1
            lane.idle += 1
        if not job.future.done():
            job.future.set_exception(_over_budget())
        self._dispatch()

    def _done(self, lane: _Lane, job: _Job, done: _Done, patience: asyncio.TimerHandle) -> None:
        patience.cancel()
        if job.given_up:
            lane.given_up -= 1
        else:
            lane.idle += 1
        job.visitor.busy = False
        job.visitor.spent += done.seconds
        if done.parts and job.kind is not None:
            self._seconds.keep(job.kind, done.seconds / done.parts)
        if not job.future.done():
            self._answer(lane, job, done)
        self._dispatch()

    def _answer(self, lane: _Lane, job: _Job, done: _Done) -> None:
        if job.watch is not None and job.latest is not None:
            job.watch(job.latest)
        if done.problem is not None:
            job.future.set_exception(done.problem)
        elif done.finished:
            job.future.set_result(job.latest)
        elif job.visitor.spent > BUDGET:
            job.future.set_exception(_over_budget())
        else:
            lane.waiting.append(job)


def _serve(lane: _Lane) -> None:
    """Do the work of a lane, on a thread that stays: to start one takes as long as many a decision."""
    if lane.slow:
        _lower_thread_priority()
    while True:
        lane.tasks.get()()


def _slice(job: _Job) -> _Done:
    """Do some parts of a job, on a thread."""
    began, parts, finished, problem = time.thread_time(), 0, True, None
    try:
        for latest in job.parts:
            job.latest = latest
            parts += 1
            if job.future.done() or time.thread_time() - began > SLICE:
                finished = False
                break
    except Exception as raised:  # whoever waits for the job handles it
        problem = raised
    return _Done(finished, time.thread_time() - began, parts, problem)


def _over_budget() -> OverBudgetError:
    return OverBudgetError(
        f"this takes more than the {BUDGET:.0f} seconds that a page may have: take a smaller world or another agent"
    )


def _lower_thread_priority() -> None:
    """Make this thread yield to the page, where a thread has a priority of its own."""
    if sys.platform == "linux":
        os.nice(NICE)
