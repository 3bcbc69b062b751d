"""Files that every new browser asks for: worked out once, and the same for everybody."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from walkon.web.assets import KeptAssets

SCRIPT = "/_nicegui/1.0/script.js"


@pytest.fixture
def asked():
    return []


@pytest.fixture
def get(asked):
    def answer(request):
        asked.append(request.url.path)
        return PlainTextResponse("words " * 500, 404 if "missing" in request.url.path else 200)

    app = KeptAssets(GZipMiddleware(Starlette(routes=[Route("/{path:path}", answer)])))

    def got(path, **headers):
        async def ask():
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                return await client.get(path, headers=headers)

        return asyncio.run(ask())

    return got


def test_a_file_is_worked_out_once_for_all_browsers(get, asked):
    first, second = get(SCRIPT), get(SCRIPT)
    assert asked == [SCRIPT]
    assert (first.text, first.headers) == (second.text, second.headers)
    assert second.headers["content-encoding"] == "gzip"
    plain = get(SCRIPT, **{"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == first.text


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/", {}), (f"{SCRIPT}?a=1", {}), ("/_nicegui/missing.js", {}), (SCRIPT, {"range": "bytes=0-9"})],
)
def test_everything_else_is_passed_on_each_time(get, asked, path, headers):
    for times in (1, 2):
        get(path, **headers)
        assert len(asked) == times
