"""A run: solves and plays everything that is missing, and stores each result as soon as it is there."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from walkon.runs.pools import Pool, Request, Trials
from walkon.runs.store import Store
from walkon.runs.work import problems_of
from walkon.trials.trial import TIMED, MeasuredTrial, Problem

TOGETHER = 64  # trials that are played in one go


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


def run(trials: Iterable[MeasuredTrial], store: Store, pool: Pool, watch: Watch | None = None) -> None:
    """Run all trials that the store does not have."""
    wanted = list(dict.fromkeys(trials))
    finished = store.finished()
    missing = [trial for trial in wanted if trial.key not in finished]
    problems = {problem: _weight(problem) for trial in missing for problem in problems_of(trial)}
    waiting = {unit: {each for trial in unit for each in problems_of(trial)} for unit in _units(missing)}
    unsolved = deque(sorted(problems, key=lambda each: -problems[each]))
    ready: deque[Trials] = deque()
    solved: set[Problem] = set()
    played = going = 0
    tell = watch or (lambda progress: None)

    def report(now: str) -> None:
        work = sum(problems[each] for each in solved) / max(sum(problems.values()), 1e-9)
        kept = len(wanted) - len(missing)
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


def _units(trials: Iterable[MeasuredTrial]) -> list[Trials]:
    """Group trials that are played in one go: of one world, measured alike, not too many."""
    groups: dict[tuple[object, ...], list[MeasuredTrial]] = {}
    for trial in trials:
        alone = (trial.agent,) if trial.measure in TIMED else ()
        groups.setdefault((trial.world, trial.measure, *alone), []).append(trial)
    return [
        tuple(group[first : first + TOGETHER]) for group in groups.values() for first in range(0, len(group), TOGETHER)
    ]


def _weight(problem: Problem) -> float:
    """Estimate how long a problem takes to solve, in any unit, so that the longest start first."""
    (states, observations), tasks = problem.world.scale, problem.world.size
    return float((tasks if problem.task is None else 1) * (states / tasks * observations) ** 1.25)


def _describe(request: Request) -> str:
    if isinstance(request, Problem):
        return f"solved {request.name}"
    return f"played {len(request)} trials of {request[0].world.domain}"
