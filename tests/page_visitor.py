"""Someone who plays on the page without a browser: it speaks to the server as a browser does, and draws nothing."""

import asyncio
import html
import json
import re
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import httpx
import socketio

from waiting import PATIENCE

ASSET = re.compile(r'["\'](/_nicegui/[^"\']+/(?:static|components)/[^"\']+\.(?:js|css|woff2))["\']')
SERVER = Path(__file__).with_name("page_server.py")


@contextmanager
def page_server(*files, reconnect=2.0, port=0, script=SERVER):
    """The address of a server that ends with the block."""
    words = [sys.executable, str(script), str(port), str(reconnect), *map(str, files)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(server.stdout.readline())["address"].rstrip("/")
    finally:
        server.terminate()
        server.wait(PATIENCE)
        server.stdout.close()


class Visitor:
    """One open page."""

    def __init__(self, address, query="", path=""):
        self.address, self.query, self.path = address, query, path
        self.elements, self.latencies = {}, []
        self._session = aiohttp.ClientSession(auto_decompress=False)  # nobody reads the page's files
        self._socket = socketio.AsyncClient(reconnection=False, http_session=self._session)
        self._changed = asyncio.Event()

    async def arrive(self, client, assets=False):
        """Load the page, with all its files like a browser that has none of them if asked to, and connect."""
        answer = await client.get(f"{self.address}/{self.path}?{self.query}", timeout=PATIENCE)
        answer.raise_for_status()
        if assets:
            await asyncio.gather(*(self._fetch(path) for path in set(ASSET.findall(answer.text))))
        text = re.search(r"parseElements\(String\.raw`(.*?)`\)", answer.text, re.DOTALL)[1]
        self.elements = {int(key): each for key, each in json.loads(html.unescape(text)).items()}
        self._id = re.search(r"'client_id': '([-\w]+)'", answer.text)[1]
        tab = str(uuid.uuid4())
        query = f"client_id={self._id}&next_message_id=0&implicit_handshake=true&document_id={tab}&tab_id={tab}"
        self._socket.on("update", self._update)
        origin = {"Origin": self.address}
        await self._socket.connect(
            f"{self.address}?{query}",
            headers=origin,
            transports=["websocket"],
            socketio_path="/_nicegui_ws/socket.io",
            wait_timeout=PATIENCE,
        )
        return self

    async def _fetch(self, path):
        async with self._session.get(self.address + path) as answer:
            answer.raise_for_status()
            await answer.read()

    async def _update(self, message):
        for key, element in message.items():
            if key.isdigit():
                self.elements[int(key)] = element or {}
        self._changed.set()

    def content(self):
        """All HTML that is on the page."""
        return "\n".join(
            str(each.get("props", {}).get("innerHTML") or each.get("props", {}).get("content") or "")
            for each in self.elements.values()
        )

    async def until(self, words, seconds=PATIENCE):
        """Wait until the page says something."""
        ends = time.monotonic() + seconds
        while words not in self.content():
            assert time.monotonic() < ends, f"the page does not say {words!r}"
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), 1)
            except TimeoutError:
                continue

    async def send(self, key):
        """Press a key."""
        await self._emit("walkonKey", key)

    async def open(self, content):
        """Open an episode."""
        await self._emit("walkonOpen", content)

    async def _emit(self, event, value):
        listener = next(each for each in self.elements[0]["events"] if each["type"] == event)
        message = {"id": 0, "client_id": self._id, "listener_id": listener["listener_id"], "args": [json.dumps(value)]}
        await self._socket.emit("event", message)

    async def press(self, key):
        """Press a key and wait for the page to change."""
        self._changed.clear()
        began = time.perf_counter()
        await self.send(key)
        await asyncio.wait_for(self._changed.wait(), PATIENCE)
        self.latencies.append(time.perf_counter() - began)

    async def play(self, chance, presses, pause=(0.0, 0.0)):
        """Press random keys; begin again when a game is over."""
        for _ in range(presses):
            await asyncio.sleep(chance.uniform(*pause))
            over = "★ solved" in self.content() or "Step 50 of 50" in self.content()
            await self.press("s" if over else chance.choice(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "]))

    async def leave(self):
        """Close the page."""
        await self._socket.disconnect()
        await self._session.close()


def census(address):
    return httpx.get(f"{address}/census", timeout=PATIENCE).json()
