"""Files that are sent from memory: NiceGUI's own, as they were sent before, and the first game."""

import gzip
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walkon.web.first_game import FRONT, contents, served_front

FILES = "/_nicegui/"  # their paths contain NiceGUI's version, so that none ever changes
MOST_KEPT = 200
KINDS = {"html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript"}
CONDITIONS = ("range", "if-none-match", "if-modified-since")


class KeptAssets:
    """Answers requests for files that were sent before, and passes all others to the app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[tuple[str, bool], list[Message]] = {}  # by path, and whether they are compressed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request or a socket."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(FILES):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        key = (scope["path"], "gzip" in headers.get("accept-encoding", ""))
        plain = not scope["query_string"] and not any(name in headers for name in CONDITIONS)
        sent = self._kept.get(key) if plain else None
        if sent is not None:
            for message in sent:
                await send(message)
            return
        found: list[Message] = []

        async def keep(message: Message) -> None:
            found.append(message)
            await send(message)

        await self._app(scope, receive, keep)
        whole = found[0].get("status") == 200 and not found[-1].get("more_body", False)
        if plain and whole and len(self._kept) < MOST_KEPT:
            self._kept[key] = found


class FirstGame:
    """Answers requests for the first game, and passes all others to the app. Its address is `/`, without a query."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request or a socket."""
        asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and not scope["query_string"]
        name = scope["path"].removeprefix("/") or FRONT if asked else ""
        if name not in self._files:
            await self._app(scope, receive, send)
            return
        plain, packed, tag = self._files[name]
        headers, known = Headers(scope=scope), {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if headers.get("if-none-match") == tag:
            await Response(status_code=304, headers=known)(scope, receive, send)
            return
        zipped = "gzip" in headers.get("accept-encoding", "")
        encoded = {"content-encoding": "gzip"} if zipped else {}
        kind = KINDS[name.rpartition(".")[2]]
        await Response(packed if zipped else plain, headers=known | encoded, media_type=kind)(scope, receive, send)

    @cached_property
    def _files(self) -> Mapping[str, tuple[bytes, bytes, str]]:
        """Each file, plain and compressed, and its tag."""
        found = {**contents(), FRONT: served_front()}
        return {
            name: (content, gzip.compress(content, mtime=0), f'"{sha256(content).hexdigest()[:16]}"')
            for name, content in found.items()
        }
