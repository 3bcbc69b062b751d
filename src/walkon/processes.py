"""Worker processes that leave Ctrl-C to their parent, and end when it ends.

At a terminal Ctrl-C reaches every process, but only the parent can decide what happens to the work. Workers ignore it
from their first instruction: they are started while SIGINT is blocked, and a new process inherits that. An interrupt
that arrives at the parent meanwhile is not lost: it is delivered as soon as the worker has been started.

A worker also watches its parent. If the parent is killed, its workers end within a second.

Python handles a signal between two instructions of the main thread. One that arrives just before a wait, or that
another thread receives, does not end the wait. So the main thread waits at most `LONGEST_WAIT` without a pause.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

BETWEEN_LOOKS = 0.5  # seconds between two checks of the parent
LONGEST_WAIT = 0.25  # seconds that the main thread waits without a pause


class Workers(ProcessPoolExecutor):
    """A pool of such processes, used like any executor."""

    def __init__(
        self,
        count: int,
        context: BaseContext | None = None,
        begin: Callable[..., None] | None = None,
        given: tuple[Any, ...] = (),
    ) -> None:
        """Make a pool of at most `count` processes, which start when there is work; each first calls `begin(*given)`.

        They are spawned by default, which is safe beside threads.
        """
        context = context or multiprocessing.get_context("spawn")
        super().__init__(count, context, initializer=_begin, initargs=(begin, given))
        self._needs_tracker = context.get_start_method() != "fork" and hasattr(signal, "pthread_sigmask")

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit work. This starts processes, so interrupts are held back meanwhile."""
        if self._needs_tracker:
            resource_tracker.ensure_running()  # to start it later would unblock SIGINT before the worker is started
        with interrupts_held():
            return super().submit(fn, *args, **kwargs)

    def kill(self) -> None:
        """Kill all processes at once."""
        for worker in list((self._processes or {}).values()):
            worker.kill()
        self.shutdown(wait=True, cancel_futures=True)


def first_done(futures: Iterable[Future[T]]) -> Future[T]:
    """Wait for one of the futures and return it. Ctrl-C ends the wait."""
    asked = list(futures)
    while not (done := wait(asked, timeout=LONGEST_WAIT, return_when=FIRST_COMPLETED).done):
        pass
    return next(iter(done))


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block, and then deliver it to the handler that was set before.

    Blocking SIGINT protects the processes that are started in the block. It does not hold the signal back in this one,
    where another thread may receive it; a handler that remembers it does. Both together work everywhere: only the main
    thread handles signals, and where signals cannot be blocked, the handler is enough for this process.
    """
    noted: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if main else None  # also None if it was not set by Python
    if before is not None:
        signal.signal(signal.SIGINT, lambda signum, frame: noted.append(signum))
    blocks = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else set()
    try:
        yield
    finally:
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # a pending signal is noted here
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if noted:
            signal.raise_signal(signal.SIGINT)


def _begin(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """Initialize a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """End this process when its parent is gone.

    The parent's end closes a pipe, which wakes this thread, unless another process that was forked from it still holds
    the pipe. Then the system reports another parent.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        while parent.is_alive() and (os.name == "nt" or os.getppid() == parent.pid):
            parent.join(BETWEEN_LOOKS)
        os._exit(1)
