"""The service over a WebSocket: the same messages, one at a time, each with the field "do".

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
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from walkon.errors import InputError
from walkon.service.executor import Executor
from walkon.service.messages import ID, Opening, Told
from walkon.service.metrics import Metrics
from walkon.service.middleware import BROKEN, LARGEST_BODY, log
from walkon.service.refusal import FAILED, TOO_LARGE, RefusalError, mistake, unusable
from walkon.service.sessions import Sessions

DEEDS = ("open", "tell", "look", "replay", "close", "list")


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
        message = _message(text)
        what, work = _work(message, sessions)
        answer = await executor.done(work)
        return what, {"status": 201 if what == "open" else 200} | answer
    except RefusalError as refusal:
        return what, refusal.document()
    except ValidationError as problem:
        return what, unusable(mistake(problem.errors())).document()
    except InputError as problem:
        return what, unusable(str(problem)).document()
    except Exception:
        log.exception("a message failed")
        return what, RefusalError(FAILED, BROKEN).document()


def _message(text: str | bytes) -> dict[str, Any]:
    if len(text) > LARGEST_BODY:
        raise RefusalError(TOO_LARGE, f"the message has more than {LARGEST_BODY:,} characters: send less")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise unusable(f"the message is not JSON ({str(cause)[:100]}): send an object") from None
    if not isinstance(message, dict) or message.get("do") not in DEEDS:
        raise unusable(f'the message is {message!r:.100}: expected {{"do": ...}}, one of {", ".join(DEEDS)}')
    return message


def _work(message: dict[str, Any], sessions: Sessions) -> tuple[str, Callable[[], dict[str, Any]]]:
    """Return the kind of a request, and the work that it asks for."""
    fields = dict(message)
    what = str(fields.pop("do"))
    if what == "open":
        return what, partial(sessions.open, Opening(**fields))
    if what == "list":
        return what, lambda: {"sessions": sessions.list()}
    name = fields.pop("session", None)
    if not isinstance(name, str) or not re.fullmatch(ID, name):
        raise unusable(f'session is {name!r:.100}: expected its name, as in the answer to {{"do": "open"}}')
    if what == "tell":
        return what, partial(sessions.tell, name, Told(**fields))
    deeds = {"look": sessions.look, "replay": sessions.replay, "close": sessions.close}
    return what, partial(deeds[what], name)
