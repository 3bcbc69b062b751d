"""Connections that are cut and restored, and a server that restarts: no visitor loses a game."""

import asyncio
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from page_reading import SMALL_WORLD, beliefs, press, step
from page_visitor import page_server
from ports import kept_port
from waiting import until
from walkon.web.pages.play import GamePage


class Wire:
    """A wire between browser and server that can be cut and mended."""

    def __init__(self, address):
        self._to = int(address.rpartition(":")[2])
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._open, self._whole, self.refused = set(), True, 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            if not self._whole:
                self.refused += 1
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self._to))
            self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        for each in (one, other):
            with_error_ignored(each)

    def cut(self):
        self._whole = False
        for each in list(self._open):
            with_error_ignored(each)
        self._open.clear()

    def mend(self):
        self._whole = True

    def close(self):
        self.cut()
        self._server.close()


def with_error_ignored(connection):
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()


@contextmanager
def wire(address):
    made = Wire(address)
    try:
        yield made
    finally:
        made.close()


def test_a_lost_connection_comes_back_to_the_same_point(visit, address, browser):
    with wire(address) as between:
        page = visit(f"{between.address}/?{SMALL_WORLD}&task=1")
        press(page, "ArrowUp")
        press(page, "ArrowLeft")
        seen = beliefs(page)
        between.cut()
        expect(page.locator("#popup")).to_have_attribute("aria-hidden", "false")
        until(lambda: between.refused, "the page does not try again")
        between.mend()
        expect(page.locator("#popup")).to_have_attribute("aria-hidden", "true")
        expect(page.locator(".did")).to_contain_text("Step 2 of")
        assert beliefs(page) == seen
        press(page, "ArrowDown")
        assert step(page) == 3


@pytest.fixture
def port():
    with kept_port() as port:
        yield port


def test_after_a_restart_of_the_server_players_are_where_they_were(visit, port):
    with page_server(reconnect=1, port=port) as where:
        page = visit(f"{where}/?{SMALL_WORLD}&task=1")
        press(page, "ArrowUp")
        press(page, "ArrowLeft")
        seen = beliefs(page)
    expect(page.locator("#popup")).to_have_attribute("aria-hidden", "false")
    with page_server(reconnect=1, port=port):
        expect(page.locator("#popup")).to_have_attribute("aria-hidden", "true")
        expect(page.locator(".did")).to_contain_text("Step 2 of")
        assert beliefs(page) == seen
        press(page, "ArrowDown")


def test_whoever_takes_the_head_of_a_page_and_never_connects_is_forgotten_once():
    class Gone:
        is_deleted = True

        async def connected(self, timeout):
            raise TimeoutError

        def delete(self):
            raise KeyError("deleted before")

    async def build():
        page = object.__new__(GamePage)
        page._client, page._built = Gone(), False
        page.controller = SimpleNamespace(host=SimpleNamespace(building=asyncio.Lock()))
        return await page._build()

    with ThreadPoolExecutor(1) as thread:  # in this one, a browser's loop may run
        assert thread.submit(lambda: asyncio.run(build())).result() is False
