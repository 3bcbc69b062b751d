"""The other end of the service, for robots and programs. It needs nothing but Python.

    client = Client("http://127.0.0.1:8090")
    session = client.open(seed=7)
    while playing:
        observation = execute(session.action)
        session.tell(observation=observation)

If the connection is lost, or the service restarts or is busy, the client waits and sends the request again: steps are
numbered, so none is taken twice. It gives up after `patience` seconds in all. A replay is the only request that is not
sent again once the service works on it.
"""

import json
import operator
import time
import uuid
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

from walkon.errors import InputError

AGAIN = {429, 503, 504}  # statuses after which a request is sent again
FIELDS = {"session", "step", "action", "action_name", "probabilities", "tasks", "surprise", "explained", "alarm"}
FRESH = 2.0  # seconds of silence after which a connection is made anew: the service drops silent ones
LEAST = 0.01  # seconds to wait for an answer, however little is left


class UnansweredError(InputError):
    """A request was given up; the message is the last refusal. A step may have been taken all the same."""


class Session:
    """One stay in one team: the proposed action, and the beliefs.

    Attributes:
        name: The session's name.
        answer: The last answer of the service.
        step: The number of steps so far.
        action: The proposed action.
        action_name: Its name, if actions have names.
        probabilities: The probability of each action, for callers that draw the action themselves.
        tasks: The belief over tasks.
        surprise: The surprise of the last observation, in bits.
        explained: Whether any task explains the last observation.
        alarm: The number of observations after which the alarm was raised that none of the tasks is going on.
    """

    def __init__(self, client: "Client", answer: dict[str, Any]) -> None:
        self._client = client
        self._take(answer)
        self.name: str = answer["session"]

    def _take(self, answer: dict[str, Any]) -> None:
        if missing := FIELDS - answer.keys():
            raise InputError(f"the answer has no {min(missing)!r}: is the address that of a walkon agent?")
        self.answer = answer
        self.step: int = answer["step"]
        self.action: int = answer["action"]
        self.action_name: str | None = answer["action_name"]
        self.probabilities: list[float] = answer["probabilities"]
        self.tasks: list[float] | None = answer["tasks"]
        self.surprise: float | None = answer["surprise"]
        self.explained: bool = answer["explained"]
        self.alarm: int | None = answer["alarm"]

    @property
    def actions(self) -> list[str] | int:
        """The names of the actions, or their number."""
        found: list[str] | int = self._client.described().get("actions", 0)
        return found

    def tell(
        self,
        observation: int | str | None = None,
        *,
        action: int | str | None = None,
        likelihood: Sequence[float] | None = None,
        state: int | str | None = None,
        teammates: int | str | None = None,
    ) -> int:
        """Report a step, and get the next action.

        Args:
            observation: The observation, by its number or its name; None if there is none.
            action: The action that was executed, if it was not the proposed one.
            likelihood: Soft evidence in place of an observation: a weight for each possible one.
            state: The state, for an agent that sees it.
            teammates: The teammates' joint action, for an agent that sees it.
        """
        weights = None if likelihood is None else _weights("likelihood", likelihood)
        told = {"observation": observation, "action": action, "likelihood": weights}
        told |= {"step": self.step, "state": state, "teammates": teammates}
        self._take(self._client.ask("POST", f"/sessions/{self.name}/steps", _given(told)))
        return self.action

    def look(self) -> dict[str, Any]:
        """Return the present state of the session."""
        return self._client.ask("GET", f"/sessions/{self.name}")

    def catch_up(self) -> None:
        """Take over the present state of the session: a step without an answer may have been taken."""
        self._take(self.look().get("answer", {}))

    def replay(self) -> dict[str, Any]:
        """Recompute the whole session, and compare it with the recorded answers. A long one takes its time."""
        return self._client.ask("GET", f"/sessions/{self.name}/replay", once=True)

    def close(self) -> None:
        """Close the session. Its journal is kept for a while."""
        self._client.ask("DELETE", f"/sessions/{self.name}")


