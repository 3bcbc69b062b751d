"""The other end of the service, for robots and programs. It needs nothing but Python.

    client = Client("http://127.0.0.1:8090")
    session = client.open(seed=7)
    while playing:
        observation = execute(session.action)
        session.tell(observation=observation)

If the connection is lost, or the service restarts or is busy, the client waits and sends the request again: steps are
numbered, so none is taken twice.
"""

import json
import time
import uuid
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

from walkon.errors import InputError

AGAIN = {429, 503, 504}  # statuses after which a request is sent again


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
        self.name: str = answer["session"]
        self._take(answer)

    def _take(self, answer: dict[str, Any]) -> None:
        self.answer = answer
        self.step: int = answer["step"]
        self.action: int = answer["action"]
        self.action_name: str | None = answer["action_name"]
        self.probabilities: list[float] = answer["probabilities"]
        self.tasks: list[float] | None = answer["tasks"]
        self.surprise: float | None = answer["surprise"]
        self.explained: bool = answer["explained"]
        self.alarm: int | None = answer["alarm"]

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
        weights = None if likelihood is None else [float(each) for each in likelihood]
        told = {"observation": observation, "action": action, "likelihood": weights}
        told |= {"step": self.step, "state": state, "teammates": teammates}
        self._take(self._client.ask("POST", f"/sessions/{self.name}/steps", _given(told)))
        return self.action

    def look(self) -> dict[str, Any]:
        """Return the present state of the session."""
        return self._client.ask("GET", f"/sessions/{self.name}")

    def replay(self) -> dict[str, Any]:
        """Recompute the whole session, and compare it with the recorded answers."""
        return self._client.ask("GET", f"/sessions/{self.name}/replay")

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
            patience: The seconds after which a request is given up.
            timeout: The seconds to wait for one answer.
        """
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"address is {address!r:.100}, expected one such as http://127.0.0.1:8090")
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._stem, self._patience = parts.path.rstrip("/"), patience
        self._headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})

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
        shares = None if prior is None else [float(each) for each in prior]
        opening = {"id": id or uuid.uuid4().hex, "seed": seed, "prior": shares, "alarm": alarm}
        opening |= {"observation": observation, "state": state}
        return Session(self, self.ask("POST", "/sessions", _given(opening)))

    def session(self, name: str) -> Session:
        """Return an open session, in its present state."""
        return Session(self, self.ask("GET", f"/sessions/{quote(name, safe='')}")["answer"])

    def sessions(self) -> list[str]:
        """Return the names of all open sessions."""
        return [each["session"] for each in self.ask("GET", "/sessions")["sessions"]]

    def agent(self) -> dict[str, Any]:
        """Describe the agent, its tasks, actions and observations."""
        return self.ask("GET", "/agent")

    def health(self) -> dict[str, Any]:
        """Check that the service works."""
        return self.ask("GET", "/health")

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request until it is answered. A refusal raises an InputError with the service's message."""
        until, pause = time.monotonic() + self._patience, 0.05
        data = None if body is None else json.dumps(body).encode()
        while True:
            try:
                self._connection.request(method, self._stem + path, data, self._headers)
                answer = self._connection.getresponse()
                text, wait = answer.read(), answer.headers.get("retry-after", "")
                if answer.status not in AGAIN or time.monotonic() > until:
                    return _read(answer.status, text)
                pause = max(pause, min(float(wait), 10.0) if wait.isdigit() else 0.0)
            except (OSError, HTTPException) as problem:
                self._connection.close()
                if time.monotonic() > until:
                    where = f"{self._connection.host}:{self._connection.port}"
                    raise ConnectionError(f"no answer from {where} ({problem}): is walkon agent running?") from None
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    def close(self) -> None:
        """Close the connection. Sessions stay open."""
        self._connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _read(status: int, text: bytes) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise InputError(f"the answer ({status}) is not from a walkon agent: {text[:100]!r}; is the address right?")
    if status >= 400:
        raise InputError(f"{document.get('error', text[:200])} ({status})")
    return document
