"""An agent between two topics of a robot: observations come in as text (or as its bytes), actions go out as text.

A message is the name or number of an observation, or a JSON object with the arguments of `Session.tell`, such as
`{"observation": "nothing", "action": 2}` or `{"likelihood": [0.2, 0.8]}`. An empty one means that there is no
observation. An error in a message is put into `problem`, and the robot goes on with the last proposed action: no bad
message stops it, and neither does a service that is away. This module does not depend on ROS; `examples/ros2_node.py`
connects it.
"""

import json
from typing import Any

from walkon.errors import InputError
from walkon.service.client import Session, UnansweredError

FIELDS = {"observation", "action", "likelihood", "state", "teammates"}


class StepIn:
    """Turns messages of observations into commands.

    Nothing that arrives raises an error, and nothing waits for longer than the client's `patience`: the error is in
    `problem`, and the command stays as it was.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.problem: str | None = None  # the error in the last message
        self._executed: str | int | None = None
        self._unsure = False  # whether the last step may have been taken without an answer

    @property
    def command(self) -> str:
        """The next command for the robot."""
        return self.session.action_name or str(self.session.action)

    def executed(self, text: str | bytes) -> None:
        """Note the action that the robot executed instead of the command. It counts for the next observation.

        One that does not exist is not noted, and `problem` says so.
        """
        self.problem, self._executed = None, None
        try:
            said = _text(text)
            if said:
                _check_action(_named(said), self.session.actions)
            self._executed = _named(said) if said else None
        except (InputError, ConnectionError) as problem:
            self.problem = str(problem)

    def read(self, text: str | bytes) -> str:
        """Take an observation, and return the next command."""
        self.problem = None
        try:
            told = _told(_text(text))
            if self._unsure:
                self.session.catch_up()
                self._unsure = False
            if self._executed is not None:
                told.setdefault("action", self._executed)
            self.session.tell(**told)
            self._executed = None
        except (InputError, ConnectionError) as problem:
            self.problem = str(problem)
            self._unsure = self._unsure or isinstance(problem, UnansweredError | ConnectionError)
        return self.command

    def missed(self) -> str:
        """Go on without an observation, because none arrived in time."""
        return self.read("")


def _check_action(said: str | int, actions: list[str] | int) -> None:
    """Refuse an action that the agent does not know."""
    count = actions if isinstance(actions, int) else len(actions)
    if isinstance(said, int) and said < count:
        return
    if isinstance(actions, int):
        raise InputError(f"the executed action is {said!r:.80}, expected a number from 0 to {count - 1}")
    if said not in actions:
        raise InputError(f"the executed action is {said!r:.80}, expected one of {', '.join(actions):.200}")


def _text(message: Any) -> str:
    """Return a message as text; what arrives as bytes is UTF-8."""
    try:
        text = message.decode() if isinstance(message, bytes | bytearray) else message
    except UnicodeDecodeError as cause:
        raise InputError(f"the message is no UTF-8 ({cause.reason}, at byte {cause.start}): send text") from None
    if not isinstance(text, str):
        raise InputError(f"the message is of type {type(text).__name__}, expected text")
    return text.strip()


def _told(text: str) -> dict[str, Any]:
    """Return the arguments of `tell` in a message."""
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
    """Return the number, or the name, that a text holds."""
    return int(text) if text.isdecimal() and len(text) < 10 else text
