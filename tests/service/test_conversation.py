"""The service over a WebSocket: the same answers as over HTTP, and a conversation that no message ends."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.network import Guard
from walkon.service.app import make_app
from walkon.service.executor import Executor
from walkon.service.messages import Opening, Told


@pytest.fixture
def said(begun):
    """The answers to messages over one socket."""
    sessions, executor = begun(), Executor()
    app = Guard(make_app(sessions, "a digest", "1.0", executor), as_json=True)
    runner = asyncio.Runner()

    def said(*messages, host=b"127.0.0.1"):
        waiting, answers = list(messages), []

        async def receive():
            if "connected" not in answers:
                answers.append("connected")
                return {"type": "websocket.connect"}
            if not waiting:
                return {"type": "websocket.disconnect", "code": 1000}
            message = waiting.pop(0)
            if isinstance(message, bytes):
                return {"type": "websocket.receive", "bytes": message}
            text = message if isinstance(message, str) else json.dumps(message)
            return {"type": "websocket.receive", "text": text}

        async def send(message):
            answers.append(json.loads(message["text"]) if "text" in message else message["type"])

        scope = {"type": "websocket", "path": "/socket", "raw_path": b"/socket", "query_string": b"", "root_path": ""}
        scope |= {"headers": [(b"host", host)], "subprotocols": [], "scheme": "ws", "server": ("127.0.0.1", 80)}
        runner.run(app(scope, receive, send))
        return answers[1:]

    said.sessions = sessions
    yield said
    executor.close()
    runner.close()


def test_the_same_messages_get_the_same_answers_as_over_http(said, begun):
    accepted, opened, told, looked, listed, replayed, closed = said(
        {"do": "open", "id": "one", "seed": 7},
        {"do": "tell", "session": "one", "step": 0, "observation": 1},
        {"do": "look", "session": "one"},
        {"do": "list"},
        {"do": "replay", "session": "one"},
        {"do": "close", "session": "one"},
    )
    assert accepted == "websocket.accept"
    other = begun(folder="other")
    assert opened == {"status": 201} | other.open(Opening(id="one", seed=7))
    assert told == {"status": 200} | other.tell("one", Told(step=0, observation=1))
    assert looked == {"status": 200} | other.look("one")
    assert listed == {"status": 200, "sessions": [{"session": "one", "step": 1}]}
    assert replayed == {"status": 200} | other.replay("one")
    assert closed == {"status": 200, "session": "one", "closed": True}


def test_a_mistake_is_answered_and_the_conversation_goes_on(said):
    mistakes = {
        "{": "not JSON",
        "[" * 100_000: "not JSON",
        "[]": 'expected {"do": ...}',
        '{"do": "jump"}': "one of open, tell, look, replay, close, list",
        '{"do": "tell", "step": 0}': "session is None",
        '{"do": "close", "session": "../secret"}': "session is '../secret'",
        '{"do": "tell", "session": "two", "step": 0}': "there is no session 'two'",
        '{"do": "tell", "session": "one"}': "step is",
        '{"do": "open", "seed": NaN}': "seed is nan",
        '{"do": "open", "id": "\\ud800"}': "id is",
        '{"do": "open", "prior": [1.0]}': "prior has shape",
        " " * (2**20 + 1): "more than 1,048,576 characters",
    }
    _, *answers, last = said(*mistakes, {"do": "open", "id": "one"})
    for answer, expected in zip(answers, mistakes.values(), strict=True):
        assert answer["status"] >= 400
        assert expected in answer["error"]
    assert last["status"] == 201


def test_a_failure_of_ours_is_said_without_its_insides(said, monkeypatch):
    def broken(*_):
        raise RuntimeError("a secret of the service")

    monkeypatch.setattr("walkon.agents.atpo.ATPO.update", broken)
    *_, answer, after = said({"do": "open", "id": "one"}, {"do": "tell", "session": "one", "step": 0}, {"do": "list"})
    assert answer["status"] == 500
    assert "secret" not in answer["error"]
    assert after["status"] == 200


def test_sockets_from_elsewhere_are_turned_away(said):
    assert said({"do": "list"}, host=b"evil.example") == ["websocket.close"]


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(), st.text(max_size=4), st.just(10**400)),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
FIELDS = [
    "session",
    "step",
    "observation",
    "action",
    "likelihood",
    "state",
    "teammates",
    "id",
    "seed",
    "prior",
    "alarm",
]


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    messages=st.lists(
        st.one_of(
            st.binary(max_size=20),
            st.text(max_size=20),
            st.builds(
                lambda do, fields: json.dumps({"do": do, **fields}),
                st.sampled_from(["open", "tell", "look", "replay", "close"]),
                st.dictionaries(st.sampled_from(FIELDS), st.one_of(st.just("one"), JSON), max_size=4),
            ),
        ),
        max_size=5,
    )
)
def test_every_message_is_answered_without_an_internal_error(said, messages):
    _, *answers = said({"do": "open", "id": "one", "seed": 1}, *messages)
    assert len(answers) == len(messages) + 1
    assert all(answer["status"] in (200, 201, 404, 409, 413, 422) for answer in answers)
