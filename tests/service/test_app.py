"""The service over HTTP and WebSocket, in this process: what it answers, and that nothing gets out raw."""

import asyncio
import re
import threading

import httpx
import pytest

from random_libraries import quick_agent, random_library
from waiting import PATIENCE, until
from walkon.network import Guard
from walkon.service.app import make_app
from walkon.service.executor import EACH, WORKERS, Executor
from walkon.service.middleware import LARGEST_BODY

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

    def too_late(self, *requests, slow, begun=1, waiting=1):
        """Send requests; once the work of `begun` has begun and `waiting` wait for theirs, their deadline passes."""

        async def ask():
            loop = asyncio.get_running_loop()
            async with httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url=HERE) as client:
                asked = asyncio.gather(*(client.request(method, path, json=body) for method, path, body in requests))
                for _ in range(begun):
                    await asyncio.to_thread(slow.waiting.acquire)
                while self.executor.waiting < waiting:
                    await asyncio.sleep(0)
                usual = loop.time
                loop.time = lambda: usual() + PATIENCE
                return await asked

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
        ("POST", "/sessions/one/steps", {"step": 0, "observation": {"x": 1}}, 422, "body.observation is {'x': 1}: "),
        ("POST", "/sessions/one/steps", {"step": 0, "likelihood": ["a"]}, 422, "body.likelihood.0 is 'a': "),
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
    """Updates wait until they may go on: those of the threads whose names begin with `slow.threads`."""
    gate = threading.Event()
    update = quick_agent("atpo", random_library(3)).__class__.update
    gate.threads, gate.waiting = "walkon", threading.Semaphore(0)

    def waiting(*arguments):
        if threading.current_thread().name.startswith(gate.threads):
            gate.waiting.release()
            gate.wait(PATIENCE)
        return update(*arguments)

    monkeypatch.setattr("walkon.agents.atpo.ATPO.update", waiting)
    yield gate
    gate.set()


def test_what_takes_too_long_is_answered_in_time_and_sent_again_it_is_taken_once(asked, slow):
    ask = asked()
    ask("POST", "/sessions", {"id": "one", "seed": 1})
    (late,) = ask.too_late(("POST", "/sessions/one/steps", {"step": 0, "observation": 1}), slow=slow)
    assert late.status_code == 504
    assert f"longer than {PATIENCE} s: send it again, a step is never taken twice" in late.json()["error"]
    slow.set()
    ask.settled()
    again = ask("POST", "/sessions/one/steps", {"step": 0, "observation": 1})
    assert again.status_code == 200
    assert ask("GET", "/sessions").json()["sessions"] == [{"session": "one", "step": 1}]


def test_work_that_has_not_begun_at_its_deadline_is_never_done(asked, slow):
    ask = asked()
    names = [f"s{i}" for i in range(WORKERS + 1)]
    for name in names:
        ask("POST", "/sessions", {"id": name, "seed": 1})
    steps = [("POST", f"/sessions/{name}/steps", {"step": 0}) for name in names]
    answers = ask.too_late(*steps, slow=slow, begun=WORKERS, waiting=WORKERS + 1)
    assert {answer.status_code for answer in answers} == {504}
    slow.set()
    ask.settled()
    steps = [each["step"] for each in ask("GET", "/sessions").json()["sessions"]]
    assert sorted(steps) == [0] + [1] * WORKERS


