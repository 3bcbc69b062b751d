"""The tasks of Overcooked: one for each kind of teammate, in the role that the ad hoc agent leaves to it."""

import numpy as np
from scipy.sparse import eye_array

from walkon.arrays import Floats
from walkon.domains.options import one_of, share
from walkon.domains.overcooked.teammates import COOKS, HELPERS, choices
from walkon.domains.overcooked.view import KitchenView
from walkon.domains.overcooked.world import ACTIONS, DELIVERY, ROLES, START, STATES, matrices
from walkon.tasks import Tally, Task, TaskLibrary

HORIZON = 75


def library(*, role: str = "helper", tremble: float = 0.0) -> TaskLibrary:
    """A library of Overcooked: four cooks to help, or two helpers to cook with.

    Args:
        role: What the ad hoc agent does: "helper" or "cook".
        tremble: How often the teammate makes a uniform move instead of its own.
    """
    mmdp = matrices(one_of("role", role, ROLES))
    steady = share("tremble", tremble)
    numbers = np.array(STATES)
    sees_all = eye_array(len(STATES), format="csr")
    other, kinds = ("cook", COOKS) if role == "helper" else ("helper", HELPERS)
    return TaskLibrary(
        [
            Task(
                mmdp,
                choices(kind, other, steady),
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
            for kind in kinds
        ]
    )


def _start() -> Floats:
    """Everything empty, and both anywhere."""
    return np.array([x in START for x in STATES]) / len(START)
