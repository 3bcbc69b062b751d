"""The tasks of Overcooked: one for each kind of teammate, in the role that the ad hoc agent does not play."""

from typing import Any

import numpy as np
from scipy.sparse import eye_array

from walkon.domains.overcooked.teammates import KINDS, choices
from walkon.domains.overcooked.view import KitchenView
from walkon.domains.overcooked.world import ACTIONS, DELIVERY, ROLES, START, STATES, matrices
from walkon.tasks import Tally, Task, TaskLibrary

HORIZON = 75
OTHER = dict(zip(ROLES, reversed(ROLES), strict=True))


def library(*, role: str, tremble: float, **reading: Any) -> TaskLibrary:
    """Make a library of four cooks to help, or of two helpers to cook with."""
    mmdp = matrices(role)
    numbers = np.array(STATES)
    sees_all = eye_array(len(STATES), format="csr")
    return TaskLibrary(
        [
            Task(
                mmdp,
                choices(kind, OTHER[role], tremble, **reading),
                [sees_all] * len(ACTIONS),
                np.array([x in START for x in STATES]) / len(START),
                name=name,
                observations=mmdp.states,
                horizon=HORIZON,
                tally=Tally("soups", mmdp.R == DELIVERY, "delivered"),
                state_numbers=numbers,
                observation_numbers=numbers,
                view=KitchenView(role),
            )
            for kind, name in zip(KINDS[OTHER[role]], names(role), strict=True)
        ]
    )


def names(role: str, **_: Any) -> list[str]:
    """The names of its tasks."""
    return [f"{kind} {OTHER[role]}" for kind in KINDS[OTHER[role]]]
