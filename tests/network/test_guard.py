"""The clients that may talk to a server."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkon import InputError
from walkon.network import COOKIE, Guard

TOKEN = "a-token"


def ask(guard, *, kind="http", path="/", query=b"", **headers):
    """Return the guard's status, or what it passes on."""
    sent = []

    async def app(scope, receive, send):
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        else:
            await send({"type": "websocket.accept"})

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "websocket.connect"}

    found = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "query_string": query, "headers": found}
    guard = Guard(app, **guard)
    asyncio.run(guard(scope, receive, send))
    return sent[0]


HERE = {}
AWAY = {"hosts": frozenset(), "token": TOKEN}


def status(answer):
    return answer.get("status", answer["type"])


def led_from(site, into):
    """The headers of a browser that is led here from a page of another site, or into a frame of one."""
    return {"sec_fetch_site": site, "sec_fetch_mode": "navigate", "sec_fetch_dest": into}


@pytest.mark.parametrize(
    ("kind", "headers", "expected"),
    [
        ("http", {"host": "127.0.0.1:8080"}, 200),
        ("http", {"host": "localhost:8080"}, 200),
        ("http", {"host": "[::1]:8080"}, 200),
        ("http", {"host": "evil.example:8080"}, 403),
        ("http", {"host": "127.0.0.1.evil.example"}, 403),
        ("http", {"host": "[::"}, 403),
        ("http", {}, 403),
        ("http", {"host": "127.0.0.1:8080", "origin": "http://127.0.0.1:8080"}, 200),
        ("http", {"host": "127.0.0.1:8080", "origin": "http://evil.example"}, 403),
        ("http", {"host": "127.0.0.1:8080", "origin": "http://127.0.0.1:9999"}, 403),
        ("http", {"host": "127.0.0.1:8080", "origin": "null"}, 403),
        ("http", {"host": "127.0.0.1:8080", "origin": "http://["}, 403),
        ("http", {"host": "127.0.0.1:8080", "sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, 403),
        ("http", {"host": "127.0.0.1:8080", "sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}, 200),
        ("http", {"host": "127.0.0.1:8080", **led_from("cross-site", "document")}, 200),
        ("http", {"host": "127.0.0.1:8080", **led_from("cross-site", "iframe")}, 403),
        ("http", {"host": "127.0.0.1:8080", **led_from("same-site", "frame")}, 403),  # from another port
        ("http", {"host": "127.0.0.1:8080", **led_from("cross-site", "object")}, 403),
        ("http", {"host": "127.0.0.1:8080", **led_from("same-origin", "iframe")}, 200),
        ("websocket", {"host": "127.0.0.1:8080", "origin": "http://127.0.0.1:8080"}, "websocket.accept"),
        ("websocket", {"host": "127.0.0.1:8080", "origin": "http://evil.example"}, "websocket.close"),
        ("websocket", {"host": "evil.example", "origin": "http://evil.example"}, "websocket.close"),
    ],
)
def test_only_this_page_on_this_machine_may_talk(kind, headers, expected):
    assert status(ask(HERE, kind=kind, **headers)) == expected


def test_answers_forbid_all_that_is_elsewhere():
    headers = dict(ask(HERE, host="localhost")["headers"])
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


def test_beyond_this_machine_a_token_is_needed():
    host = {"host": "box.example:8080"}
    assert status(ask(AWAY, **host)) == 403
    assert status(ask(AWAY, kind="websocket", **host)) == "websocket.close"
    assert status(ask(AWAY, query=b"token=wrong", **host)) == 403
    assert status(ask(AWAY, cookie=f"{COOKIE}=wrong", **host)) == 403
    assert status(ask(AWAY, cookie=f"{COOKIE}={TOKEN}", **host)) == 200
    assert status(ask(AWAY, kind="websocket", cookie=f"{COOKIE}={TOKEN}", **host)) == "websocket.accept"
    assert status(ask(AWAY, cookie=f"{COOKIE}={TOKEN}", origin="http://evil.example", **host)) == 403


def test_a_program_shows_the_token_in_a_header():
    host = {"host": "box.example:8080"}
    assert status(ask(AWAY, authorization=f"Bearer {TOKEN}", **host)) == 200
    assert status(ask(AWAY, kind="websocket", authorization=f"bearer {TOKEN}", **host)) == "websocket.accept"
    for shown in ("Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN} {TOKEN}"):
        assert status(ask(AWAY, authorization=shown, **host)) == 403
        assert status(ask(AWAY, kind="websocket", authorization=shown, **host)) == "websocket.close"
    elsewhere = ask(AWAY, authorization=f"Bearer {TOKEN}", origin="http://evil.example", **host)
    assert status(elsewhere) == 403


@pytest.mark.parametrize(("as_json", "kind"), [(False, b"text/plain; charset=utf-8"), (True, b"application/json")])
def test_a_refused_client_is_told_so_in_its_own_format(as_json, kind):
    assert dict(ask({"as_json": as_json}, host="evil.example")["headers"])[b"content-type"] == kind


@pytest.mark.parametrize(
    ("path", "target"), [("/compare", b"/compare?seed=3"), ("//evil.example", b"/evil.example?seed=3")]
)
def test_the_token_goes_from_the_address_into_a_cookie(path, target):
    answer = ask(AWAY, path=path, query=f"seed=3&token={TOKEN}".encode(), host="box.example")
    headers = dict(answer["headers"])
    assert answer["status"] == 303
    assert headers[b"location"] == target
    cookie = headers[b"set-cookie"].decode()
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@given(
    st.dictionaries(
        st.sampled_from(["host", "origin", "cookie", "authorization"]), st.text('abc:/[]=;"\\,%é ', max_size=20)
    ),
    st.binary(),
)
def test_no_header_breaks_the_guard_or_gets_past_it(headers, query):
    assert status(ask(AWAY, query=query, **headers)) in (403, "websocket.close")


def test_an_address_that_others_can_reach_needs_a_token():
    from walkon.network import Address

    assert Address("127.0.0.1").token is None
    assert Address("0.0.0.0", token=TOKEN).token == TOKEN
    with pytest.raises(InputError, match="a token has to protect it"):
        Address("0.0.0.0")
    with pytest.raises(InputError, match="port is 70000"):
        Address(port=70000)
