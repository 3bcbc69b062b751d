"""NiceGUI's own files, kept in memory as they are sent: a new browser asks for a dozen of them, compressed."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FILES = "/_nicegui/"  # their paths contain NiceGUI's version, so that none ever changes
MOST_KEPT = 200
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
