"""The service as an ASGI application: HTTP requests, described by OpenAPI, and a WebSocket for the same messages.

Over the socket, messages are sent one at a time, each with the field "do":

    {"do": "open", "seed": 7}                                        {"status": 201, "session": "...", "step": 0, ...}
    {"do": "tell", "session": "...", "step": 0, "observation": 3}    {"status": 200, "step": 1, "action": 2, ...}
    {"do": "look" | "replay" | "close", "session": "..."}
    {"do": "list"}

A message that cannot be used is answered with its error, and the conversation goes on.
"""

import json
import re
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Annotated, Any

from fastapi import FastAPI, Path, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from walkon.agents.agent import BeliefAgent
from walkon.errors import InputError
from walkon.service import messages
from walkon.service.messages import TOO_LARGE, RefusalError, refusal_of, response, unusable
from walkon.service.middleware import LARGEST_BODY, Executor, Metrics, Middleware, log
from walkon.service.page import page
from walkon.service.sessions import Sessions

DEEDS = ("open", "tell", "look", "replay", "close", "list")
SAID = {
    404: "There is no such session.",
    409: "It contradicts an earlier request.",
    413: "The body is too large.",
    422: "The message cannot be used.",
    429: "Too many requests: send it again after Retry-After seconds.",
    500: "The journal is damaged.",
    503: "The journal cannot be written.",
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
        return response(await executor.done(partial(sessions.open, opening)), 201)

    @route("GET", "/sessions", messages.SessionList, 429, 504)
    async def list_sessions() -> Response:
        """List all open sessions."""
        return response({"sessions": await executor.done(sessions.list)})

    @route("GET", "/sessions/{session}", messages.Look, 404, 422, 429, 500, 504)
    async def look_at_a_session(session: Name) -> Response:
        """Return the present state of a session."""
        return response(await executor.done(partial(sessions.look, session)))

    @route("POST", "/sessions/{session}/steps", messages.Answer, 404, 409, 413, 422, 429, 500, 503, 504)
    async def tell_a_step(session: Name, told: messages.Told) -> Response:
        """Report a step, and get the next action."""
        return response(await executor.done(partial(sessions.tell, session, told)))

    @route("GET", "/sessions/{session}/replay", messages.Replay, 404, 422, 429, 500, 504)
    async def replay_a_session(session: Name) -> Response:
        """Recompute the whole session, and compare it with the recorded answers."""
        return response(await executor.done(partial(sessions.replay, session)))

    @route("DELETE", "/sessions/{session}", messages.Closed, 404, 422, 429, 503, 504)
    async def close_a_session(session: Name) -> Response:
        """Close a session. Its journal is kept for a while."""
        return response(await executor.done(partial(sessions.close, session)))

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
        return response(facts | {"sessions": len(sessions), "waiting": executor.waiting})

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
        answer.headers.update(problem.headers or {})
        return answer

    return Middleware(app, metrics, executor.deadline)


async def converse(socket: WebSocket, sessions: Sessions, executor: Executor, metrics: Metrics) -> None:
    """Answer messages until the client leaves."""
    await socket.accept()
    while True:
        try:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            began = perf_counter()
            text = message.get("text") or message.get("bytes") or ""
            what, answer = await _answer(text, sessions, executor)
            metrics.answered(f"socket {what}", int(answer["status"]), perf_counter() - began)
            await socket.send_text(json.dumps(answer))
        except (WebSocketDisconnect, RuntimeError):  # the client left before the answer
            return


async def _answer(text: str | bytes, sessions: Sessions, executor: Executor) -> tuple[str, dict[str, Any]]:
    """Return the kind of the request, and the answer with its status."""
    what = "other"
    try:
        what, work = _work(text, sessions)
        return what, {"status": 201 if what == "open" else 200} | await executor.done(work)
    except Exception as problem:
        if not isinstance(problem, InputError | ValidationError):
            log.exception("a message failed")
        return what, refusal_of(problem).document()


def _work(text: str | bytes, sessions: Sessions) -> tuple[str, Callable[[], dict[str, Any]]]:
    """Return the kind of a request, and the work that it asks for."""
    if len(text) > LARGEST_BODY:
        raise RefusalError(TOO_LARGE, f"the message has more than {LARGEST_BODY:,} characters: send less")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise unusable(f"the message is not JSON ({str(cause)[:100]}): send an object") from None
    if not isinstance(message, dict) or message.get("do") not in DEEDS:
        raise unusable(f'the message is {message!r:.100}: expected {{"do": ...}}, one of {", ".join(DEEDS)}')
    what = str(message.pop("do"))
    if what == "open":
        return what, partial(sessions.open, messages.Opening(**message))
    if what == "list":
        return what, lambda: {"sessions": sessions.list()}
    name = message.pop("session", None)
    if not isinstance(name, str) or not re.fullmatch(messages.ID, name):
        raise unusable(f'session is {name!r:.100}: expected its name, as in the answer to {{"do": "open"}}')
    if what == "tell":
        return what, partial(sessions.tell, name, messages.Told(**message))
    deeds = {"look": sessions.look, "replay": sessions.replay, "close": sessions.close}
    return what, partial(deeds[what], name)
