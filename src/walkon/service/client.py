"""The other end of the service, for robots and programs. It needs nothing but Python.

    client = Client("http://127.0.0.1:8090")
    session = client.open(seed=7)
    while playing:
        observation = execute(session.action)
        session.tell(observation=observation)

A connection that is lost, a service that starts anew and one that has too much to do are waited for. What was sent is
then sent again: steps are numbered, so none is taken twice.
"""

import json
import time
import uuid
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlsplit

from walkon.errors import InputError

AGAIN = {429, 503, 504}  # what is worth sending again


class Session:
    """One joining of one team: what the agent proposes now, and what it believes.

    Attributes:
        name: What the session is called.
        answer: The last answer of the service, as it came.
    """

    def __init__(self, client: "Client", answer: dict[str, Any]) -> None:
        self._client, self.answer = client, answer
        self.name: str = answer["session"]

    @property
    def step(self) -> int:
        """How many steps were told."""
        return int(self.answer["step"])

    @property
    def action(self) -> int:
        """What to do now."""
        return int(self.answer["action"])

    @property
    def action_name(self) -> str | None:
        """The name of it."""
        name: str | None = self.answer["action_name"]
        return name

    @property
    def probabilities(self) -> list[float]:
        """Of each action, where you would rather draw yourself."""
        return list(self.answer["probabilities"])

    @property
    def tasks(self) -> list[float] | None:
        """The belief over tasks."""
        tasks: list[float] | None = self.answer["tasks"]
        return tasks

    @property
    def surprise(self) -> float | None:
        """How surprising it was what was told last, in bits."""
        bits: float | None = self.answer["surprise"]
        return bits

    @property
    def explained(self) -> bool:
        """Whether any task explains it."""
        return bool(self.answer["explained"])

    @property
    def alarm(self) -> int | None:
        """After how many observations the alarm was raised that none of the tasks is going on."""
        raised: int | None = self.answer["alarm"]
        return raised

    def tell(
        self,
        observation: int | str | None = None,
        *,
        action: int | str | None = None,
        likelihood: Sequence[float] | None = None,
        state: int | str | None = None,
        teammates: int | str | None = None,
    ) -> int:
        """Tell what happened, and get what to do next.

        Args:
            observation: What was read, by its number or its name; None if nothing was.
            action: The action that was executed, if it was not the proposed one.
            likelihood: Soft evidence in place of an observation: a weight for each possible one.
            state: The state, for an agent that sees it.
            teammates: The teammates' joint action, for an agent that sees it.
        """
        weights = None if likelihood is None else [float(each) for each in likelihood]
        told = {"observation": observation, "action": action, "likelihood": weights}
        told |= {"step": self.step, "state": state, "teammates": teammates}
        self.answer = self._client.ask("POST", f"/sessions/{self.name}/steps", _given(told))
        return self.action

    def look(self) -> dict[str, Any]:
        """The session as the service has it."""
        return self._client.ask("GET", f"/sessions/{self.name}")

    def replay(self) -> dict[str, Any]:
        """The whole session, recomputed and compared with what was answered."""
        return self._client.ask("GET", f"/sessions/{self.name}/replay")

    def close(self) -> None:
        """End the session. Its journal is kept for a while."""
        self._client.ask("DELETE", f"/sessions/{self.name}")


class Client:
    """Talks to a service. One client is for one thread."""

    def __init__(
        self, address: str, *, token: str | None = None, patience: float = 30.0, timeout: float = 10.0
    ) -> None:
        """Keep the address; nothing is sent yet.

        Args:
            address: Such as "http://127.0.0.1:8090".
            token: What `walkon agent` printed, where it serves other machines.
            patience: How many seconds to go on trying, in all, before giving up on a request.
            timeout: How many seconds to wait for one answer.
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
        """Open a session. With the id of one that is open and the same words, it is that one, where it stands.

        Args:
            id: What it is called: small letters, digits and dashes; a new name if not given.
            seed: What its draws follow from.
            prior: The belief over tasks at the start, in place of the agent's.
            alarm: Raise an alarm when none of the tasks is going on, falsely with this chance.
            observation: Where the state is observed, the first one.
            state: For an agent that sees the state, the first one.
        """
        shares = None if prior is None else [float(each) for each in prior]
        opening = {"id": id or uuid.uuid4().hex, "seed": seed, "prior": shares, "alarm": alarm}
        opening |= {"observation": observation, "state": state}
        return Session(self, self.ask("POST", "/sessions", _given(opening)))

    def session(self, name: str) -> Session:
        """A session that is open, where it stands."""
        return Session(self, self.ask("GET", f"/sessions/{quote(name, safe='')}")["answer"])

    def sessions(self) -> list[str]:
        """The names of all open sessions."""
        return [each["session"] for each in self.ask("GET", "/sessions")["sessions"]]

    def agent(self) -> dict[str, Any]:
        """What the agent is, and what it can be told."""
        return self.ask("GET", "/agent")

    def health(self) -> dict[str, Any]:
        """Whether the service works."""
        return self.ask("GET", "/health")

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Send a request until it is answered. What is refused raises an InputError with the service's own words."""
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
        """Hang up. Sessions stay open."""
        self._connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