class Client:
    """The client of a service, for one thread."""

    def __init__(
        self, address: str, *, token: str | None = None, patience: float = 30.0, timeout: float = 10.0
    ) -> None:
        """Store the address; nothing is sent yet.

        Args:
            address: Such as "http://127.0.0.1:8090".
            token: The token that `walkon agent` printed, where it serves other machines.
            patience: The seconds after which a request is given up, in all.
            timeout: The seconds to wait for one answer before the request is sent again.
        """
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except (ValueError, TypeError, AttributeError):
            host = None
        if not host or parts.scheme not in ("http", "https"):
            raise InputError(f"address is {address!r:.100}, expected one such as http://127.0.0.1:8090")
        if token is not None and not (token.isascii() and token.isprintable()):
            raise InputError(f"token is {token!r:.100}, expected the one that walkon agent printed")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(host, port, timeout=timeout)
        self._stem, self._patience, self._timeout, self._used = parts.path.rstrip("/"), patience, timeout, 0.0
        self._headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        self._described: dict[str, Any] | None = None

    def open(
        self,
        *,
        id: str | None = None,
        seed: int | None = None,
        prior: Sequence[float] | None = None,
        alarm: float | None = None,
        observation: int | str | None = None,
        state: int | str | None = None,
    ) -> Session:
        """Open a session. With the id and the arguments of an open one, it is that session, in its present state.

        Args:
            id: Its name: small letters, digits and dashes; a new one if not given.
            seed: The seed of its draws.
            prior: The belief over tasks at the start, in place of the agent's.
            alarm: Raise an alarm when none of the tasks is going on, with this probability of a false alarm.
            observation: Where the state is observed, the first one.
            state: For an agent that sees the state, the first one.
        """
        shares = None if prior is None else _weights("prior", prior)
        opening = {"id": id or uuid.uuid4().hex, "seed": seed, "prior": shares, "alarm": alarm}
        opening |= {"observation": observation, "state": state}
        return Session(self, self.ask("POST", "/sessions", _given(opening)))

    def session(self, name: str) -> Session:
        """Return an open session, in its present state."""
        return Session(self, self.ask("GET", f"/sessions/{quote(name, safe='', errors='replace')}").get("answer", {}))

    def sessions(self) -> list[str]:
        """Return the names of all open sessions."""
        return [each["session"] for each in self.ask("GET", "/sessions")["sessions"]]

    def agent(self) -> dict[str, Any]:
        """Describe the agent, its tasks, actions and observations."""
        return self.ask("GET", "/agent")

    def described(self) -> dict[str, Any]:
        """Describe the agent, from the first answer to that: it does not change."""
        if self._described is None:
            self._described = self.agent()
        return self._described

    def health(self) -> dict[str, Any]:
        """Check that the service works."""
        return self.ask("GET", "/health")

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None, *, once: bool = False) -> dict[str, Any]:
        """Send a request until it is answered. A refusal raises an InputError with the service's message.

        With `once`, a request that the service may have begun to work on is not sent again.
        """
        data, until, pause = _data(body), time.monotonic() + self._patience, 0.05
        refusal: UnansweredError | None = None
        while True:
            problem: Exception | None = None
            try:
                status, text, wait = self._send(method, path, data, until)
            except (OSError, HTTPException) as lost:
                self._connection.close()
                problem, wait = lost, 0.0
            else:
                if status not in AGAIN or (once and status == 504):
                    return _read(status, text)
                refusal = _refusal(status, text)
            pause = max(pause, wait)
            broken = once and problem is not None
            if time.monotonic() + pause > until or broken:
                if refusal is not None and not broken:
                    raise refusal
                where = f"{self._connection.host}:{self._connection.port}"
                raise ConnectionError(f"no answer from {where} ({problem}): is walkon agent running?")
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    def _send(self, method: str, path: str, data: bytes | None, until: float) -> tuple[int, bytes, float]:
        """Send a request once; return the status, the answer, and the seconds after which to send it again."""
        connection, left = self._connection, max(until - time.monotonic(), LEAST)
        if time.monotonic() - self._used > FRESH:
            connection.close()
        connection.timeout = min(self._timeout, left)
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        connection.request(method, self._stem + path, data, self._headers)
        answer = connection.getresponse()
        text, wait = answer.read(), answer.headers.get("retry-after", "")
        self._used = time.monotonic()
        return answer.status, text, min(float(wait), 10.0) if wait.isdecimal() else 0.0

    def close(self) -> None:
        """Close the connection. Sessions stay open."""
        self._connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _weights(name: str, said: Sequence[float]) -> list[float]:
    try:
        return [float(each) for each in said]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is {said!r:.100}, expected a list of numbers") from None


def _data(body: dict[str, Any] | None) -> bytes | None:
    try:
        return None if body is None else json.dumps(body, default=operator.index).encode()
    except (TypeError, ValueError, RecursionError) as problem:
        raise InputError(f"the message cannot be sent as JSON ({problem}): expected numbers and names") from None


def _refusal(status: int, text: bytes) -> UnansweredError:
    """Return the words of a refusal; where it has none, as from a proxy, say what it usually means."""
    document = _document(text)
    why = "too many connections, or none that works" if document is None else document.get("error", text[:200])
    return UnansweredError(f"{why} ({status})")


def _document(text: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _read(status: int, text: bytes) -> dict[str, Any]:
    document = _document(text)
    if document is None:
        raise InputError(f"the answer ({status}) is not from a walkon agent: {text[:100]!r}; is the address right?")
    if status >= 400:
        raise InputError(f"{document.get('error', text[:200])} ({status})")
    return document
