"""What an agent senses at one step. An agent declares its senses; all other fields stay None."""

from typing import Literal, NamedTuple, TypeAlias

from walkon.arrays import Floats

Sense: TypeAlias = Literal["observation", "state", "teammates"]


class Percept(NamedTuple):
    """What an agent senses at one step.

    Attributes:
        observation: The observation; None if there was none.
        likelihood: Soft evidence in place of an observation: a weight for each possible one [Z].
        state: The state itself, for agents that see it.
        teammates: The teammates' joint action, for agents that see it.
    """

    observation: int | None = None
    likelihood: Floats | None = None  # [Z]
    state: int | None = None
    teammates: int | None = None
