"""The messages between a client and the service, from which the OpenAPI page is made, and the refusals."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from walkon.errors import InputError

ID = r"^[a-z0-9][a-z0-9-]{0,63}$"
MOST_SEED = 2**63 - 1
UNKNOWN, CONFLICT, TOO_LARGE, UNUSABLE, BUSY, FAILED, UNWRITTEN, LATE = 404, 409, 413, 422, 429, 500, 503, 504
BROKEN = "something went wrong here, and the log of walkon agent says what: send it again, or open a new session"


def _whole(said: object) -> object:
    """Take 19.0 for 19, as JSON does."""
    return int(said) if isinstance(said, float) and said.is_integer() else said


Whole = Annotated[int, BeforeValidator(_whole)]
Word = Annotated[str, Field(min_length=1, max_length=1000)]
Named = Annotated[Whole, Field(ge=0)] | Word
Seen = Whole | Word | list[Any]  # where there are no tables, an observation is a value; a list stands for a tuple


class Message(BaseModel):
    """A message of a client. Unknown fields are refused, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Opening(Message):
    """Join a team."""

    id: str | None = Field(None, pattern=ID, description="The session's name; a new one if not given.")
    seed: Whole | None = Field(
        None, ge=0, le=MOST_SEED, description="The seed of its draws; a random one if not given."
    )
    prior: list[float] | None = Field(None, description="The belief over tasks at the start, in place of the agent's.")
    alarm: float | None = Field(
        None, gt=0, lt=1, description="The probability of a false alarm; no alarm if not given."
    )
    observation: Seen | None = Field(None, description="Where the state is observed: the first one.")
    state: Seen | None = Field(None, description="For an agent that sees the state: the first one.")


class Told(Message):
    """One step: the executed action, and the observation after it."""

    step: Whole = Field(ge=0, description="The number of the step, as in the answer that proposed its action.")
    action: Named | None = Field(None, description="The action that was executed; the proposed one if not given.")
    observation: Seen | None = Field(
        None, description="By its number or name, or itself where the agent has no tables; left out if there is none."
    )
    likelihood: list[float] | list[list[Any]] | None = Field(
        None, description="Soft evidence instead: a weight for each observation; without tables, pairs of both."
    )
    state: Seen | None = Field(None, description="The state, for an agent that sees it.")
    teammates: Named | None = Field(None, description="The teammates' joint action, for an agent that sees it.")


class Answer(BaseModel):
    """The proposed action, and the agent's beliefs."""

    session: str
    step: int = Field(description="The number of steps so far, which is the number of the next one.")
    action: int = Field(description="The proposed action, drawn from the probabilities with the session's seed.")
    action_name: str | None
    probabilities: list[float] = Field(description="Of each action.")
    tasks: list[float] | None = Field(description="The belief over tasks; null for an agent that forms none.")
    surprise: float | None = Field(
        description="-log2 of the probability that the agent gave to the last observation, in bits; null where it is "
        "infinite, and for an agent without beliefs. The largest weight of soft evidence counts as 1."
    )
    explained: bool = Field(description="False where no task gave it any probability: the agent then started again.")
    alarm: int | None = Field(description="The number of observations before the alarm; null if there was none.")
    fingerprint: str = Field(description="A hash of all beliefs, to the last bit.")


class Look(BaseModel):
    """The present state of a session."""

    session: str
    opening: dict[str, Any] = Field(description="How it was opened, with its seed.")
    unexplained: list[list[int | str | None]] = Field(
        description="Steps that no task explained: step, action, observation."
    )
    answer: Answer


class Entry(BaseModel):
    """An entry of the list of sessions."""

    session: str
    step: int


class SessionList(BaseModel):
    """All open sessions."""

    sessions: list[Entry]


class Recorded(BaseModel):
    """A step as it is in the journal."""

    told: dict[str, Any]
    action: int = Field(description="The action that was executed.")
    answer: Answer


class Replay(BaseModel):
    """A recomputed session, from its start."""

    session: str
    opening: dict[str, Any]
    first: Answer
    steps: list[Recorded]
    exact: bool = Field(description="Whether the recomputed answers equal those of the journal, to the last bit.")
    differs: int | None = Field(description="The first step that differs.")
    damaged: str | None = Field(description="What is wrong with the journal after the last step; null if nothing.")


class Closed(BaseModel):
    """A closed session. Its journal is kept for a while."""

    session: str
    closed: bool


class About(BaseModel):
    """The agent, its tasks, actions and observations."""

    agent: str
    bundle: str = Field(description="The SHA-256 digest of its file.")
    senses: list[str]
    tasks: list[str]
    prior: list[float] | None
    actions: list[str] | int = Field(description="Their names, or their number.")
    observations: list[str] | int | None = Field(description="Likewise; null where the agent has no tables.")


class Health(BaseModel):
    """The state of the service."""

    status: str
    version: str
    agent: str
    sessions: int
    waiting: int
    refused: list[str] = Field(description="Sessions whose files in the journal folder cannot be used.")


class Problem(BaseModel):
    """Why a request was refused: the value, the place and the remedy."""

    error: str
    status: int


class RefusalError(InputError):
    """A refused request: its status, the value, the place and the remedy, and the seconds after which to try again."""

    def __init__(self, status: int, message: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after

    def document(self) -> dict[str, str | int]:
        """Return the refusal as JSON data."""
        return {"error": str(self), "status": self.status}


def unusable(message: str) -> RefusalError:
    """Refuse a message that cannot be used."""
    return RefusalError(UNUSABLE, message)


def refusal_of(problem: Exception) -> RefusalError:
    """Return the refusal for an exception; one that nobody expected is not shown."""
    match problem:
        case RefusalError():
            return problem
        case ValidationError() | RequestValidationError():
            return unusable(_mistake(problem.errors()))
        case InputError():
            return unusable(str(problem))
    return RefusalError(FAILED, BROKEN)


def response(answer: dict[str, Any] | RefusalError, status: int = 200) -> Response:
    """Return an answer, or a refusal with its own status, as JSON."""
    if not isinstance(answer, RefusalError):
        return Response(json.dumps(answer, allow_nan=False), status, media_type="application/json")
    headers = None if answer.retry_after is None else {"retry-after": str(answer.retry_after)}
    return Response(json.dumps(answer.document()), answer.status, headers, "application/json")


def _mistake(errors: Sequence[Any]) -> str:
    """Describe what is wrong with a message: the place, the value and the expectation."""
    broken = next((each for each in errors if each["type"] == "json_invalid"), None)
    if broken is not None:
        return f"the body is not JSON ({broken.get('ctx', {}).get('error', '')}): send an object"
    error = min(errors, key=lambda each: len(each["loc"]))  # of several alternatives, the first
    fields = (str(part) for part in error["loc"])  # and the kinds that a field may have, such as "list[float]"
    place = ".".join(part for part in fields if "[" not in part) or "the message"
    others = "" if len(errors) == 1 else f" (and {len(errors) - 1} more)"
    return f"{place} is {error.get('input')!r:.100}: {error['msg']}{others}; GET /docs describes the messages"
