"""Ctrl-C ends the server whatever it does, and a second one ends it at once."""

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import page_visitor
from page_reading import SMALL_WORLD
from page_visitor import Visitor
from waiting import PATIENCE, until

STUCK = Path(page_visitor.__file__).with_name("stuck_server.py")
INTERRUPTED = 130


@pytest.fixture
def server():
    words = [sys.executable, str(STUCK), "0", "1"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield process
    process.kill()
    process.wait(PATIENCE)
    process.stdout.close()


async def press(server, key):
    """Press a key on the server's page, and leave when the server says what it does now."""
    address = json.loads(server.stdout.readline())["address"].rstrip("/")
    async with httpx.AsyncClient() as client:
        visitor = await Visitor(address, SMALL_WORLD).arrive(client)
    await visitor.until("Step 0 of")
    await visitor.send(key)
    said = await asyncio.to_thread(server.stdout.readline)
    await visitor.leave()
    return said.strip()


on_this_system = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for other processes")


@on_this_system
def test_an_interrupt_ends_a_server_whose_agent_thinks_for_ever(server):
    assert asyncio.run(press(server, "ArrowUp")) == "an agent thinks"
    server.send_signal(signal.SIGINT)
    assert server.wait(PATIENCE) == INTERRUPTED


@on_this_system
def test_a_second_interrupt_ends_a_server_that_does_not_end_on_the_first(server):
    assert asyncio.run(press(server, "n")) == "the event loop is stuck"

    def ended():
        server.send_signal(signal.SIGINT)  # two at once may arrive as one
        return server.poll() is not None

    until(ended, "the server cannot be interrupted")
    assert server.wait(PATIENCE) == INTERRUPTED
