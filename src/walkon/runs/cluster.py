"""The work of a run on a Dask cluster (extra `cluster`).

A policy is solved once, stays in the memory of the workers and is sent to those that play with it; only its facts come
back here. Dask gives the work of a worker that died to another one.
"""

from typing import Any

from walkon.errors import InputError
from walkon.runs.outcome import Outcome
from walkon.runs.pools import Answer, Request, Trials
from walkon.runs.work import Solved, play_trials, problems_of, solve
from walkon.trials.trial import Problem

MISSING = "a Dask cluster needs the package's extra: pip install 'walkon[cluster]'"
PATIENCE = "30s"  # to find the scheduler


class Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise InputError(MISSING) from None
        try:
            self._client = Client(address, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError) as cause:
            raise InputError(f"no Dask scheduler answers at {address} ({cause}): is the address right?") from None
        self.slots = 2 * max(1, sum(self._client.nthreads().values()))
        self._solved: dict[Problem, Any] = {}  # futures of `Solved`
        self._asked: dict[Any, Request] = {}

    def ask(self, request: Request) -> None:
        """Submit the request; what it rests on is sent by the workers that have it."""
        if isinstance(request, Problem):
            self._solved[request] = self._client.submit(solve, request, None, pure=False)
            future = self._client.submit(_facts, self._solved[request], pure=False)
        else:
            problems = {problem: None for trial in request for problem in problems_of(trial)}
            future = self._client.submit(_play, request, [self._solved[each] for each in problems], pure=False)
        self._asked[future] = request

    def next(self) -> tuple[Request, Answer]:
        """Whatever is done first."""
        from distributed import wait
        from distributed.scheduler import KilledWorker

        done = next(iter(wait(list(self._asked), return_when="FIRST_COMPLETED").done))
        request = self._asked.pop(done)
        try:
            return request, done.result()
        except KilledWorker:
            raise InputError(
                "workers of the cluster died again and again on the same work: have they enough memory? "
                "All that was finished is kept"
            ) from None

    def close(self) -> None:
        """Let the cluster go; it is not ours to stop."""
        self._asked.clear()
        self._solved.clear()
        self._client.close()


def _facts(solved: Solved) -> dict[str, Any]:
    return solved.facts


def _play(trials: Trials, solved: list[Solved]) -> list[Outcome]:
    return play_trials(trials, None, {each.problem: each.policy for each in solved})
