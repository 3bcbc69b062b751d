"""The service over a WebSocket: the same messages as over HTTP.

They are sent one at a time, each with the field "do":

    {"do": "open", "seed": 7}                                        {"status": 201, "session": "...", "step": 0, ...}
    {"do": "tell", "session": "...", "step": 0, "observation": 3}    {"status": 200, "step": 1, "action": 2, ...}
    {"do": "look" | "replay" | "close", "session": "..."}
    {"do": "list"}

A message that cannot be used is answered with its error, and the conversation goes on.
"""

import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from time import perf_counter
from typing import Any

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from walkon.errors import InputError
from walkon.service import messages
from walkon.service.executor import Executor
from walkon.service.messages import TOO_LARGE, RefusalError, refusal_of, unusable
from walkon.service.middleware import LARGEST_BODY, Metrics, log
from walkon.service.recomputing import document_text
from walkon.service.sessions import Sessions

LARGEST_REPLAY = 2**24  # characters in one message
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
            what, status, answer = await _answer(text, sessions, executor)
            metrics.answered(f"socket {what}", status, perf_counter() - began)
            await socket.send_text(answer)
        except (WebSocketDisconnect, RuntimeError):  # the client left before the answer
            return


async def _answer(text: str | bytes, sessions: Sessions, executor: Executor) -> tuple[str, int, str]:
    """Return the kind of the request, and the answer with its status."""
    what = "other"
    try:
        what, session, work = _work(text, sessions)
        if what == "replay":
            pieces = executor.pieces(document_text(partial(sessions.replaying, session)))
            return what, 200, '{"status": 200, ' + (await _joined(pieces, session))[1:]
        status = 201 if what == "open" else 200
        return what, status, json.dumps({"status": status} | await executor.done(work, session))
    except Exception as problem:
        if not isinstance(problem, InputError | ValidationError):
            log.exception("a message failed")
        refusal = refusal_of(problem)
        return what, refusal.status, json.dumps(refusal.document())


async def _joined(pieces: AsyncGenerator[str], session: str) -> str:
    """Return a whole replay, if it is short enough for one message."""
    text = ""
    async with aclosing(pieces):
        async for piece in pieces:
            text += piece
            if len(text) > LARGEST_REPLAY:
                why = f"the replay has more than {LARGEST_REPLAY:,} characters: GET /sessions/{session}/replay sends it"
                raise RefusalError(TOO_LARGE, why)
    return text


def _work(text: str | bytes, sessions: Sessions) -> tuple[str, str, Callable[[], dict[str, Any]]]:
    """Return the kind of a request, its session, and the work that it asks for."""
    if len(text) > LARGEST_BODY:
        raise RefusalError(TOO_LARGE, f"the message has more than {LARGEST_BODY:,} characters: send less")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise unusable(f"the message is not JSON ({str(cause)[:100]}): send an object") from None
    if not isinstance(message, dict) or message.get("do") not in DEEDS:
        raise unusable(f'the message is {message!r:.100}: expected {{"do": ...}}, one of {", ".join(DEEDS)}')
    what = str(message.pop("do"))
    if what == "open":
        opening = messages.Opening(**message)
        return what, opening.id or "", partial(sessions.open, opening)
    if what == "list":
        return what, "", lambda: {"sessions": sessions.list()}
    name = message.pop("session", None)
    if not isinstance(name, str) or not re.fullmatch(messages.ID, name):
        raise unusable(f'session is {name!r:.100}: expected its name, as in the answer to {{"do": "open"}}')
    if what == "tell":
        return what, name, partial(sessions.tell, name, messages.Told(**message))
    deeds = {"look": sessions.look, "replay": sessions.replay, "close": sessions.close}
    return what, name, partial(deeds[what], name)
