"""Where the work of a run is done: in this process, in processes of this machine, or on a Dask cluster.

All give the same answers, whatever their number and order. A worker that dies is replaced, and what it was doing is
done again.
"""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol, TypeAlias

from walkon.errors import InputError
from walkon.processes import Workers
from walkon.runs.outcome import Outcome
from walkon.runs.work import play_trials, solve
from walkon.solvers.parallel import cores
from walkon.trials.trial import MeasuredTrial, Problem

Trials: TypeAlias = tuple[MeasuredTrial, ...]
Request: TypeAlias = Problem | Trials
Answer: TypeAlias = dict[str, Any] | Sequence[Outcome]  # the facts about a policy | the outcomes of trials

DEATHS = 3  # workers that may die in a row


class Pool(Protocol):
    """What does the work."""

    slots: int  # how many requests it works on at once

    def ask(self, request: Request) -> None:
        """Begin to solve a problem, or to play trials whose problems are solved."""

    def next(self) -> tuple[Request, Answer]:
        """Wait until one request is done."""

    def close(self) -> None:
        """Drop what is not done."""


def answer(request: Request, folder: str) -> Answer:
    """Solve or play, with the policies kept in a folder."""
    return solve(request, folder).facts if isinstance(request, Problem) else play_trials(request, folder)


class Alone:
    """One request after another, in this process."""

    slots = 1

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._asked: list[Request] = []

    def ask(self, request: Request) -> None:
        """Remember the request."""
        self._asked.append(request)

    def next(self) -> tuple[Request, Answer]:
        """Do the oldest one."""
        request = self._asked.pop(0)
        return request, answer(request, self._folder)

    def close(self) -> None:
        """Nothing is going on."""
        self._asked.clear()


class Processes:
    """Processes of this machine."""

    def __init__(self, folder: str, jobs: int) -> None:
        self.slots = jobs
        self._folder = folder
        self._asked: dict[Future[Answer], Request] = {}
        self._deaths = 0
        self._start()

    def _start(self) -> None:
        self._pool = Workers(self.slots)

    def ask(self, request: Request) -> None:
        """Hand the request to a process that is free."""
        try:
            self._asked[self._pool.submit(answer, request, self._folder)] = request
        except BrokenProcessPool:
            self._again(request)

    def next(self) -> tuple[Request, Answer]:
        """Whatever is done first. If a process died, new ones do again what was not done."""
        while True:
            done = next(iter(wait(self._asked, return_when=FIRST_COMPLETED).done))
            request = self._asked.pop(done)
            try:
                found = done.result()
            except BrokenProcessPool:
                self._again(request)
                continue
            self._deaths = 0
            return request, found

    def _again(self, request: Request) -> None:
        """New processes, and everything that the old ones had not done."""
        self._deaths += 1
        if self._deaths > DEATHS:
            raise InputError(
                f"{self._deaths} worker processes died one after another: is there enough memory? "
                "Try again with fewer --jobs; all that was finished is kept"
            )
        lost = [request, *self._asked.values()]
        self._asked.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._start()
        for each in lost:
            self.ask(each)

    def close(self) -> None:
        """Kill the processes: what they have not finished is not waited for."""
        self._pool.kill()


def local_pool(folder: str, jobs: int | None = None) -> Pool:
    """The processes of this machine: as many as it has cores if not given."""
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs is {jobs}, expected at least 1")
    count = jobs or cores()
    return Alone(folder) if count == 1 else Processes(folder, count)
