"""Small problems from the literature, to try things on."""

import numpy as np

from walkon.domains.hallways import hallway, hallway2
from walkon.domains.rock_sample import rock_sample
from walkon.domains.tag import tag
from walkon.models.pomdp import POMDP


def tiger(accuracy: float = 0.85) -> POMDP:
    """The tiger problem (Cassandra, Kaelbling and Littman 1994): listen, or open one of two doors.

    Listening costs 1 and tells the tiger's side with the given accuracy; the door with the tiger costs 100, the
    other pays 10; after a door is opened, the tiger is put behind either door again.
    """
    anew = np.full((2, 2), 0.5)
    hear = np.array([[accuracy, 1 - accuracy], [1 - accuracy, accuracy]])
    return POMDP(
        P=[np.eye(2), anew, anew],
        O=[hear, anew, anew],
        R=[[-1, -100, 10], [-1, 10, -100]],
        start=[0.5, 0.5],
        discount=0.95,
        states=["tiger left", "tiger right"],
        actions=["listen", "open left", "open right"],
        observations=["growl left", "growl right"],
    )


CLASSICS = {"tiger": tiger, "tag": tag, "hallway": hallway, "hallway2": hallway2, "rock-sample": rock_sample}