def test_one_session_never_holds_more_than_one_worker(asked, slow):
    """A robot sends its slow step again and again, and looks at it: another robot's steps are answered meanwhile."""
    ask = asked()
    ask("POST", "/sessions", {"id": "slow", "seed": 1})
    ask("POST", "/sessions", {"id": "quick", "seed": 1})

    async def ask_all():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(ask.app), base_url=HERE) as client:
            again = [client.post("/sessions/slow/steps", json={"step": 0}) for _ in range(EACH)]
            again = [asyncio.ensure_future(each) for each in again]
            await asyncio.to_thread(slow.waiting.acquire)
            slow.threads = "nobody"
            refused = await client.get("/sessions/slow/")
            refused = await client.post("/sessions/slow/steps", json={"step": 0})
            answers = [await client.post("/sessions/quick/steps", json={"step": t}) for t in range(5)]
            pending = [each for each in again if not each.done()]
            slow.set()
            return refused, answers, len(pending), await asyncio.gather(*again)

    refused, answers, pending, again = ask.runner.run(ask_all())
    assert [answer.json()["step"] for answer in answers] == [1, 2, 3, 4, 5]
    assert pending == EACH
    assert refused.status_code == 429
    assert '8 requests of session "slow" are waiting' in refused.json()["error"]
    assert {answer.text for answer in again} == {again[0].text}  # the step was taken once
    assert ask("GET", "/sessions/slow").json()["answer"]["step"] == 1


def test_a_replay_holds_up_nobody_and_there_is_one_at_a_time(asked, slow):
    ask = asked()
    slow.threads = "walkon-replay"
    for name in ("long", "quick"):
        ask("POST", "/sessions", {"id": name, "seed": 1})
    for t in range(3):
        ask("POST", "/sessions/long/steps", {"step": t})

    async def ask_all():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(ask.app), base_url=HERE) as client:
            replay = asyncio.ensure_future(client.get("/sessions/long/replay"))
            await asyncio.to_thread(slow.waiting.acquire)
            answers = [await client.post("/sessions/quick/steps", json={"step": t}) for t in range(5)]
            on = await client.post("/sessions/long/steps", json={"step": 3})
            second = await client.get("/sessions/quick/replay")
            begun = not replay.done()
            slow.set()
            return answers, on, second, begun, await replay

    answers, on, second, begun, replay = ask.runner.run(ask_all())
    assert [answer.json()["step"] for answer in answers] == [1, 2, 3, 4, 5]
    assert on.json()["step"] == 4  # even its own session goes on
    assert begun
    assert second.status_code == 429
    assert "another session is being replayed" in second.json()["error"]
    assert replay.json()["exact"]
    assert ask("GET", "/sessions/quick/replay").json()["exact"]


def test_a_replay_that_takes_too_long_ends_and_the_next_waits_for_its_last_step(asked, slow):
    ask = asked()
    slow.threads = "walkon-replay"
    ask("POST", "/sessions", {"id": "one", "seed": 1})
    ask("POST", "/sessions/one/steps", {"step": 0})
    with pytest.raises(AssertionError):  # the answer breaks off, as the transport of the test says
        ask.too_late(("GET", "/sessions/one/replay", None), slow=slow, waiting=0)
    assert ask("GET", "/sessions/one/replay").status_code == 429
    slow.set()
    until(lambda: ask("GET", "/sessions/one/replay").status_code == 200, "no replay is possible any more")


def test_a_replay_ends_when_its_client_leaves(asked, monkeypatch):
    ask = asked()
    ask("POST", "/sessions", {"id": "one", "seed": 1})
    for t in range(5):
        ask("POST", "/sessions/one/steps", {"step": t})
    monkeypatch.setattr("walkon.service.recomputing.PIECE", 0.0)  # a piece for each step
    left, sent, whole = asyncio.Event(), [], [{"type": "http.request", "body": b""}]

    async def leave_early():
        async def receive():
            if whole:
                return whole.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)
            if len(sent) == 3:
                left.set()
                await asyncio.Event().wait()  # what is sent now goes nowhere

        scope = {"type": "http", "method": "GET", "path": "/sessions/one/replay", "raw_path": b"/sessions/one/replay"}
        scope |= {"headers": [(b"host", b"127.0.0.1")], "query_string": b"", "root_path": "", "scheme": "http"}
        scope |= {"server": ("127.0.0.1", 80), "client": ("127.0.0.1", 1), "asgi": {"spec_version": "2.3"}}
        await ask.app(scope | {"http_version": "1.1"}, receive, send)

    ask.runner.run(leave_early())
    assert len(sent) == 3
    replay = ask("GET", "/sessions/one/replay")  # its place is free at once
    assert replay.json()["exact"]
    assert len(replay.json()["steps"]) == 5


