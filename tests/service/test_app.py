"""The service over HTTP and WebSocket, in this process: what it answers, and that nothing gets out raw."""

import asyncio
import re
import threading

import httpx
import pytest

from random_libraries import quick_agent, random_library
from waiting import PATIENCE
from walkon.network import Guard
from walkon.service.app import make_app
from walkon.service.middleware import LARGEST_BODY, Executor

HERE = "http://127.0.0.1"


class Asked:
    """A service that is asked one thing after another."""

    def __init__(self, sessions, most=64):
        self.sessions, self.executor = sessions, Executor(PATIENCE, most)
        self.app = Guard(make_app(sessions, "a digest", "1.0", self.executor), as_json=True)
        self.runner = asyncio.Runner()

    def settled(self):
        """Wait until nothing is under way any more."""

        async def settle():
            while self.executor.waiting:
                await asyncio.sleep(0.01)

        self.runner.run(asyncio.wait_for(settle(), PATIENCE))

    def close(self):
        self.executor.close()
        self.runner.close()

    def __call__(self, method, path, body=None, **options):
        async def ask():
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=HERE) as client:
                return await client.request(method, path, json=body, **options)

        return self.runner.run(ask())

    def together(self, *requests):
        async def ask():
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=HERE) as client:
                return await asyncio.gather(
                    *(client.request(method, path, json=body) for method, path, body in requests)
                )

        return self.runner.run(ask())


@pytest.fixture
def asked(begun):
    made = []

    def asked(**options):
        made.append(Asked(begun(), **options))
        return made[-1]

    yield asked
    for each in made:
        each.close()


def test_a_session_from_its_opening_to_its_end(asked):
    ask = asked()
    opened = ask("POST", "/sessions", {"id": "one", "seed": 7})
    assert opened.status_code == 201
    assert opened.json()["step"] == 0
    told = ask("POST", "/sessions/one/steps", {"step": 0, "observation": 1})
    assert told.status_code == 200
    assert told.json()["step"] == 1
    assert sum(told.json()["probabilities"]) == pytest.approx(1)
    assert ask("GET", "/sessions").json() == {"sessions": [{"session": "one", "step": 1}]}
    assert ask("GET", "/sessions/one").json()["answer"] == told.json()
    replay = ask("GET", "/sessions/one/replay").json()
    assert replay["exact"]
    assert replay["steps"][0]["answer"] == told.json()
    assert ask("DELETE", "/sessions/one").json() == {"session": "one", "closed": True}
    assert ask("GET", "/sessions/one").status_code == 404


def test_what_the_agent_is_and_how_the_service_does(asked):
    ask = asked()
    about = ask("GET", "/agent").json()
    assert about["agent"] == "atpo"
    assert about["tasks"] == ["task 0", "task 1", "task 2"]
    assert about["actions"] == 2
    assert about["prior"] == pytest.approx([1 / 3] * 3)
    health = ask("GET", "/health").json()
    assert (health["status"], health["sessions"], health["waiting"]) == ("ok", 0, 0)


def test_what_was_answered_is_counted(asked):
    ask = asked()
    ask("POST", "/sessions", {"id": "one"})
    for _ in range(2):
        ask("POST", "/sessions/one/steps", {"step": 0})
    ask("GET", "/sessions/two")
    text = ask("GET", "/metrics").text
    assert 'walkon_requests_total{what="POST /sessions/{session}/steps",status="200"} 2' in text
    assert 'walkon_requests_total{what="GET /sessions/{session}",status="404"} 1' in text
    assert "walkon_sessions 1" in text
    counts = [int(n) for n in re.findall(r'bucket\{le="[^"]+"\} (\d+)', text)]
    assert counts == sorted(counts)
    assert counts[-1] == int(re.search(r"request_seconds_count (\d+)", text)[1]) == 4
    for line in text.splitlines():
        assert re.fullmatch(r'(# TYPE \w+ \w+)|(\w+(\{(\w+="[^"]*",?)+\})? [0-9.e+-]+)', line), line


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        ("POST", "/sessions", {"seed": "7"}, 422, "body.seed is '7': Input should be a valid integer"),
        ("POST", "/sessions", {"sed": 7}, 422, "body.sed is 7: Extra inputs are not permitted"),
        ("POST", "/sessions", {"id": "../etc"}, 422, "body.id is '../etc'"),
        ("POST", "/sessions", {"seed": -1}, 422, "body.seed is -1"),
        ("POST", "/sessions", {"seed": 10**40}, 422, "body.seed is 1000"),
        ("POST", "/sessions", {"alarm": 1}, 422, "body.alarm is 1"),
        ("POST", "/sessions", [], 422, "body is []"),
        ("POST", "/sessions/one/steps", {}, 422, "body.step is {}: Field required"),
        ("POST", "/sessions/two/steps", {"step": 0}, 404, "there is no session 'two'"),
        ("POST", "/sessions/one/steps", {"step": 1}, 409, "step 0 is next"),
        ("POST", "/sessions/one/steps", {"step": 0, "observation": True}, 422, "body.observation"),
        ("POST", "/sessions/one/steps", {"step": 0, "observation": 1.5}, 422, "body.observation"),
        ("GET", "/sessions/ONE", None, 422, "path.session is 'ONE'"),
        ("GET", "/nowhere", None, 404, "Not Found; GET /docs lists the requests"),
        ("PUT", "/sessions", {}, 405, "Method Not Allowed"),
    ],
)
def test_a_mistake_is_told_in_json_with_its_place_and_value(method, path, body, status, said, asked):
    ask = asked()
    ask("POST", "/sessions", {"id": "one"})
    answer = ask(method, path, body)
    document = answer.json()
    assert answer.status_code == document["status"] == status
    assert said in document["error"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[" * 50_000,
        b"\xff\xfe",
        b"9" * 5000,
        b'{"step": NaN}',
        b'{"step": 1e999}',
        b"null",
        b'{"step": "\\ud800"}',
    ],
)
def test_bytes_that_are_no_message_are_refused(content, asked):
    ask = asked()
    ask("POST", "/sessions", {"id": "one"})
    for headers in ({"content-type": "application/json"}, {"content-type": "text/plain"}, {}):
        answer = ask("POST", "/sessions/one/steps", content=content, headers=headers)
        assert answer.status_code == 422
        assert answer.json()["error"]
    assert ask("GET", "/sessions/one").json()["answer"]["step"] == 0


