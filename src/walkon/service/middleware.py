"""The middleware of all requests: limits the size and time of bodies, counts answers, and turns errors into JSON."""

import asyncio
import json
import logging
from collections.abc import MutableMapping
from time import perf_counter
from typing import Any

from walkon.network.guard import App, Scope, Send
from walkon.service.metrics import Metrics
from walkon.service.refusal import FAILED, LATE, TOO_LARGE, RefusalError

LARGEST_BODY = 2**20
BROKEN = "something went wrong here, and the log of walkon agent says what: send it again, or open a new session"
log = logging.getLogger("walkon.service")


class Middleware:
    """Wraps the app; a body has to arrive within `deadline` seconds."""

    def __init__(self, app: App, metrics: Metrics, deadline: float) -> None:
        self._app, self._metrics, self._deadline = app, metrics, deadline

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        """Handle a request; everything else, such as a socket, passes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 0

        async def noted(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, await self._whole(receive), noted)
        except RefusalError as refusal:
            await _refuse(noted, refusal)
        except Exception:
            log.exception("a request failed")
            if not status:
                await _refuse(noted, RefusalError(FAILED, BROKEN))
        route = getattr(scope.get("route"), "path", "other")
        self._metrics.answered(
            f"{scope['method']} {route}" if route != "other" else route, status, perf_counter() - began
        )

    async def _whole(self, receive: Any) -> Any:
        """Receive the whole body, and return a receiver that delivers it."""
        body, more = b"", True
        while more:
            try:
                async with asyncio.timeout(self._deadline):
                    message = await receive()
            except TimeoutError:
                why = f"the body did not arrive within {self._deadline:g} s: send it at once"
                raise RefusalError(LATE, why) from None
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > LARGEST_BODY:
                raise RefusalError(TOO_LARGE, f"the body has more than {LARGEST_BODY:,} bytes: send less")
        first: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Any:
            return first.pop() if first else await receive()

        return again


async def _refuse(send: Send, refusal: RefusalError) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(refusal.document()).encode()})
