"""What an agent is given to sense at one step. An agent declares its senses; everything else stays None."""

from typing import Literal, NamedTuple, TypeAlias

from walkon.models.distributions import Floats

Sense: TypeAlias = Literal["observation", "state", "teammates"]


class Percept(NamedTuple):
    """The readings of one step.

    Attributes:
        observation: What was read; None if nothing was.
        likelihood: Soft evidence in place of a reading: a weight for each possible one [Z].
        state: The state itself, for agents that see it.
        teammates: The teammates' joint action, for agents that see it.
    """

    observation: int | None = None
    likelihood: Floats | None = None  # [Z]
    state: int | None = None
    teammates: int | None = None
