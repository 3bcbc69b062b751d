"""The tasks of Overcooked: one for each kind of teammate, in the role that the ad hoc agent leaves to it."""

import numpy as np
from scipy.sparse import eye_array

from walkon.arrays import Floats
from walkon.domains.overcooked.teammates import COOKS, HELPERS, choices
from walkon.domains.overcooked.view import KitchenView
from walkon.domains.overcooked.world import ACTIONS, DELIVERY, START, STATES, matrices
from walkon.tasks import Tally, Task, TaskLibrary

HORIZON = 75


def library(*, role: str, tremble: float) -> TaskLibrary:
    """Four cooks to help, or two helpers to cook with."""
    mmdp = matrices(role)
    numbers = np.array(STATES)
    sees_all = eye_array(len(STATES), format="csr")
    return TaskLibrary(
        [
            Task(
                mmdp,
                choices(kind, other, tremble),
                [sees_all] * len(ACTIONS),
                _start(),
                name=f"{kind} {other}",
                observations=mmdp.states,
                horizon=HORIZON,
                tally=Tally("soups", mmdp.R == DELIVERY, "delivered"),
                state_numbers=numbers,
                observation_numbers=numbers,
                view=KitchenView(role),
            )
            for kind, other in _teammates(role)
        ]
    )


def names(role: str, tremble: float = 0.0) -> list[str]:
    """The names of its tasks."""
    return [f"{kind} {other}" for kind, other in _teammates(role)]


def _teammates(role: str) -> list[tuple[str, str]]:
    """The kinds of teammates, and the role that is left to them."""
    return [(kind, "cook") for kind in COOKS] if role == "helper" else [(kind, "helper") for kind in HELPERS]


def _start() -> Floats:
    """Everything empty, and both anywhere."""
    return np.array([x in START for x in STATES]) / len(START)
