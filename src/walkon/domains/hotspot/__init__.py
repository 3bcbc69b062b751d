"""HOTSPOT: a robot helps a person to put three balls away, and may ask where the person is going.

As a Gymnasium environment, `walkon/Hotspot-v0`:

    Observation  three numbers: whether there was an observation, 0 or 1; then the own place as it was read, 0 to 4, and
                 the place that was heard (or, without questions, where the person was seen), each -1 for nothing.
    Action       0 first exit, 1 second exit, 2 third exit, 3 stay, 4 ask (not without questions).
    Reward       minus 0.2 for each ball on the ground and 0.6 for one that is held, minus the price of a question.
"""

import math
from typing import Any

from walkon.domains.hotspot.sensor import OBSERVATIONS
from walkon.domains.hotspot.tasks import PLACINGS, library, names
from walkon.domains.world import Option, World
from walkon.errors import InputError

STATES = 260


def cost(name: str, value: Any) -> float:
    """Return a number, if it can be a price."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number < math.inf:
        raise InputError(f"{name} is {value!r:.60}, expected a number from 0 on")
    return number


WORLD = World(
    name="hotspot",
    title="HOTSPOT",
    goal="Three balls lie in the room: stand beside the person who holds one, so that it can be put away. "
    "Exits are numbered in the order door, middle, station, bench 3, bench 4.",
    options=(
        Option("tasks", 2, help="How many tasks, 2 or 3; the authors ran the first two.", choices=(2, len(PLACINGS))),
        Option(
            "questions",
            True,
            help="Whether the robot may ask the person; otherwise it sees the person where they meet.",
            page=(True, False),
            label="The robot may ask",
        ),
        Option("price", 0.0, cost, "What a question costs, in the unit of rewards.", page=(0.0, 0.1, 0.3, 1.0)),
    ),
    library=library,
    names=lambda tasks, **others: names(tasks),
    scale=lambda tasks, **others: (tasks * STATES, len(OBSERVATIONS)),
    observed=False,
)
