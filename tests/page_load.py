"""Load for the page: many visitors who open it at once and play, and one who asks for much while another plays."""

import asyncio
import json
import random
import time
from contextlib import suppress

import httpx
import numpy as np
import socketio

import walkon
from page_visitor import Visitor
from random_libraries import quick_agent
from waiting import PATIENCE
from walkon.formats.episode_file import Recording, encode
from walkon.trials.trial import Trial, WorldSpec

WORLD = "world=night-pursuit&size=5&noise=0.3&tasks=4&task=2"  # 625 states, K = 4
LARGE = "world=night-pursuit&size=6&noise=0.3&tasks=8&task=3&seed=8"
KITCHEN = "world=overcooked&task=0&seed=8"


def moves(count):
    return "moves=" + ".".join(str(i % 4) for i in range(count))


DEMANDS = {
    "nothing": "",
    "an address with 50 moves, atpo-look": f"/?{WORLD}&seed=8&agent=atpo-look&{moves(50)}",
    "an address with 50 moves, atpo-search": f"/?{WORLD}&seed=8&agent=atpo-search&{moves(50)}",
    "an address with 75 moves, Overcooked, atpo-search": f"/?{KITCHEN}&agent=atpo-search&{moves(75)}",
    "compares atpo-search and atpo-look, 50 moves": f"/compare?{WORLD}&agent=atpo-search&other=atpo-look&{moves(50)}",
    "an address with 50 moves, atpo-search, 6 x 6, 8 tasks": f"/?{LARGE}&agent=atpo-search&{moves(50)}",
    "opens 6 x 6 with 8 tasks": f"/?{LARGE}&agent=atpo",
    "waits for bayes": f"/?{WORLD}&seed=8&agent=bayes",
    "uploads an episode of 1,000 steps, atpo-search": "an episode",
}


def cpu(address):
    """The CPU seconds of the server's process."""
    return httpx.get(f"{address}/cpu", timeout=PATIENCE).json()


async def open_at_once(address, count):
    """Let visitors open the page at once, as browsers that have nothing of it yet.

    Returns those who can play, with the seconds that it took each.
    """
    limits = httpx.Limits(max_connections=6 * count)
    async with httpx.AsyncClient(limits=limits, timeout=PATIENCE, verify=False) as client:
        began = time.perf_counter()

        async def come(i):
            visitor = Visitor(address, f"{WORLD}&seed={i}")
            await visitor.arrive(client, assets=True)
            await visitor.until("Step 0 of")
            return visitor, time.perf_counter() - began

        return await asyncio.gather(*(come(i) for i in range(count)))


async def play_together(visitors, presses, every=1.0):
    """Let visitors press a key now and then, each at their own time. Returns the latency of every key, in seconds."""

    async def play(i, visitor):
        chance = random.Random(i)
        await asyncio.sleep(chance.uniform(0.0, every))
        before = len(visitor.latencies)
        await visitor.play(chance, presses, (0.9 * every, 1.1 * every))
        return visitor.latencies[before:]

    found = await asyncio.gather(*(play(i, each) for i, each in enumerate(visitors)))
    return [latency for each in found for latency in each]


def long_episode(steps=1000):
    """An episode that claims to have been played by atpo-search."""
    options = {"size": 5, "noise": 0.3, "tasks": 4}
    library = walkon.make("night-pursuit", **options)
    agent = quick_agent("atpo", library)
    episode = walkon.play(library[1], agent, seed=8, horizon=steps)
    trial = Trial(world=WorldSpec.of("night-pursuit", **options), task=1, seed=8, played_by=1, horizon=steps)
    choices = [agent.act(agent.start())] * (steps + 1)
    document = json.loads(encode(Recording(trial, library, episode, np.array(choices))))
    return json.dumps(document | {"agent": "atpo-search"})


async def keys_of_another(address, demand, presses=40):
    """The latencies of one visitor's keys while another demands something, in seconds."""
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        second = await Visitor(address, f"{WORLD}&seed=3").arrive(client)
        await second.until("Step 0 of")
        await second.press("ArrowUp")
        first = None
        if demand == "an episode":
            first = await Visitor(address, f"{WORLD}&seed=4").arrive(client)
            await first.until("Step 0 of")
            await first.open(await asyncio.to_thread(long_episode))
        elif demand:
            path, _, query = demand.partition("?")
            first = await Visitor(address, query, path.strip("/")).arrive(client)
        before = len(second.latencies)
        await second.play(random.Random(1), presses, (0.15, 0.15))
        for each in filter(None, (first, second)):
            with suppress(socketio.exceptions.SocketIOError):
                await each.leave()
    return second.latencies[before:]
