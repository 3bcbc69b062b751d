"""A run: solves and plays everything that is missing, and stores each result as soon as it is there.

The work is done in this process, in processes of this machine, or on a Dask cluster. All give the same answers,
whatever the number of workers and their order. A worker that dies is replaced, and its work is done again.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from walkon.errors import InputError
from walkon.processes import Workers, first_done
from walkon.runs.store import Result, Store
from walkon.runs.work import Solved, play_trials, problems_of, solve
from walkon.solvers.parallel import cores
from walkon.trials.trial import TIMED, MeasuredTrial, Problem, Recipe

Trials: TypeAlias = tuple[MeasuredTrial, ...]
Request: TypeAlias = Problem | Trials
Answer: TypeAlias = dict[str, Any] | Sequence[Result]  # the facts about a policy | the results of trials

DEATHS = 3  # workers that may die in a row
PATIENCE = "30s"  # to find the scheduler of a cluster
TOGETHER = 64  # trials that are played in one go
SOLVING, PLAYING = 0.6, 0.02  # seconds of one core for a problem and a trial: the average over all of the paper


def answer(request: Request, folder: str) -> Answer:
    """Solve or play, with the policies kept in a folder."""
    return solve(request, folder).facts if isinstance(request, Problem) else play_trials(request, folder)


class Alone:
    """One request after another, in this process."""

    slots = 1  # how many requests it works on at once

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._asked: list[Request] = []

    def ask(self, request: Request) -> None:
        """Remember the request: to solve a problem, or to play trials whose problems are solved."""
        self._asked.append(request)

    def next(self) -> tuple[Request, Answer]:
        """Do the oldest request."""
        request = self._asked.pop(0)
        return request, answer(request, self._folder)

    def close(self) -> None:
        """Forget the requests."""
        self._asked.clear()


class Processes:
    """Processes of this machine."""

    def __init__(self, folder: str, jobs: int) -> None:
        self.slots = jobs
        self._folder = folder
        self._asked: dict[Future[Answer], Request] = {}
        self._deaths = 0
        self._pool = Workers(jobs)

    def ask(self, request: Request) -> None:
        """Hand the request to a process that is free."""
        try:
            self._asked[self._pool.submit(answer, request, self._folder)] = request
        except BrokenProcessPool:
            self._again(request)

    def next(self) -> tuple[Request, Answer]:
        """Wait for the request that is done first. If a process died, new ones do its work again."""
        while True:
            done = first_done(self._asked)
            request = self._asked.pop(done)
            try:
                found = done.result()
            except BrokenProcessPool:
                self._again(request)
                continue
            self._deaths = 0
            return request, found

    def _again(self, request: Request) -> None:
        """Start new processes, and give them everything that the old ones had not done."""
        self._deaths += 1
        if self._deaths > DEATHS:
            raise InputError(
                f"{self._deaths} worker processes died one after another: is there enough memory? "
                "Try again with fewer --jobs; all that was finished is kept"
            )
        lost = [request, *self._asked.values()]
        self._asked.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = Workers(self.slots)
        for each in lost:
            self.ask(each)

    def close(self) -> None:
        """Kill the processes without waiting for unfinished work."""
        self._pool.kill()


class Cluster:
    """The workers of a Dask cluster (extra `cluster`).

    A policy is solved once, stays in the memory of the workers and is sent to those that play with it; only its facts
    come back here. Dask gives the work of a worker that died to another one.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise InputError("a Dask cluster needs the package's extra: pip install 'walkon[cluster]'") from None
        try:
            self._client = Client(address, timeout=PATIENCE)
        except (OSError, TimeoutError, ValueError) as cause:
            raise InputError(f"no Dask scheduler answers at {address} ({cause}): is the address right?") from None
        self.slots = 2 * max(1, sum(self._client.nthreads().values()))
        self._solved: dict[Problem, Any] = {}  # futures of `Solved`
        self._asked: dict[Any, Request] = {}

    def ask(self, request: Request) -> None:
        """Submit the request; the policies that it needs are sent by the workers that have them."""
        if isinstance(request, Problem):
            self._solved[request] = self._client.submit(solve, request, None, pure=False)
            future = self._client.submit(attrgetter("facts"), self._solved[request], pure=False)
        else:
            problems = {problem: None for trial in request for problem in problems_of(trial)}
            future = self._client.submit(_play, request, [self._solved[each] for each in problems], pure=False)
        self._asked[future] = request

    def next(self) -> tuple[Request, Answer]:
        """Wait for the request that is done first."""
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
        """Disconnect from the cluster, which goes on running."""
        self._asked.clear()
        self._solved.clear()
        self._client.close()


