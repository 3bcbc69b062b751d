"""The address of a server, and the guard that checks every request and every socket before the server answers it.

- The host of the request must be a name of this server, so that no foreign name can be pointed at it.
- A request with an origin must come from this server's own page, so that no other page can use a visitor's browser.
- Other machines need a token: browsers send it once in the address, then in a cookie; programs in a header,
  `Authorization: Bearer TOKEN`.
- The page may load nothing from elsewhere, and may not be put into a frame.
"""

import os
import secrets
import socket
import threading
from dataclasses import dataclass
from types import FrameType
from typing import Any
from urllib.parse import urlencode, urlsplit

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walkon.errors import InputError

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
COOKIE = "walkon-token"
MOST_SECONDS_TO_END = 10.0
TOKEN_NEEDED = "A token is needed: open the address that was printed at the start, or send Authorization: Bearer TOKEN."
HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


@dataclass(frozen=True)
class Address:
    """An address to serve on."""

    host: str = "127.0.0.1"
    port: int = 8080  # 0 for any free one
    token: str | None = None  # for clients; None if only this machine can reach the server

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InputError(f"port is {self.port}, expected a number from 0 to 65535")
        if self.host not in LOCAL and not self.token:
            raise InputError(f"{self.host} can be reached from other machines: a token has to protect it")

    @classmethod
    def guarded(cls, host: str, port: int, token: str | None) -> "Address":
        """Make an address, with the given token or a new one where it needs one."""
        return cls(host, port, token or (None if host in LOCAL else secrets.token_urlsafe(16)))

    def bound(self) -> socket.socket:
        """Return a socket that listens there. Clients that connect before the server has started wait for it."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((self.host, self.port))
            found.listen()
        except OSError as problem:
            found.close()
            where = f"{self.host}, port {self.port} ({problem.strerror})"
            raise InputError(f"cannot listen on {where}: take another --port, or 0 for any free one") from None
        return found

    def url(self, listening: socket.socket) -> str:
        """Return the URL, without the token."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{listening.getsockname()[1]}/"

    def serve(self, app: ASGIApp, listening: socket.socket, *, as_json: bool = False, **options: Any) -> None:
        """Serve an application behind the guard, until the process is stopped."""
        guard = Guard(app, hosts=LOCAL if self.token is None else frozenset(), token=self.token, as_json=as_json)
        options |= {"log_level": "warning", "access_log": False, "timeout_graceful_shutdown": 2, "server_header": False}
        Server(uvicorn.Config(guard, **options)).run(sockets=[listening])


class Server(uvicorn.Server):
    """Ends in good order on the first Ctrl-C, at once on the second, and after a few seconds in any case."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handle a signal to end."""
        code = 128 + sig
        if self.should_exit:
            os._exit(code)
        super().handle_exit(sig, frame)
        last = threading.Timer(MOST_SECONDS_TO_END, os._exit, [code])
        last.daemon = True
        last.start()


class Guard:
    """Passes allowed requests to the app, and refuses the others; `as_json` is for clients that are programs.

    The server answers to the names in `hosts`; to any, where they are empty and a token protects it.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: frozenset[str] = LOCAL, token: str | None = None, as_json: bool = False
    ) -> None:
        self._app, self._hosts, self._token, self._as_json = app, hosts, token, as_json

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request or a socket."""
        app = self._app
        if scope["type"] in ("http", "websocket"):
            request = HTTPConnection(scope)
            if refusal := self._refusal(request.headers):
                app = self._refuse(scope, refusal)
            elif self._token is not None and not self._known(request):
                app = self._welcome(request)
            else:
                send = _with_headers(send)
        await app(scope, receive, send)

    def _refusal(self, headers: Headers) -> str:
        """Say why a request is refused; empty if it is not."""
        host = headers.get("host", "")
        if self._hosts and _name(f"//{host}") not in self._hosts:
            return "This server does not have that name."
        origin = headers.get("origin")
        foreign = origin is not None and origin.partition("://")[2] != host
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        followed = (
            headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
        )
        if foreign or (elsewhere and not followed):  # a link may lead here, but no frame, picture or script
            return "This request comes from another page."
        return ""

    def _known(self, request: HTTPConnection) -> bool:
        """Check whether the client sends the token, in a header or in a cookie."""
        kind, _, shown = request.headers.get("authorization", "").partition(" ")
        tokens = [request.cookies.get(COOKIE, ""), shown.strip() if kind.lower() == "bearer" else ""]
        return any(map(self._matches, tokens))

    def _matches(self, shown: str) -> bool:
        assert self._token is not None
        return secrets.compare_digest(shown.encode(), self._token.encode())

    def _welcome(self, request: HTTPConnection) -> ASGIApp:
        """Move the token from the address into a cookie; refuse clients without one."""
        query = request.query_params
        if request.scope["type"] != "http" or not self._matches(query.get("token", "")):
            return self._refuse(request.scope, TOKEN_NEEDED)
        rest = urlencode([(name, value) for name, value in query.multi_items() if name != "token"])
        target = "/" + request.scope["path"].lstrip("/") + (f"?{rest}" if rest else "")  # never to another host
        cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        return RedirectResponse(target, 303, {"set-cookie": cookie})

    def _refuse(self, scope: Scope, why: str) -> ASGIApp:
        if scope["type"] == "websocket":
            return _close
        return JSONResponse({"error": why, "status": 403}, 403) if self._as_json else PlainTextResponse(f"{why}\n", 403)


async def _close(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": 1008})


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {"headers": [], **message}
            MutableHeaders(scope=message).update(HEADERS)
        await send(message)

    return sent
