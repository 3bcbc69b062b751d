"""Solving beside the page: in separate processes, once for all visitors who wait, and only while one waits."""

import asyncio
import time
from dataclasses import dataclass
from typing import ClassVar

import psutil
import pytest

import walkon
from waiting import PATIENCE, ended
from walkon import InputError
from walkon.formats.policy_cache import PolicyCache
from walkon.web import solving
from walkon.web.solving import Solving

QUICK = walkon.Perseus(beliefs=300, backups=2_000)


@pytest.fixture
def own_policies(tmp_path, monkeypatch):
    """A folder of policies of one's own; compiled kernels stay where they are."""
    from walkon.compiled import kernel_folder

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kernel_folder()).rpartition("/walkon/")[0])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_problems_are_solved_once_in_processes_and_kept(own_policies):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    problems = [task.pomdp for task in library]

    async def test():
        beside = Solving(1)
        told = []
        first, second = await asyncio.gather(
            beside.policies(problems, QUICK, told.append), beside.policies(problems[:1], QUICK)
        )
        assert second[0] is first[0]
        assert 0 <= min(told) <= max(told) <= 1
        assert (await beside.policies(problems, QUICK))[1] is first[1]
        seen = await beside.policies([library[0].mdp], walkon.ValueIteration())
        assert seen[0].table.shape == library[0].mdp.R.shape
        beside.close()
        return first

    found = asyncio.run(test())
    expected = [walkon.solve(problem, QUICK).policy for problem in problems]
    for policy, other in zip(found, expected, strict=True):
        assert (policy.vectors == other.vectors).all()
    assert PolicyCache().find(problems[0], QUICK) is not None  # for the next server

    async def again():
        fresh = Solving(1)
        return (await fresh.policies(problems[:1], QUICK))[0], fresh._pool

    kept, pool = asyncio.run(again())
    assert (kept.vectors == found[0].vectors).all()
    assert pool is None  # no process was started


def test_a_problem_that_no_visitor_waits_for_is_stopped(own_policies):
    long, endless = walkon.make("night-pursuit", size=6, tasks=1)[0].pomdp, walkon.Perseus(tolerance=1e-300)

    async def test():
        beside = Solving(1)
        waiting = asyncio.create_task(beside.policies([long], endless))
        while not any(beside._progress):
            await asyncio.sleep(0.05)
        job = next(iter(beside._jobs.values()))
        waiting.cancel()
        await asyncio.wait([waiting])
        assert not beside._jobs
        await asyncio.wait([job.future])
        while beside._busy:
            await asyncio.sleep(0.05)
        beside.close()

    asyncio.run(asyncio.wait_for(test(), PATIENCE))
    assert PolicyCache().find(long, endless) is None  # half a policy is not kept


@dataclass(frozen=True)
class Endless:
    """A solver that never looks whether it is still wanted."""

    solves: ClassVar[type] = walkon.POMDP

    def solve(self, problem, *, seed=0, watch=None):
        time.sleep(10 * PATIENCE)


def test_no_process_outlives_the_page_whatever_it_solves(own_policies):
    problem = walkon.make("night-pursuit", size=3, tasks=1)[0].pomdp

    async def test():
        beside = Solving(1)
        waiting = asyncio.create_task(beside.policies([problem], Endless()))
        while not any(job.work.running() for job in beside._jobs.values()):
            await asyncio.sleep(0.05)
        (worker,) = map(psutil.Process, beside._pool._processes)
        beside.close()
        assert ended(worker)
        await asyncio.wait([waiting])
        assert isinstance(waiting.exception(), InputError)

    asyncio.run(asyncio.wait_for(test(), PATIENCE))


def test_there_is_a_limit_to_what_waits(monkeypatch, own_policies):
    problems = [task.pomdp for task in walkon.make("night-pursuit", size=3, tasks=3)]
    monkeypatch.setattr(solving, "MOST_WAITING", 2)

    async def test():
        beside = Solving(1)
        try:
            with pytest.raises(InputError, match="2 problems are being solved for other pages"):
                await beside.policies(problems, QUICK)
        finally:
            beside.close()

    asyncio.run(test())