def test_a_body_that_is_too_large_is_refused(asked):
    ask = asked()
    ask("POST", "/sessions", {"id": "one"})
    answer = ask("POST", "/sessions/one/steps", content=b" " * (LARGEST_BODY + 1))
    assert answer.status_code == 413
    assert "more than 1,048,576 bytes" in answer.json()["error"]


@pytest.fixture
def slow(monkeypatch):
    """Every update waits until it may go on."""
    gate = threading.Event()
    update = quick_agent("atpo", random_library(3)).__class__.update

    def waiting(*arguments):
        gate.wait(PATIENCE)
        return update(*arguments)

    monkeypatch.setattr("walkon.agents.atpo.ATPO.update", waiting)
    return gate


def test_what_takes_too_long_is_answered_in_time_and_sent_again_it_is_taken_once(asked, slow):
    ask = asked()
    ask("POST", "/sessions", {"id": "one", "seed": 1})
    ask.executor.deadline = 0.3
    late = ask("POST", "/sessions/one/steps", {"step": 0, "observation": 1})
    assert late.status_code == 504
    assert "longer than 0.3 s: send it again, a step is never taken twice" in late.json()["error"]
    slow.set()
    ask.executor.deadline = PATIENCE
    ask.settled()
    again = ask("POST", "/sessions/one/steps", {"step": 0, "observation": 1})
    assert again.status_code == 200
    assert ask("GET", "/sessions").json()["sessions"] == [{"session": "one", "step": 1}]


def test_when_too_much_waits_more_is_turned_away(asked, slow):
    ask = asked(most=2)
    for name in ("a", "b", "c"):
        ask("POST", "/sessions", {"id": name})
    ask.executor.deadline = 0.5
    answers = ask.together(*(("POST", f"/sessions/{name}/steps", {"step": 0}) for name in ("a", "b", "c")))
    assert sorted(answer.status_code for answer in answers) == [429, 504, 504]
    turned = next(answer for answer in answers if answer.status_code == 429)
    assert turned.headers["retry-after"] == "1"
    assert "2 requests are waiting" in turned.json()["error"]
    assert ask("GET", "/health").json()["waiting"] == 2  # what was begun still counts
    slow.set()
    ask.executor.deadline = PATIENCE
    ask.settled()
    assert ask("POST", "/sessions/c/steps", {"step": 0}).status_code == 200


def test_a_failure_of_ours_is_said_without_its_insides(asked, monkeypatch, caplog):
    ask = asked()
    ask("POST", "/sessions", {"id": "one"})

    def broken(*_):
        raise RuntimeError("a secret of the service")

    monkeypatch.setattr("walkon.agents.atpo.ATPO.update", broken)
    answer = ask("POST", "/sessions/one/steps", {"step": 0})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "the log of walkon agent says what" in answer.json()["error"]
    assert "a secret of the service" in caplog.text
    monkeypatch.undo()
    assert ask("POST", "/sessions/one/steps", {"step": 0}).status_code == 200


def test_the_page_describes_everything_and_loads_nothing(asked):
    ask = asked()
    document = ask("GET", "/openapi.json").json()
    for path in ("/docs", "/"):
        text = ask("GET", path).text
        for each in document["paths"]:
            assert f" {each}</code>" in text
        assert "likelihood" in text
        assert not re.search(r"<script|src=|@import|url\(|https?://", text)


def test_other_hosts_and_pages_are_turned_away_in_json(asked):
    ask = asked()
    for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
        answer = ask("POST", "/sessions", {}, headers=headers)
        assert answer.status_code == 403
        assert answer.json()["status"] == 403
    assert ask("GET", "/sessions").json() == {"sessions": []}
