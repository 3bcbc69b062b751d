"""Many people at once, and many who come and go. How fast it is, `benchmarks/page.py` measures.

The short form has a few visitors; `make test-long` has eighty who play, two hundred who open the page at once, a
thousand who come and go, and one who asks for as much as the page allows while another plays.
"""

import asyncio
import random
import time

import httpx
import pytest

from conftest import LONG
from page_load import DEMANDS, keys_of_another, open_at_once
from page_reading import SMALL_WORLD
from page_visitor import Visitor, census, page_server
from waiting import PATIENCE

PLAYERS, PRESSES = (80, 40) if LONG else (12, 10)
ROUNDS, AT_ONCE = (50, 20) if LONG else (4, 8)
MEGABYTE = 2**20


@pytest.fixture(scope="module")
def address():
    with page_server(reconnect=0.5) as where:
        yield where


async def come(address, count):
    """So many visitors, each with luck of their own."""
    limits = httpx.Limits(max_connections=10)
    async with httpx.AsyncClient(limits=limits) as client:
        visitors = [Visitor(address, SMALL_WORLD.replace("seed=8", f"seed={i}")) for i in range(count)]
        await asyncio.gather(*(visitor.arrive(client) for visitor in visitors))
    await asyncio.gather(*(visitor.until("Step ") for visitor in visitors))
    return visitors


async def empty(address):
    """Wait until every closed page is forgotten."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        found = await asyncio.to_thread(census, address)
        if found["clients"] == found["stages"] == 0:
            return found["bytes"]
        await asyncio.sleep(0.2)
    raise AssertionError(f"closed pages are still there: {found}")


def test_everybody_who_plays_at_once_is_answered(address):
    async def test():
        visitors = await come(address, PLAYERS)
        assert (await asyncio.to_thread(census, address))["stages"] == PLAYERS
        await asyncio.gather(*(each.play(random.Random(i), PRESSES) for i, each in enumerate(visitors)))
        assert [len(each.latencies) for each in visitors] == [PRESSES] * PLAYERS
        for each in visitors:
            await each.leave()
        await empty(address)

    asyncio.run(test())


def test_those_who_have_gone_leave_nothing_behind(address):
    async def test():
        sizes = []
        for i in range(ROUNDS):
            visitors = await come(address, AT_ONCE)
            await asyncio.gather(*(each.play(random.Random(i), 3) for each in visitors))
            for each in visitors:
                await each.leave()
            sizes.append(await empty(address))
        return sizes

    sizes = asyncio.run(test())
    half = len(sizes) // 2
    grown = min(sizes[half:]) - min(sizes[:half])
    assert grown < 8 * MEGABYTE, [round(size / MEGABYTE, 1) for size in sizes]


@pytest.mark.long
def test_two_hundred_who_open_the_page_at_once_can_all_play():
    async def test(address):
        found = await open_at_once(address, 200)
        await asyncio.gather(*(visitor.press("ArrowUp") for visitor, _ in found))
        for visitor, _ in found:
            assert "Step 1 of" in visitor.content()
            await visitor.leave()

    with page_server(reconnect=20.0) as where:
        asyncio.run(test(where))


@pytest.mark.long
@pytest.mark.parametrize("what", DEMANDS)
def test_one_who_asks_for_much_does_not_keep_another_from_playing(what):
    with page_server(reconnect=20.0) as where:
        assert len(asyncio.run(keys_of_another(where, DEMANDS[what]))) == 40
