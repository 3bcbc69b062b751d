"""What is said between a client and the service. The OpenAPI page is made from these."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

ID = r"^[a-z0-9][a-z0-9-]{0,63}$"
MOST_SEED = 2**63 - 1

Named = Annotated[int, Field(ge=0)] | Annotated[str, Field(min_length=1, max_length=1000)]


class Message(BaseModel):
    """What a client says. Unknown fields are refused, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Opening(Message):
    """Join a team."""

    id: str | None = Field(None, pattern=ID, description="What the session is called; a new name if not given.")
    seed: int | None = Field(None, ge=0, le=MOST_SEED, description="What its draws follow from; any if not given.")
    prior: list[float] | None = Field(None, description="The belief over tasks at the start, in place of the agent's.")
    alarm: float | None = Field(
        None, gt=0, lt=1, description="Raise an alarm when none of the tasks is going on, falsely with this chance."
    )
    observation: Named | None = Field(None, description="Where the state is observed: the first one.")
    state: Named | None = Field(None, description="For an agent that sees the state: the first one.")


class Told(Message):
    """What happened in one step: which action was executed, and what was read after it."""

    step: int = Field(ge=0, description="The number of the step, as in the answer that proposed its action.")
    action: Named | None = Field(None, description="The action that was executed; the proposed one if not given.")
    observation: Named | None = Field(None, description="What was read, by its number or its name; left out: nothing.")
    likelihood: list[float] | None = Field(
        None, description="Soft evidence in place of an observation: a weight for each possible one."
    )
    state: Named | None = Field(None, description="The state, for an agent that sees it.")
    teammates: Named | None = Field(None, description="The teammates' joint action, for an agent that sees it.")


class Answer(BaseModel):
    """What the agent proposes now, and what it believes."""

    session: str
    step: int = Field(description="How many steps were told; the number of the next one.")
    action: int = Field(description="The proposed action, drawn from the probabilities with the session's seed.")
    action_name: str | None
    probabilities: list[float] = Field(description="Of each action.")
    tasks: list[float] | None = Field(description="The belief over tasks; null for an agent that forms none.")
    surprise: float | None = Field(
        description="-log2 of the probability that the agent gave to what was told last, in bits; null where it is "
        "infinite, and for an agent without beliefs. The largest weight of soft evidence counts as 1."
    )
    explained: bool = Field(description="False where no task gave it any probability: the agent then began anew.")
    alarm: int | None = Field(description="After how many observations the alarm was raised; null if it was not.")
    fingerprint: str = Field(description="Of all beliefs, to the last bit.")


class Look(BaseModel):
    """A session as it is."""

    session: str
    opening: dict[str, Any] = Field(description="How it was opened, with its seed.")
    unexplained: list[list[int | None]] = Field(description="What no task explained: step, action, observation.")
    answer: Answer


class Entry(BaseModel):
    """A line of the list of sessions."""

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
    """A session from its beginning, recomputed."""

    session: str
    opening: dict[str, Any]
    first: Answer
    steps: list[Recorded]
    exact: bool = Field(description="Whether the recomputed answers are those of the journal, to the last bit.")
    differs: int | None = Field(description="The first step that does not.")


class Closed(BaseModel):
    """A session that has ended. Its journal is kept for a while."""

    session: str
    closed: bool


class About(BaseModel):
    """What the agent is, and what it can be told."""

    agent: str
    bundle: str = Field(description="The SHA-256 digest of its file.")
    senses: list[str]
    tasks: list[str]
    prior: list[float] | None
    actions: list[str] | int = Field(description="Their names, or how many there are.")
    observations: list[str] | int


class Health(BaseModel):
    """Whether the service works."""

    status: str
    version: str
    agent: str
    sessions: int
    waiting: int


class Problem(BaseModel):
    """Why a request was not done: the value, the place and the remedy."""

    error: str
    status: int