def _play(trials: Trials, solved: list[Solved]) -> list[Result]:
    return play_trials(trials, None, {each.problem: each.policy for each in solved})


Pool: TypeAlias = Alone | Processes | Cluster


def local_pool(folder: str, jobs: int | None = None) -> Pool:
    """Return the workers of this machine: as many processes as it has cores if not given."""
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs is {jobs}, expected at least 1")
    count = jobs or cores()
    return Alone(folder) if count == 1 else Processes(folder, count)


class Progress(NamedTuple):
    """How far a run is."""

    solved: int
    problems: int
    solved_work: float  # the share of the solving that is done, large problems counting more
    played: int
    trials: int
    kept: int  # trials that were stored before
    now: str  # the request that was finished last


Watch: TypeAlias = Callable[[Progress], None]


class Plan(NamedTuple):
    """What a run has to do."""

    missing: list[MeasuredTrial]
    kept: int  # trials that were stored before
    problems: dict[Problem, float]  # that the missing trials need solved, with about how long each takes, in any unit

    @classmethod
    def of(cls, trials: Iterable[MeasuredTrial], store: Store | None) -> "Plan":
        """Find the trials that the store does not have, if there is one, and their problems."""
        wanted = list(dict.fromkeys(trials))
        finished = store.finished() if store is not None else ()
        missing = [trial for trial in wanted if trial.key not in finished]
        needed = dict.fromkeys(problem for trial in missing for problem in problems_of(trial))
        return cls(missing, len(wanted) - len(missing), {problem: _weight(problem) for problem in needed})

    @property
    def seconds(self) -> float | None:
        """Roughly how many seconds of one core it takes; None for another solver than Perseus, or other options."""
        if any(problem.recipe != Recipe(seed=problem.recipe.seed) for problem in self.problems):
            return None
        return SOLVING * len(self.problems) + PLAYING * len(self.missing)


def run(
    trials: Iterable[MeasuredTrial], store: Store, pool: Pool, watch: Watch | None = None, together: int = TOGETHER
) -> None:
    """Run all trials that the store does not have, and store them in groups of so many."""
    missing, kept, problems = Plan.of(trials, store)
    waiting = {unit: {each for trial in unit for each in problems_of(trial)} for unit in _units(missing, together)}
    unsolved = deque(sorted(problems, key=lambda each: -problems[each]))
    ready: deque[Trials] = deque()
    solved: set[Problem] = set()
    played = going = 0
    tell = watch or (lambda progress: None)

    def report(now: str) -> None:
        work = sum(problems[each] for each in solved) / max(sum(problems.values()), 1e-9)
        tell(Progress(len(solved), len(problems), work, played, len(missing), kept, now))

    report("")
    while played < len(missing):
        for unit in [each for each, needs in waiting.items() if needs <= solved and each[0].measure not in TIMED]:
            del waiting[unit]
            ready.append(unit)
        while going < pool.slots and (ready or unsolved):
            pool.ask(ready.popleft() if ready else unsolved.popleft())
            going += 1
        if not going:  # only timed trials are left, which run alone
            unit = next(iter(waiting))
            del waiting[unit]
            pool.ask(unit)
            going += 1
        request, found = pool.next()
        going -= 1
        if isinstance(request, Problem):
            assert isinstance(found, dict)
            store.add_policy(found)
            solved.add(request)
        else:
            assert not isinstance(found, dict)
            store.add(zip(request, found, strict=True))
            played += len(request)
        report(_describe(request))


def _units(trials: Iterable[MeasuredTrial], together: int) -> list[Trials]:
    """Group trials that are played in one go: of one world, measured alike, not too many."""
    groups: dict[tuple[object, ...], list[MeasuredTrial]] = {}
    for trial in trials:
        alone = (trial.agent,) if trial.measure in TIMED else ()
        groups.setdefault((trial.world, trial.measure, *alone), []).append(trial)
    return [
        tuple(group[first : first + together]) for group in groups.values() for first in range(0, len(group), together)
    ]


def _weight(problem: Problem) -> float:
    """Estimate how long a problem takes to solve, in any unit, so that the longest start first."""
    (states, observations), tasks = problem.world.scale, problem.world.size
    return float((tasks if problem.task is None else 1) * (states / tasks * observations) ** 1.25)


def _describe(request: Request) -> str:
    if isinstance(request, Problem):
        return f"solved {request.name}"
    return f"played {len(request)} trials of {request[0].world.domain}"
