"""Solves problems in processes beside the page, which report their progress through shared memory.

A problem that several pages wait for is solved once. When no page waits for it any more, it is stopped.
"""

import asyncio
import multiprocessing
import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from walkon.errors import InputError
from walkon.formats.policy_cache import PolicyCache
from walkon.models.mdp import MDP
from walkon.processes import Workers
from walkon.solvers.solution import Progress
from walkon.solvers.solve import Solver

MOST_WAITING = 32  # problems at once, from all pages
MOST_KEPT = 160  # policies in memory
BETWEEN_LOOKS = 0.1  # seconds

Policy = Any
Watch = Callable[[float], None]
T = TypeVar("T")


class Cache(OrderedDict[Any, T]):
    """A cache that drops the least recently used entry when it is full."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def find(self, key: Any) -> T | None:
        """Return an entry; None if it is missing."""
        return self.keep(key, self[key]) if key in self else None

    def keep(self, key: Any, value: T) -> T:
        """Keep and return an entry."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
        return value


@dataclass(eq=False)
class _Job:
    """A problem that is being solved."""

    work: "Future[Policy]"
    future: "asyncio.Future[Policy]"
    slot: int
    waiting: int = 0


class Solving:
    """The processes that solve problems, and the policies found so far."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._context = multiprocessing.get_context("spawn")  # a page has threads, which a fork would lose
        self._progress = self._context.Array("d", MOST_WAITING, lock=False)
        self._unwanted = self._context.Array("b", MOST_WAITING, lock=False)
        self._pool: Workers | None = None
        self._jobs: dict[str, _Job] = {}
        self._busy: set[int] = set()  # slots
        self._kept: Cache[Policy] = Cache(MOST_KEPT)

    async def policies(self, problems: Sequence[MDP], solver: Solver, watch: Watch | None = None) -> list[Policy]:
        """Solve problems; `watch` is called with the share that is done."""
        keys = [f"{problem.hash} {solver!r}" for problem in problems]
        wanted = dict(zip(keys, problems, strict=True))
        for key, problem in wanted.items():
            if key not in self._kept and key not in self._jobs:
                found = await asyncio.to_thread(PolicyCache().find, problem, solver)
                if found is not None:
                    self._kept.keep(key, found.policy)
        ready = {key: self._kept[key] for key in wanted if key in self._kept}
        mine: dict[str, _Job] = {}
        try:
            for key, problem in wanted.items():
                if key not in ready:
                    mine[key] = self._jobs.get(key) or self._submit(key, problem, solver)
                    mine[key].waiting += 1
            while pending := [job.future for job in mine.values() if not job.future.done()]:
                shares = [1.0 if job.future.done() else self._progress[job.slot] for job in mine.values()]
                if watch is not None:
                    watch((len(ready) + sum(shares)) / len(wanted))
                await asyncio.wait(pending, timeout=BETWEEN_LOOKS)
            ready |= {key: job.future.result() for key, job in mine.items()}
        except BrokenProcessPool:
            self.close()
            raise InputError("the processes that solve problems were killed: try again") from None
        finally:
            for key, job in mine.items():
                self._leave(key, job)
        for key, policy in ready.items():
            self._kept.keep(key, policy)
        return [ready[key] for key in keys]

    def _submit(self, key: str, problem: MDP, solver: Solver) -> _Job:
        free = set(range(MOST_WAITING)) - self._busy
        if not free:
            raise InputError(f"{MOST_WAITING} problems are being solved for other pages: try again later")
        slot, loop = min(free), asyncio.get_running_loop()
        self._progress[slot], self._unwanted[slot] = 0.0, 0
        self._busy.add(slot)
        if self._pool is None:
            self._pool = Workers(self._processes, self._context, _share, (self._progress, self._unwanted))
        work = self._pool.submit(_solve, problem, solver, slot)
        job = _Job(work, asyncio.wrap_future(work), slot)

        def done(_: Any) -> None:
            with suppress(RuntimeError):  # the server has stopped meanwhile
                loop.call_soon_threadsafe(self._finished, key, job)

        work.add_done_callback(done)
        self._jobs[key] = job
        return job

    def _finished(self, key: str, job: _Job) -> None:
        self._busy.discard(job.slot)
        if self._jobs.get(key) is job:
            del self._jobs[key]

    def _leave(self, key: str, job: _Job) -> None:
        """Stop waiting for a problem. If no other page waits for it, it is stopped; a new request starts it again."""
        job.waiting -= 1
        if job.waiting == 0 and not job.work.done():
            self._unwanted[job.slot] = 1
            job.work.cancel()
            if self._jobs.get(key) is job:
                del self._jobs[key]

    def close(self) -> None:
        """End the processes at once: some work does not look whether it is still wanted for a long time."""
        if self._pool is not None:
            self._pool.kill()
            self._pool = None


_shared: list[Any] = []  # in a process that solves: the progress of each slot, and whether it is to stop


def _share(progress: Any, unwanted: Any) -> None:
    lower_priority()
    _shared[:] = progress, unwanted


def lower_priority() -> None:
    """Make this process yield to the page."""
    if hasattr(os, "nice"):
        os.nice(10)


def _solve(problem: MDP, solver: Solver, slot: int) -> Policy:
    progress, unwanted = _shared

    def watch(now: Progress) -> bool:
        progress[slot] = now.done
        return bool(unwanted[slot])

    return PolicyCache().solve(problem, solver, watch=watch).solution.policy
