"""Limits what connections may cost before anyone knows who they are: their number, their silence, their headers.

A connection that does not send the head of a request within some seconds is dropped. If there are too many, in all or
from one address, a new one takes the place of the one that has been silent for longest; if none is, it is refused.
"""

import asyncio
import json
import sys
from http import HTTPStatus
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 768  # connections; the usual limit of 1,024 files leaves room for journals
FROM_ONE_ADDRESS = 256
HEAD_SECONDS = 10.0  # in which the head of a request has to arrive
LARGEST_HEAD = 2**14  # bytes
LINGER, DISCARDED = 1.0, 2**20  # seconds and bytes for which a refused client may go on sending, to read why
CROWDED = "there are too many connections: close some, or try again in a moment"
TOO_LONG = f"the head of the request has more than {LARGEST_HEAD:,} bytes: send less"
NO_REQUEST = "this is not an HTTP request"


class Connection(H11Protocol):
    """A connection within the limits; uvicorn does the rest."""

    _silent: asyncio.TimerHandle | None = None  # while the head of a request is waited for
    _crowded = False
    _discarded: int | None = None  # bytes, once it is refused

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """If there are too many, drop the one that has been silent for longest, or refuse this one."""
        super().connection_made(cast(asyncio.Transport, transport))
        near = [each for each in self.connections if _host(each) == _host(self)]
        crowd = near if len(near) > FROM_ONE_ADDRESS else list(self.connections)
        excess = max(len(near) - FROM_ONE_ADDRESS, len(self.connections) - MOST)
        if excess > 0:
            silent = [(each.silent_until, each) for each in crowd if isinstance(each, Connection) and each.silent_until]
            for _, each in sorted(silent, key=lambda pair: pair[0])[:excess]:
                each.drop()
            self._crowded = len(silent) < excess  # told when it sends something
        self._wait()

    @property
    def silent_until(self) -> float | None:
        """When the connection is dropped, if it stays silent; None while it is in use."""
        return None if self._silent is None else self._silent.when()

    def drop(self) -> None:
        """End the connection without a word."""
        self.connections.discard(self)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Wait for the whole head of a request, but not for long."""
        if self._discarded is not None:
            self._discarded += len(data)
            if self._discarded > DISCARDED:
                self.drop()
        elif self._crowded:
            self._refuse(503, CROWDED)
        else:
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._heard()
            elif self._discarded is None:
                self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._heard()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Stop waiting: a socket has limits of its own."""
        self._heard()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; uvicorn calls this while it handles the parser's error."""
        status = getattr(sys.exception(), "error_status_hint", 400)
        self._refuse(status, TOO_LONG if status == 431 else NO_REQUEST)

    def _wait(self) -> None:
        if self._silent is None:
            self._silent = self.loop.call_later(HEAD_SECONDS, self.drop)

    def _heard(self) -> None:
        if self._silent is not None:
            self._silent.cancel()
            self._silent = None

    def _refuse(self, status: int, why: str) -> None:
        """Answer in JSON, and close the connection after a moment: a client that still sends must be able to read."""
        self._discarded = 0
        self.connections.discard(self)
        body = json.dumps({"error": why, "status": status}).encode()
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
        again = "retry-after: 1\r\n" if status == 503 else ""
        self.transport.write(f"{head}{again}connection: close\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
        self._heard()
        self._silent = self.loop.call_later(LINGER, self.drop)


def _host(connection: Any) -> str | None:
    """Return the address of a client."""
    return None if connection.client is None else connection.client[0]
