"""What an agent is given to sense at one step. An agent declares its senses; everything else stays None."""

from typing import Literal, NamedTuple, TypeAlias

from walkon.arrays import Floats

Sense: TypeAlias = Literal["observation", "state", "teammates"]


class Percept(NamedTuple):
    """The observations of one step.

    Attributes:
        observation: What was read; None if nothing was.
        likelihood: Soft evidence in place of an observation: a weight for each possible one [Z].
        state: The state itself, for agents that see it.
        teammates: The teammates' joint action, for agents that see it.
    """

    observation: int | None = None
    likelihood: Floats | None = None  # [Z]
    state: int | None = None
    teammates: int | None = None
