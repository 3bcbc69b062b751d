"""What one page asks for: one thing at a time.

A game that is being prepared gives way to the next request for a game, and a look at a moment to the next look. A step
is played to its end: what is asked meanwhile is done afterwards.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Literal

MOST_LATER = 4  # requests that wait for a step; more are dropped

Kind = Literal["game", "step", "look"]
Work = Callable[[], Coroutine[None, None, None]]


class Requests:
    """The request that is being worked on, and those that wait for it."""

    def __init__(self, done: Callable[[], None], failed: Callable[[Exception], None]) -> None:
        self._done, self._failed = done, failed  # called after each request
        self._task: asyncio.Task[None] | None = None
        self._later: deque[Callable[[], None]] = deque()
        self.kind: Kind | None = None  # of the request that is being worked on; None if there is none

    def start(self, kind: Kind, work: Work) -> None:
        """Work on a request in place of the present one. A game also takes the place of what waits."""
        if kind == "game":
            self._later.clear()
        self._cancel()
        self.kind = kind
        self._task = asyncio.get_running_loop().create_task(self._work(work))

    async def _work(self, work: Work) -> None:
        try:
            await work()
            self._end()
            self._done()
        except Exception as problem:
            self._end()
            self._later.clear()
            self._failed(problem)
        while self._later and self.kind is None:
            self._later.popleft()()

    def _end(self) -> None:
        self._task = self.kind = None

    def soon(self, action: Callable[[], None]) -> None:
        """Do something now, or after the step that is being played."""
        if self.kind == "look":
            self._cancel()
        if self.kind != "step":
            action()
        elif len(self._later) < MOST_LATER:
            self._later.append(action)

    def stop(self) -> None:
        """Stop working, and forget what waits."""
        self._later.clear()
        self._cancel()

    def _cancel(self) -> None:
        task = self._task
        self._end()
        if task is not None:
            task.cancel()

    async def settled(self) -> None:
        """Wait until nothing is being worked on."""
        while self._task is not None:
            await asyncio.wait([self._task])
