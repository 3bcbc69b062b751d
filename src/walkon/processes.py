"""Processes that work for this one: they leave Ctrl-C to it, and end when it ends.

At a terminal Ctrl-C reaches every process, but only this one knows what should become of the work. So workers ignore
it from their very first instruction: they are started while SIGINT is blocked, and a new process inherits that. An
interrupt that arrives at this process meanwhile is not lost: it is delivered as soon as the worker has been started.

A worker also watches its parent. If that is killed, with no time to say anything, its workers end within a second.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

BETWEEN_LOOKS = 0.5  # seconds, after which a worker looks at its parent even if no one woke it


class Workers(ProcessPoolExecutor):
    """A pool of such processes. Use it as any executor."""

    def __init__(
        self,
        count: int,
        context: BaseContext | None = None,
        begin: Callable[..., None] | None = None,
        given: tuple[Any, ...] = (),
    ) -> None:
        """Make a pool. No process is started before there is work for it.

        Args:
            count: How many processes at most.
            context: How they are started, "fork" or "spawn"; the latter if not given, which is safe beside threads.
            begin: What each of them does before any work.
            given: The arguments of `begin`.
        """
        context = context or multiprocessing.get_context("spawn")
        super().__init__(count, context, initializer=_begin, initargs=(begin, given))
        self._needs_tracker = context.get_start_method() != "fork" and hasattr(signal, "pthread_sigmask")

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Hand over work. This is where processes are started, so interrupts wait until it is done."""
        if self._needs_tracker:
            resource_tracker.ensure_running()  # to start it later would unblock SIGINT before the worker is started
        with interrupts_held():
            return super().submit(fn, *args, **kwargs)

    def kill(self) -> None:
        """End all processes at once, whatever they are doing."""
        for worker in list((self._processes or {}).values()):
            worker.kill()
        self.shutdown(wait=True, cancel_futures=True)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block, and deliver it then, to whoever handles it there.

    Blocking SIGINT protects the processes that are started in the block. It does not hold the signal back in this one,
    where another thread may take it; a handler that remembers does. Both together work everywhere: only the main thread
    handles signals, and where signals cannot be blocked the handler is enough for this process.
    """
    noted: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT) if main else None  # None as well if it was not set by Python
    if before is not None:
        signal.signal(signal.SIGINT, lambda signum, frame: noted.append(signum))
    blocks = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else set()
    try:
        yield
    finally:
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # what was pending is noted here
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if noted:
            signal.raise_signal(signal.SIGINT)


def _begin(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """How every worker begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """End this process when its parent is gone.

    The parent's end closes a pipe, which wakes us; unless another process that was forked from it still holds the pipe.
    Then the system tells us that we have another parent now.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        while parent.is_alive() and (os.name == "nt" or os.getppid() == parent.pid):
            parent.join(BETWEEN_LOOKS)
        os._exit(1)
