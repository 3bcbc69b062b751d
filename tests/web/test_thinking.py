"""Thinking beside the event loop: in turns, within a budget, and only for pages that are there."""

import asyncio
import threading
from contextlib import suppress

import pytest

from waiting import PATIENCE
from walkon.web import thinking
from walkon.web.thinking import OverBudgetError, Thinking, Visitor


class Blocked:
    """Work that begins, and ends when the test says so."""

    def __init__(self):
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self):
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        return "done"

    async def has_begun(self):
        assert await asyncio.to_thread(self.begun.wait, PATIENCE)


def run(test):
    asyncio.run(asyncio.wait_for(test(Thinking()), PATIENCE))


async def known_as_quick(threads, kind):
    await threads.call(Visitor(), lambda: None, kind)
    assert not threads.is_slow(kind)


def test_work_is_done_on_another_thread_and_errors_come_back():
    async def test(threads):
        assert await threads.call(Visitor(), threading.current_thread) is not threading.main_thread()
        with pytest.raises(ZeroDivisionError):
            await threads.call(Visitor(), lambda: 1 / 0)
        seen = []
        assert await threads.run(Visitor(), iter([1, 2, 3]), watch=seen.append) == 3
        assert seen[-1] == 3
        assert not threads.busy

    run(test)


def test_nobody_who_decides_quickly_waits_for_slow_agents():
    async def test(threads):
        await known_as_quick(threads, "quick")
        slow = [Blocked() for _ in range(2 * thinking.THREADS)]
        tasks = [asyncio.create_task(threads.call(Visitor(), each, "slow")) for each in slow]
        for each in slow[: thinking.THREADS]:
            await each.has_begun()
        assert await threads.call(Visitor(), lambda: "a move", "quick") == "a move"
        assert not any(task.done() for task in tasks)
        assert threads.busy
        for each in slow:
            each.go_on.set()
        assert await asyncio.gather(*tasks) == ["done"] * len(tasks)

    run(test)


def test_long_work_takes_turns_with_that_of_others(monkeypatch):
    monkeypatch.setattr(thinking, "THREADS", 1)
    monkeypatch.setattr(thinking, "SLICE", -1.0)  # a part is a turn

    async def test(threads):
        for lane in (threads._quick, threads._slow):
            lane.idle = 1
        order = []
        first = Blocked()
        holding = asyncio.create_task(threads.call(Visitor(), first))
        await first.has_begun()

        def four_turns(name):
            return (order.append(name) for _ in range(4))

        runs = [asyncio.create_task(threads.run(Visitor(), four_turns(name))) for name in ("a", "b")]
        await asyncio.sleep(0)
        first.go_on.set()
        await asyncio.gather(holding, *runs)
        assert order == ["a", "b"] * 4

    run(test)


def test_a_visitor_has_one_piece_of_work_at_a_time_even_if_it_was_left():
    async def test(threads):
        visitor, first, second = Visitor(), Blocked(), Blocked()
        left = asyncio.create_task(threads.call(visitor, first))
        await first.has_begun()
        left.cancel()
        await asyncio.wait([left])
        waiting = asyncio.create_task(threads.call(visitor, second))
        assert await threads.call(Visitor(), lambda: "another") == "another"
        assert not second.begun.is_set()
        first.go_on.set()
        await second.has_begun()
        second.go_on.set()
        assert await waiting == "done"

    run(test)


def test_work_that_nobody_waits_for_stops_after_its_present_part():
    async def test(threads):
        first, visitor, done = Blocked(), Visitor(), []

        def parts():
            yield first()
            while True:
                done.append(1)
                yield "more"

        left = asyncio.create_task(threads.run(visitor, parts()))
        await first.has_begun()
        left.cancel()
        await asyncio.wait([left])
        first.go_on.set()
        await threads.call(visitor, lambda: None)  # comes after what was left
        assert done == []

    run(test)


def test_decisions_wait_while_their_page_is_not_connected():
    async def test(threads):
        visitor, work = Visitor(), Blocked()
        work.go_on.set()
        threads.put(visitor, present=False)
        waiting = asyncio.create_task(threads.call(visitor, work, "an agent"))
        await threads.call(Visitor(), lambda: None, "another agent")
        assert not work.begun.is_set()
        threads.put(visitor, present=True)
        assert await waiting == "done"

    run(test)


def test_a_request_ends_with_its_budget_and_what_was_reached_is_known(monkeypatch):
    monkeypatch.setattr(thinking, "SLICE", -1.0)

    async def test(threads):
        visitor, reached = Visitor(), []

        def endless():
            for t in range(10**9):
                if t == 3:
                    visitor.spent = thinking.BUDGET
                yield t

        with pytest.raises(OverBudgetError, match="more than the 60 seconds"):
            await threads.run(visitor, endless(), watch=reached.append)
        assert reached == [0, 1, 2, 3]

    run(test)


def test_a_decision_that_does_not_end_is_given_up_and_others_go_on(monkeypatch):
    async def test(threads):
        monkeypatch.setattr(thinking, "BUDGET", 0.0)
        endless, visitors = [Blocked() for _ in range(thinking.THREADS)], [Visitor() for _ in range(thinking.THREADS)]
        for each, visitor in zip(endless, visitors, strict=True):
            with pytest.raises(OverBudgetError):
                await threads.call(visitor, each)
        monkeypatch.setattr(thinking, "BUDGET", float(PATIENCE))
        assert await threads.call(Visitor(), lambda: "another") == "another"
        assert all(visitor.busy for visitor in visitors)  # they can start nothing else
        for each in endless:
            each.go_on.set()
        for visitor in visitors:
            with suppress(OverBudgetError):
                await threads.call(visitor, lambda: None)
        assert not threads.busy

    run(test)
