"""Connections of strangers, over real sockets: silence, long heads and crowds keep nobody else from being served."""

import asyncio
import json
import socket
import threading

import httpx
import pytest
import uvicorn

import walkon
from waiting import PATIENCE, pause_without_waiting, until
from walkon.service import connections
from walkon.service.connections import LARGEST_HEAD, Connection

ASK = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"


class Server:
    """A server in a thread, whose answers wait until they may go on."""

    def __init__(self):
        self.gate, self.asked = threading.Event(), threading.Semaphore(0)
        self.gate.set()
        options = {
            "http": Connection,
            "h11_max_incomplete_event_size": LARGEST_HEAD,
            "lifespan": "off",
            "interface": "asgi3",
            "timeout_keep_alive": PATIENCE,  # who was answered stays connected, however slow the test is
        }
        self.server = uvicorn.Server(uvicorn.Config(self.answer, log_level="critical", **options))
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]})
        self.opened = []

    async def answer(self, scope, receive, send):
        self.asked.release()
        await asyncio.to_thread(self.gate.wait, PATIENCE)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"{}"})

    def connect(self, data=b""):
        line = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        line.sendall(data)
        self.opened.append(line)
        return line

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *problem):
        self.gate.set()
        for line in self.opened:
            line.close()
        self.server.should_exit = True
        self.thread.join()
        self.socket.close()


@pytest.fixture
def server(monkeypatch):
    """A server on which silence does not end a connection, unless a test says so."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", PATIENCE)
    with Server() as server:
        yield server


def dropped(line):
    """Whether the other end has dropped the connection; a line that blocks waits for it."""
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nhost: x\r\nx: y"])
def test_a_connection_without_a_request_is_dropped(said, server, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    assert dropped(server.connect(said))


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nhost: x\r\nx: y"])
def test_a_connection_without_a_second_request_is_dropped(said, server, monkeypatch):
    server.gate.clear()
    line = server.connect(ASK)
    server.asked.acquire()
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)  # for the next head only, since this one is here
    line.sendall(said)
    server.gate.set()
    assert line.recv(1000).startswith(b"HTTP/1.1 200")
    assert dropped(line)


def test_a_request_that_is_answered_late_is_no_silence(server):
    """Nobody waits for a head that is here: only the timer of the silent one is running."""
    server.gate.clear()
    line = server.connect(ASK)
    server.asked.acquire()
    silent = server.connect()
    until(lambda: len(server.server.server_state.connections) == 2, "it is not accepted")
    assert sum(each.silent_until is not None for each in server.server.server_state.connections) == 1
    silent.close()
    server.gate.set()
    assert line.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("limit", ["FROM_ONE_ADDRESS", "MOST"])
def test_however_many_are_silent_the_next_one_is_served(limit, server, monkeypatch):
    monkeypatch.setattr(connections, limit, 5)
    silent = [server.connect() for _ in range(5)]
    until(lambda: len(server.server.server_state.connections) == 5, "they are not accepted")
    for _ in range(3):
        assert server.connect(ASK).recv(1000).startswith(b"HTTP/1.1 200")
    for line in silent:
        line.setblocking(False)
    until(lambda: sum(map(dropped, silent)) == 3, "the silent ones are not dropped")


def test_when_all_are_in_use_another_one_is_refused_in_words(server, monkeypatch):
    pause_without_waiting(monkeypatch)
    monkeypatch.setattr(connections, "FROM_ONE_ADDRESS", 3)
    server.gate.clear()
    busy = [server.connect(ASK) for _ in range(3)]
    for _ in busy:
        server.asked.acquire()
    head, _, body = server.connect(ASK).recv(10_000).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503")
    assert json.loads(body) == {"error": connections.CROWDED, "status": 503}
    with (
        walkon.Client(f"http://127.0.0.1:{server.port}", patience=60) as client,
        pytest.raises(walkon.InputError, match=r"too many connections.* \(503\)"),
    ):
        client.health()
    server.gate.set()
    for line in busy:
        assert line.recv(1000).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("size", [LARGEST_HEAD, 200_000])
@pytest.mark.parametrize("where", ["one header", "many headers", "the address"])
def test_a_head_that_is_too_long_is_refused(where, size, server):
    long = {
        "one header": b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"a" * size,
        "many headers": b"GET / HTTP/1.1\r\nhost: x\r\n" + b"x: 12345678\r\n" * (size // 13 + 1),
        "the address": b"GET /" + b"a" * size,
    }[where]
    answer = server.connect(long).recv(10_000)
    assert answer.startswith(b"HTTP/1.1 431")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"] == connections.TOO_LONG
    ordinary = {"x": "a" * (LARGEST_HEAD // 2)}
    assert httpx.get(f"http://127.0.0.1:{server.port}/", headers=ordinary, timeout=PATIENCE).status_code == 200


def test_a_head_without_an_end_is_cut_off(server):
    line = server.connect(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")

    def send_for_ever():
        while True:
            line.sendall(b"a" * 2**16)

    with pytest.raises(ConnectionError):
        send_for_ever()


def test_what_is_no_request_is_refused_in_json(server):
    answer = server.connect(b"\x16\x03\x01 a greeting of TLS\r\n\r\n").recv(10_000)
    assert answer.startswith(b"HTTP/1.1 400")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["status"] == 400


def test_requests_one_after_another_over_one_connection_are_answered(server):
    line = server.connect()
    for _ in range(3):
        line.sendall(ASK)
        assert line.recv(1000).startswith(b"HTTP/1.1 200")
