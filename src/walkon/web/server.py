"""The server of the page: NiceGUI behind a guard on one address. The page loads nothing from elsewhere."""

import atexit
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import unquote

from fastapi import FastAPI, Request, Response
from nicegui import app as pages
from nicegui import background_tasks, ui
from starlette.types import ASGIApp

from walkon.figures.files import darkened
from walkon.network import Address
from walkon.web.assets import FirstGame, KeptAssets
from walkon.web.controller import FAILED
from walkon.web.first_game import from_head
from walkon.web.host import Host
from walkon.web.pages.play import GamePage
from walkon.web.pages.results import ResultsPage
from walkon.web.pages.widgets import NOWHERE
from walkon.web.results import Run
from walkon.web.workbench import Workbench

RECONNECT = 20.0  # seconds for which a page without connection is kept
PATIENCE = 60.0  # seconds in which the head of a page is built, however many people come at once
MOST_SOCKETS = 4000  # a browser has up to seven while it opens a page
SWITCH = 0.001  # seconds after which a thread that computes lets the page go on
KEPT = "private, max-age=31536000, immutable"  # the address of a figure changes with it
log = logging.getLogger("walkon.web")


def make_app(host: Host, run: Run | None) -> FastAPI:
    """Make the ASGI application of the page."""
    outer = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    usual = host.usual
    watched = replace(usual, played_by=usual.task)  # agents are compared without a person

    @ui.page("/", response_timeout=PATIENCE)
    @ui.page("/play", response_timeout=PATIENCE)
    async def play(request: Request) -> None:
        await GamePage(host, "/", usual, (usual.agent,), run is not None).begin(request.query_params)

    @ui.page("/compare", response_timeout=PATIENCE)
    async def compare(request: Request) -> None:
        agents = (usual.agent, next(name for name in ("bopa", "atpo") if name != usual.agent))
        await GamePage(host, "/compare", watched, agents, run is not None).begin(request.query_params)

    if run is not None:  # nothing in its folder is served but its figures
        workbench = Workbench(run)

        @ui.page("/results", response_timeout=PATIENCE)
        def results(request: Request) -> None:
            ResultsPage(run, workbench, request.query_params)

        @ui.page("/trial", response_timeout=PATIENCE)
        async def trial(request: Request) -> None:
            key = request.query_params.get("key", "")
            await GamePage(host, "/trial", usual, (usual.agent,), True).replay(
                key, lambda _: (run.game(key) for _ in range(1))
            )

        @pages.get("/results/figures/{name}.svg")
        def figure(name: str, request: Request) -> Response:
            svg = workbench.picture(name)
            if svg is None:
                return Response(status_code=404)
            shown = darkened(svg) if "dark" in request.query_params else svg
            return Response(shown, media_type="image/svg+xml", headers={"cache-control": KEPT})

    @pages.on_page_exception
    def failed(problem: Exception) -> None:
        log.error("a page failed", exc_info=problem)
        ui.label(FAILED)

    @pages.exception_handler(404)
    async def nowhere(_request: Request, _problem: Exception) -> Response:
        return Response(NOWHERE, status_code=404, media_type="text/html")

    for path in ("/", "/play", "/compare"):  # those who only look whether it is there
        pages.add_api_route(path, lambda: Response(media_type="text/html"), methods=["HEAD"])

    if not shows_game(host, run):
        pages.on_startup(lambda: background_tasks.create(host.prepare(), name="prepare"))
    pages.on_shutdown(host.solving.close)
    ui.run_with(
        outer,
        title="walkon",
        favicon=unquote(from_head("icon").partition(",")[2]),
        dark=None,
        language="en-US",
        tailwind=False,
        reconnect_timeout=RECONNECT,
        binding_refresh_interval=None,
        message_history_length=100,
        show_welcome_message=False,
    )
    return outer


def shows_game(host: Host, run: Run | None) -> bool:
    """Whether the first page is the first game: where nothing was named on the command line."""
    return host.brought is None and run is None


def serve(host: Host, address: Address, ready: Callable[[str], None], run: Run | None = None) -> None:
    """Serve until the process is stopped. `ready` is called with the address to open."""
    listening = address.bound()
    app: ASGIApp = make_app(host, run)
    sys.setswitchinterval(SWITCH)
    allow_files(MOST_SOCKETS + 100)
    first = "results" if run is not None and host.brought is None else ""
    ready(address.url(listening) + first + (f"?token={address.token}" if address.token else ""))
    try:
        app = KeptAssets(app)
        if shows_game(host, run):
            app = FirstGame(app)
        address.serve(app, listening, limit_concurrency=MOST_SOCKETS, ws_max_size=2**20)
    finally:
        if host.thinking.busy:  # a thread in a kernel cannot be stopped, and must not outlive what it works on
            atexit.register(end_at_once)


def end_at_once() -> None:
    """End this process without waiting for its threads, as if it had been interrupted."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(130)


def allow_files(count: int) -> None:
    """Raise this process's limit of open files, where there is one and as far as it can be raised."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
