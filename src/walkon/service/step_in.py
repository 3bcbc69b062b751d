"""An agent between two topics, as robots have them: observations come in as text, actions go out as text.

A message is the name or number of an observation, or a JSON object with what `Session.tell` takes, such as
`{"observation": "nothing", "action": 2}` or `{"likelihood": [0.2, 0.8]}`. An empty one says that nothing was read.
Whatever is wrong with a message is put into `problem`, and the robot goes on with what was proposed last: one bad
message must not stop it. Nothing here knows ROS; `examples/ros2_node.py` is the shell around it.
"""

import json
from typing import Any, Protocol

from walkon.errors import InputError

FIELDS = {"observation", "action", "likelihood", "state", "teammates"}


class Joined(Protocol):
    """What is needed of a session: `walkon.service.client.Session` is one."""

    @property
    def action(self) -> int:
        """What to do now."""
        ...

    @property
    def action_name(self) -> str | None:
        """The name of it."""
        ...

    def tell(self, observation: int | str | None = None, **more: Any) -> int:
        """Tell what happened, and get what to do next."""
        ...


class StepIn:
    """Turns what comes in into what goes out."""

    def __init__(self, session: Joined) -> None:
        self.session = session
        self.problem: str | None = None  # what was wrong with the last message
        self._executed: str | int | None = None

    @property
    def command(self) -> str:
        """What the robot is to do now."""
        return self.session.action_name or str(self.session.action)

    def executed(self, text: str) -> None:
        """Note what the robot did in fact, where somebody overrode it. It counts for the next observation."""
        self._executed = _named(text.strip()) if text.strip() else None

    def read(self, text: str) -> str:
        """Take an observation, and give the next command."""
        self.problem = None
        try:
            told = _told(text)
            if self._executed is not None:
                told.setdefault("action", self._executed)
            self.session.tell(**told)
            self._executed = None
        except InputError as problem:
            self.problem = str(problem)
        return self.command

    def missed(self) -> str:
        """The time for an observation has passed: go on without one."""
        return self.read("")


def _told(text: str) -> dict[str, Any]:
    """The arguments of `tell` in a message."""
    text = text.strip()
    if not text:
        return {}
    if not text.startswith("{"):
        return {"observation": _named(text)}
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise InputError(f"the message {text[:100]!r} is not JSON ({str(cause)[:100]}): send an object") from None
    if unknown := told.keys() - FIELDS:
        raise InputError(f"the message has {sorted(unknown)[0]!r:.50}, expected some of {', '.join(sorted(FIELDS))}")
    return dict(told)


def _named(text: str) -> int | str:
    """A number, or a name."""
    return int(text) if text.isdecimal() and len(text) < 10 else text
