"""The service as an ASGI application: HTTP requests, described by OpenAPI, and a socket."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Path, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from walkon.agents.agent import BeliefAgent
from walkon.errors import InputError
from walkon.network.guard import App
from walkon.service import messages
from walkon.service.conversation import converse
from walkon.service.executor import Executor
from walkon.service.metrics import Metrics
from walkon.service.middleware import BROKEN, Middleware
from walkon.service.page import page
from walkon.service.refusal import FAILED, RefusalError, mistake, response, unusable
from walkon.service.sessions import Sessions

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


def make_app(sessions: Sessions, bundle: str, version: str, executor: Executor) -> App:
    """Make the application; `bundle` is the digest of the agent's file."""
    app = FastAPI(title="walkon agent", version=version, description=WHAT, docs_url=None, redoc_url=None)
    metrics = Metrics()
    agent, vocabulary = sessions.agent, sessions.vocabulary
    Name = Annotated[str, Path(pattern=messages.ID, description="The session.")]

    def route(method: str, path: str, model: type[Any], *refusals: int, status: int = 200) -> Callable[..., Any]:
        problems: dict[int | str, Any] = {
            code: {"model": messages.Problem, "description": SAID[code]} for code in refusals
        }
        return app.api_route(
            path, methods=[method], response_model=model, status_code=status, responses=problems, tags=["service"]
        )

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

    @app.exception_handler(RequestValidationError)
    async def mistaken(request: Request, problem: RequestValidationError) -> Response:
        return response(unusable(mistake(problem.errors())))

    @app.exception_handler(InputError)
    async def refused(request: Request, problem: InputError) -> Response:
        return response(problem if isinstance(problem, RefusalError) else unusable(str(problem)))

    @app.exception_handler(HTTPException)
    async def elsewhere(request: Request, problem: HTTPException) -> Response:
        if problem.status_code == 400:  # nested too deeply, or not text
            return response(unusable("the body is not JSON in UTF-8: send an object"))
        what = f"{request.method} {request.url.path!r:.100}: {problem.detail}; GET /docs lists the requests"
        answer = response(RefusalError(problem.status_code, what))
        answer.headers.update(problem.headers or {})
        return answer

    @app.exception_handler(Exception)
    async def broken(request: Request, problem: Exception) -> Response:
        return response(RefusalError(FAILED, BROKEN))  # the middleware logs it

    return Middleware(app, metrics, executor.deadline)
