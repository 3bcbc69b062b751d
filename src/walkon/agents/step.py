"""One step of one task: where it leads, together with the teammates' action where that is known."""

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.models.belief import predict
from walkon.tasks import Task


def step(task: Task, action: int, teammate_action: int) -> tuple[csr_array, Floats]:
    """P_ab(.|x) [X, X], and the probability pi(b|x) of the teammates' joint action b, [X]."""
    assert task.mmdp is not None
    assert task.teammates is not None
    X, B = task.teammates.shape
    if not 0 <= teammate_action < B:
        return task.mmdp.P[action][0], np.zeros(X)
    return task.mmdp.P[action][teammate_action], task.teammates[:, [teammate_action]].toarray().ravel()


def arrived(task: Task, belief: Floats, action: int, teammate_action: int | None) -> Floats:
    """sum_x b(x) pi(b|x) P_ab(.|x), before anything is observed, [X]; sum_x b(x) P_a(.|x) without the teammates' b."""
    if teammate_action is None:
        return predict(task.pomdp, belief, action)
    P, taken = step(task, action, teammate_action)
    joint: Floats = (belief * taken) @ P
    return joint
