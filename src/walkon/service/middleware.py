"""Limits the size and time of all requests, counts the answers, and turns errors into JSON."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walkon.service.messages import LATE, TOO_LARGE, RefusalError, refusal_of, response

LARGEST_BODY = 2**20
DISCARDED = 2**26  # bytes of a body that is too large that are read, so that its client can read the answer
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
log = logging.getLogger("walkon.service")


class Metrics:
    """Counts of answers since the start, as text for Prometheus."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()  # by kind and status
        self.seconds: Counter[float] = Counter()  # answers in each bucket
        self.total = 0.0

    def answered(self, what: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.requests[what, status] += 1
        self.seconds[next((most for most in BUCKETS if seconds <= most), float("inf"))] += 1
        self.total += seconds

    def text(self, now: Mapping[str, float]) -> str:
        """Return all counts, and the present values of gauges."""
        lines = ["# TYPE walkon_requests_total counter"]
        for (what, status), count in sorted(self.requests.items()):
            lines.append(f'walkon_requests_total{{what="{what}",status="{status}"}} {count}')
        lines.append("# TYPE walkon_request_seconds histogram")
        within = 0
        for most in (*BUCKETS, float("inf")):
            within += self.seconds[most]
            label = "+Inf" if most == float("inf") else f"{most:g}"
            lines.append(f'walkon_request_seconds_bucket{{le="{label}"}} {within}')
        lines += [f"walkon_request_seconds_sum {self.total:.6f}", f"walkon_request_seconds_count {within}"]
        for name, value in now.items():
            lines += [f"# TYPE walkon_{name} gauge", f"walkon_{name} {value:g}"]
        return "\n".join(lines) + "\n"


class Middleware:
    """Wraps the app; a body has to arrive, and each part of an answer to be taken, within `deadline` seconds."""

    def __init__(self, app: ASGIApp, metrics: Metrics, deadline: float) -> None:
        self._app, self._metrics, self._deadline = app, metrics, deadline

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request; everything else, such as a socket, passes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            async with asyncio.timeout(self._deadline):
                await send(message)

        try:
            await self._app(scope, await self._whole(receive), noted)
        except Exception as problem:
            if not isinstance(problem, RefusalError | TimeoutError):
                log.exception("a request failed")
            if not status:
                answer = response(refusal_of(problem))
                answer.headers["connection"] = "close"
                await answer(scope, receive, noted)
        route = getattr(scope.get("route"), "path", "")
        kind = f"{scope['method']} {route}" if route else "other"
        self._metrics.answered(kind, status, perf_counter() - began)

    async def _whole(self, receive: Receive) -> Receive:
        """Receive the whole body, and return a receiver that delivers it."""
        body, length = bytearray(), 0
        try:
            async with asyncio.timeout(self._deadline):
                more = True
                while more and length <= DISCARDED:
                    message = await receive()
                    more = message.get("more_body", False)
                    piece = message.get("body", b"")
                    length += len(piece)
                    if length <= LARGEST_BODY:
                        body += piece
        except TimeoutError:
            if length <= LARGEST_BODY:
                why = f"the body did not arrive within {self._deadline:g} s: send it at once"
                raise RefusalError(LATE, why) from None
        if length > LARGEST_BODY:
            raise RefusalError(TOO_LARGE, f"the body has more than {LARGEST_BODY:,} bytes: send less")
        first: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def again() -> Message:
            return first.pop() if first else await receive()

        return again
