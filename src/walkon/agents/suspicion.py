"""The e-process of an alarm as it is remembered between steps. See `walkon.agents.alarm`."""

from typing import NamedTuple

from walkon.agents.origin import Origin
from walkon.arrays import Floats


class Suspicion(NamedTuple):
    """The e-process at one moment.

    Attributes:
        tasks: The beliefs over the states of the library's tasks, packed; over tasks, they are uniform.
        others: The beliefs over the alternatives and their states, packed; None where nothing else explains what was
            read, or there are none.
        likelihood: The logarithm of the probability of all observations under each task, [K].
        alternatives: The same under the mixture of the alternatives.
        uniform: The same under uniform observations.
        evidence: log E_k for each task, [K].
        alarm: After how many observations the alarm was raised; None if it was not.
        observations: How many there were.
        of: The library and the alternatives that were weighed.
    """

    tasks: Floats
    others: Floats | None
    likelihood: Floats
    alternatives: float
    uniform: float
    evidence: Floats
    alarm: int | None = None
    observations: int = 0
    of: Origin | None = None
