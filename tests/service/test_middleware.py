"""The checks that every request passes before it is handled."""

import asyncio
import json

from waiting import PATIENCE
from walkon.service.middleware import DISCARDED, Metrics, Middleware


def sent(app, receive, deadline=5.0):
    """Return the answer that comes back through the middleware."""
    messages = []

    async def send(message):
        messages.append(message)

    metrics = Metrics()
    asyncio.run(Middleware(app, metrics, deadline)({"type": "http", "method": "POST"}, receive, send))
    assert sum(metrics.requests.values()) == 1
    return messages[0]["status"], json.loads(messages[1]["body"])


async def echo(scope, receive, send):
    """Answers with how long the body was."""
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(len(message["body"])).encode()})


def test_a_body_in_pieces_arrives_as_one():
    pieces = [{"type": "http.request", "body": b"x" * 10, "more_body": i < 2} for i in range(3)]

    async def receive():
        return pieces.pop(0)

    assert sent(echo, receive) == (200, 30)


def test_a_body_that_does_not_arrive_in_time_is_not_waited_for():
    async def receive():
        await asyncio.sleep(60)

    status, document = sent(echo, receive, deadline=0.05)
    assert status == document["status"] == 504
    assert "did not arrive within 0.05 s" in document["error"]


def test_a_body_has_one_deadline_and_not_one_for_each_piece():
    """The first piece comes at once, the second never: each alone would be in time."""
    pieces = [{"type": "http.request", "body": b"x", "more_body": True}]

    async def receive():
        if pieces:
            return pieces.pop()
        await asyncio.Event().wait()

    status, document = sent(echo, receive, deadline=0.05)
    assert status == 504
    assert "the body did not arrive within 0.05 s" in document["error"]


def test_the_rest_of_a_body_that_is_too_large_is_read_but_not_kept_and_not_for_ever():
    received = []

    async def receive():
        received.append(1)
        return {"type": "http.request", "body": b"x" * 2**20, "more_body": len(received) != 3}

    status, document = sent(echo, receive, deadline=PATIENCE)
    assert status == document["status"] == 413
    assert len(received) == 3  # its client is done with sending, and can read the answer
    status, _ = sent(echo, receive, deadline=PATIENCE)
    assert status == 413
    assert len(received) == 3 + DISCARDED // 2**20 + 1


def test_an_answer_that_nobody_takes_is_given_up():
    began = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        began.append(message)
        await asyncio.Event().wait()

    asyncio.run(Middleware(echo, Metrics(), 0.05)({"type": "http", "method": "POST"}, receive, send))
    assert len(began) == 1
