"""The service as an ASGI application: HTTP requests, described by OpenAPI, and a WebSocket for the same messages."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Path, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from walkon.agents.agent import BeliefAgent
from walkon.errors import InputError
from walkon.service import messages
from walkon.service.conversation import converse
from walkon.service.executor import Executor
from walkon.service.messages import RefusalError, refusal_of, response, unusable
from walkon.service.middleware import Metrics, Middleware
from walkon.service.page import page
from walkon.service.recomputing import document_text
from walkon.service.sessions import Sessions

SAID = {
    404: "There is no such session.",
    409: "It contradicts an earlier request.",
    413: "The body is too large.",
    422: "The message cannot be used.",
    429: "Too many requests: send it again after Retry-After seconds.",
    500: "The journal is damaged.",
    503: "The journal cannot be written, or the session is still being recomputed: send it again.",
    504: "It took too long: send it again, a step is never taken twice.",
}
WHAT = """An agent that joins a team it has never met. Open a session, execute the proposed action, send the
observation, and go on. A repeated step gets the same answer and is not taken twice, so a request without an answer can
be sent again. `/socket` takes the same messages over a WebSocket."""


def make_app(sessions: Sessions, bundle: str, version: str, executor: Executor) -> ASGIApp:
    """Make the application; `bundle` is the digest of the agent's file."""
    app = FastAPI(title="walkon agent", version=version, description=WHAT, docs_url=None, redoc_url=None)
    metrics = Metrics()
    agent, vocabulary = sessions.agent, sessions.vocabulary
    Name = Annotated[str, Path(pattern=messages.ID, description="The session.")]

    def route(method: str, path: str, model: type[Any], *refusals: int, status: int = 200) -> Callable[..., Any]:
        said: dict[int | str, Any] = {code: {"model": messages.Problem, "description": SAID[code]} for code in refusals}
        answer: dict[str, Any] = {"response_model": model, "status_code": status, "responses": said}
        return app.api_route(path, methods=[method], tags=["service"], **answer)

    @route("POST", "/sessions", messages.Answer, 409, 413, 422, 429, 503, 504, status=201)
    async def open_session(opening: messages.Opening) -> Response:
        """Open a session, and get the first action."""
        return response(await executor.done(partial(sessions.open, opening), opening.id or ""), 201)

    @route("GET", "/sessions", messages.SessionList, 429, 504)
    async def list_sessions() -> Response:
        """List all open sessions."""
        return response({"sessions": await executor.done(sessions.list)})

    @route("GET", "/sessions/{session}", messages.Look, 404, 422, 429, 500, 503, 504)
    async def look_at_a_session(session: Name) -> Response:
        """Return the present state of a session."""
        return response(await executor.done(partial(sessions.look, session), session))

    @route("POST", "/sessions/{session}/steps", messages.Answer, 404, 409, 413, 422, 429, 500, 503, 504)
    async def tell_a_step(session: Name, told: messages.Told) -> Response:
        """Report a step, and get the next action."""
        return response(await executor.done(partial(sessions.tell, session, told), session))

    @route("GET", "/sessions/{session}/replay", messages.Replay, 404, 422, 429, 500, 504)
    async def replay_a_session(session: Name) -> Response:
        """Recompute the whole session, and compare it with the recorded answers. The answer is sent as it is made."""
        return await Streamed.of(executor.pieces(document_text(partial(sessions.replaying, session))))

    @route("DELETE", "/sessions/{session}", messages.Closed, 404, 422, 429, 503, 504)
    async def close_a_session(session: Name) -> Response:
        """Close a session. Its journal is kept for a while."""
        return response(await executor.done(partial(sessions.close, session), session))

    @route("GET", "/agent", messages.About)
    async def about_the_agent() -> Response:
        """Describe the agent, its tasks, actions and observations."""
        document = {
            "agent": agent.name,
            "bundle": bundle,
            "senses": sorted(agent.senses),
            "tasks": list(agent.library.names),
            "prior": agent.inference.prior.tolist() if isinstance(agent, BeliefAgent) else None,
            "actions": list(vocabulary.actions.names or ()) or vocabulary.actions.size,
            "observations": list(vocabulary.observations.names or ()) or vocabulary.observations.size,
        }
        return response(document)

    @route("GET", "/health", messages.Health)
    async def health() -> Response:
        """Check that the service works."""
        facts = {"status": "ok", "version": version, "agent": agent.name}
        now = {"sessions": len(sessions), "waiting": executor.waiting, "refused": sessions.refused}
        return response(facts | now)

    @app.get("/metrics", response_class=PlainTextResponse, tags=["service"])
    async def metrics_() -> Response:
        """Return metrics for Prometheus."""
        now = {"sessions": float(len(sessions)), "waiting": float(executor.waiting)}
        return PlainTextResponse(metrics.text(now), media_type="text/plain; version=0.0.4")

    @app.get("/", include_in_schema=False)
    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return HTMLResponse(page(app.openapi()))

    @app.websocket("/socket")
    async def socket(socket: WebSocket) -> None:
        await converse(socket, sessions, executor, metrics)

    async def refused(request: Request, problem: Exception) -> Response:
        return response(refusal_of(problem))  # the middleware logs what nobody expected

    for kind in (RequestValidationError, InputError, Exception):
        app.add_exception_handler(kind, refused)

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, problem: HTTPException) -> Response:
        if problem.status_code == 400:  # nested too deeply, or not text
            return response(unusable("the body is not JSON in UTF-8: send an object"))
        what = f"{request.method} {request.url.path!r:.100}: {problem.detail}; GET /docs lists the requests"
        answer = response(RefusalError(problem.status_code, what))
        if problem.status_code == 405:
            answer.headers["allow"] = ", ".join(methods_at(app, request.scope))
        return answer

    return Middleware(app, metrics, executor.deadline)


class Streamed(StreamingResponse):
    """An answer that is sent while it is made. Its making ends with the answer, or when the client leaves."""

    def __init__(self, first: str, pieces: AsyncGenerator[str]) -> None:
        self._first, self._pieces = first, pieces
        super().__init__(self._text(), media_type="application/json")

    @classmethod
    async def of(cls, pieces: AsyncGenerator[str]) -> "Streamed":
        """Wait for the first piece: what is refused at once gets a status of its own."""
        return cls(await anext(pieces), pieces)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        async with aclosing(self._pieces):
            await super().__call__(scope, receive, send)

    async def _text(self) -> AsyncGenerator[str]:
        yield self._first
        async for piece in self._pieces:
            yield piece


def methods_at(app: FastAPI, scope: Scope) -> list[str]:
    """Return the methods that a path takes; each has a route of its own."""
    found = [each for each in app.routes if isinstance(each, Route) and each.matches(scope)[0] != Match.NONE]
    return sorted({method for each in found for method in each.methods or ()})
