"""Checks every request and every socket before a server answers it.

- The host of the request must be a name of this server, so that no foreign name can be pointed at it.
- A request with an origin must come from this server's own page, so that no other page can use a visitor's browser.
- Other machines need a token: browsers send it once in the address, then in a cookie; programs in a header,
  `Authorization: Bearer TOKEN`.
- The page may load nothing from elsewhere, and may not be put into a frame.
"""

import json
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Any, Send], Awaitable[None]]

LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
COOKIE = "walkon-token"
TOKEN_NEEDED = "A token is needed: open the address that was printed at the start, or send Authorization: Bearer TOKEN."
HEADERS = {
    "content-security-policy": "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


class Guard:
    """Passes allowed requests to the app, and refuses the others; `as_json` is for clients that are programs.

    The server answers to the names in `hosts`; to any, where they are empty and a token protects it.
    """

    def __init__(
        self, app: App, *, hosts: frozenset[str] = LOCAL, token: str | None = None, as_json: bool = False
    ) -> None:
        self._app, self._hosts, self._token, self._as_json = app, hosts, token, as_json

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Handle a request or a socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if (refusal := self._refusal(headers)) is not None:
            await self._refuse(scope, receive, send, refusal)
        elif self._token is not None and not self._known(headers):
            await self._welcome(scope, receive, send)
        else:
            await self._app(scope, receive, _with_headers(send))

    def _refusal(self, headers: Mapping[str, str]) -> str | None:
        host = headers.get("host", "")
        if self._hosts and _name(f"//{host}") not in self._hosts:
            return "This server does not have that name."
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc != host
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign or (elsewhere and headers.get("sec-fetch-mode") != "navigate"):
            return "This request comes from another page."
        return None

    def _known(self, headers: Mapping[str, str]) -> bool:
        """Check whether the client sends the token, in a header or in a cookie."""
        kind, _, shown = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._matches(shown.strip()):
            return True
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        return COOKIE in cookies and self._matches(cookies[COOKIE].value)

    def _matches(self, shown: str) -> bool:
        assert self._token is not None
        return secrets.compare_digest(shown.encode(), self._token.encode())

    async def _welcome(self, scope: Scope, receive: Any, send: Send) -> None:
        """Move the token from the address into a cookie; refuse clients without one."""
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"), max_num_fields=50)
        shown = dict(query).get("token", "")
        if scope["type"] != "http" or not self._matches(shown):
            await self._refuse(scope, receive, send, TOKEN_NEEDED)
            return
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        target = "/" + scope["path"].lstrip("/") + (f"?{rest}" if rest else "")  # never to another host
        cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", quote(target, safe="/?&=%+").encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _refuse(self, scope: Scope, receive: Any, send: Send, why: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        kind, text = ("text/plain; charset=utf-8", f"{why}\n")
        if self._as_json:
            kind, text = "application/json", json.dumps({"error": why, "status": 403})
        await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", kind.encode())]})
        await send({"type": "http.response.body", "body": text.encode()})


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _with_headers(send: Send) -> Send:
    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return sent
