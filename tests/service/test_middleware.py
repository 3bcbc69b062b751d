"""The checks that every request passes before it is handled."""

import asyncio
import json

from walkon.service.middleware import Metrics, Middleware


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


def test_a_body_is_refused_as_soon_as_it_is_too_large():
    received = []

    async def receive():
        received.append(1)
        return {"type": "http.request", "body": b"x" * 2**18, "more_body": True}

    status, document = sent(echo, receive)
    assert status == document["status"] == 413
    assert len(received) == 5
