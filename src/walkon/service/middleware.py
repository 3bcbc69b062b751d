"""Limits the size, time and number of all requests, counts the answers, and turns errors into JSON."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import TypeVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walkon.service.messages import BUSY, LATE, TOO_LARGE, RefusalError, refusal_of, response

LARGEST_BODY = 2**20
WORKERS = 4
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
T = TypeVar("T")
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


class Executor:
    """Runs up to `most` pieces of work at once, waiting or running, each within `deadline` seconds.

    Work that was started is finished, even after its deadline: the step is then in the journal, and sending it again
    returns its answer. Until it is finished it counts as waiting, so that a service that is too slow refuses new work.
    """

    def __init__(self, deadline: float = 5.0, most: int = 64) -> None:
        self.deadline, self.most, self.waiting = deadline, most, 0
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="walkon")

    async def done(self, work: Callable[[], T]) -> T:
        """Run the work, and return its result in time."""
        if self.waiting >= self.most:
            raise RefusalError(BUSY, f"{self.waiting} requests are waiting, the most there may be: send it again", 1)
        self.waiting += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._finished)
        finished, _ = await asyncio.wait([future], timeout=self.deadline)
        if not finished:
            why = f"it took longer than {self.deadline:g} s: send it again, a step is never taken twice"
            raise RefusalError(LATE, why, 1)
        return future.result()

    def _finished(self, future: "asyncio.Future[T]") -> None:
        self.waiting -= 1
        if not future.cancelled():
            future.exception()  # marks it as retrieved, as the client may have left

    def close(self) -> None:
        """Finish the work that was started."""
        self._pool.shutdown(wait=True, cancel_futures=True)


class Middleware:
    """Wraps the app; a body has to arrive within `deadline` seconds."""

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
            await send(message)

        try:
            await self._app(scope, await self._whole(receive), noted)
        except Exception as problem:
            if not isinstance(problem, RefusalError):
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
        first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return first.pop() if first else await receive()

        return again