def test_a_replay_is_not_stopped_by_damage_but_says_so(asked, tmp_path):
    ask = asked()
    ask("POST", "/sessions", {"id": "one", "seed": 1})
    for t in range(3):
        ask("POST", "/sessions/one/steps", {"step": t})
    path = tmp_path / "sessions" / "one.jsonl"
    path.write_bytes(path.read_bytes()[:-20] + b"\n")
    replay = ask("GET", "/sessions/one/replay").json()
    assert (replay["exact"], replay["differs"], len(replay["steps"])) == (False, 3, 2)
    assert "one.jsonl is damaged in line 4" in replay["damaged"]


def test_an_agent_that_decides_by_the_clock_does_not_decide_again_in_a_replay(asked, monkeypatch):
    ask = asked()
    ask("POST", "/sessions", {"id": "one", "seed": 1})
    ask("POST", "/sessions/one/steps", {"step": 0, "observation": 1})
    monkeypatch.setattr("walkon.service.recomputing.decides_by_the_clock", lambda agent: True)
    monkeypatch.setattr("walkon.agents.atpo.ATPO.act", None)
    assert ask("GET", "/sessions/one/replay").json()["exact"]


def test_whole_numbers_may_be_written_as_json_writes_them(asked):
    ask = asked()
    body = {"content": b'{"id": "one", "seed": 19.0}', "headers": {"content-type": "application/json"}}
    assert ask("POST", "/sessions", **body).status_code == 201
    step = {"content": b'{"step": 0.0, "observation": 1.0}', "headers": {"content-type": "application/json"}}
    assert ask("POST", "/sessions/one/steps", **step).json()["step"] == 1
    assert ask("POST", "/sessions/one/steps", {"step": 0, "observation": 1}).json()["step"] == 1
    assert ask("POST", "/sessions/one/steps", {"step": 1.5}).status_code == 422


def test_another_method_is_told_all_that_the_path_takes(asked):
    ask = asked()
    assert ask("PUT", "/sessions").headers["allow"] == "GET, POST"
    assert ask("PUT", "/sessions/one").headers["allow"] == "DELETE, GET"


def test_a_file_that_is_no_journal_is_said_by_health(begun, tmp_path):
    begun()
    (tmp_path / "sessions" / "robot-3.jsonl").write_bytes(b"")
    ask = Asked(begun())
    assert ask("GET", "/health").json()["refused"] == ["robot-3"]
    assert ask("GET", "/sessions/robot-3").status_code == 500
    ask.close()


def test_strange_addresses_and_origins_are_refused_as_any_other(asked):
    ask = asked()
    guarded = Guard(ask.app._app, hosts=frozenset(), token="sesame", as_json=True)
    ask.app = guarded
    many = "&".join(f"a{i}=1" for i in range(2000))
    for path, headers in ((f"/health?{many}", {}), ("/health", {"origin": "http://["}), ("/health", {"host": "["})):
        assert ask("GET", path, headers=headers).status_code == 403
    token = {"authorization": "Bearer sesame"}
    assert ask("GET", f"/health?{many}", headers=token).status_code == 200


def test_when_too_much_waits_more_is_turned_away(asked, slow):
    ask = asked(most=2)
    for name in ("a", "b", "c"):
        ask("POST", "/sessions", {"id": name})
    steps = [("POST", f"/sessions/{name}/steps", {"step": 0}) for name in ("a", "b", "c")]
    answers = ask.too_late(*steps, slow=slow, begun=2, waiting=2)
    assert sorted(answer.status_code for answer in answers) == [429, 504, 504]
    turned = next(answer for answer in answers if answer.status_code == 429)
    assert turned.headers["retry-after"] == "1"
    assert "2 requests are waiting" in turned.json()["error"]
    assert ask("GET", "/health").json()["waiting"] == 2  # what was begun still counts
    slow.set()
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
