"""The least and the most that an episode of a task can count, whoever acts: the bounds of its score.

With V_0 = 0, the most is V_T(x) = max over every action, every joint action that the teammates may take and every next
state y of what the step counts + discount V_(T-1)(y), for the best start; the least likewise.
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.tasks import Task

NAN = float("nan")
LARGEST = 20_000  # states times actions; of larger tasks no bounds are computed
STILL = 1e-9


def extremes(task: Task, score: str, horizon: int) -> tuple[float, float]:
    """Return the least and the most of a score in an episode of so many steps; NaN if too large, or without tables.

    Args:
        task: The task.
        score: "steps", "identified", "solved", "return", or the name of its tally.
        horizon: The number of steps.
    """
    if score in ("steps", "identified", "solved"):
        return 0.0, 1.0 if score == "solved" else float(horizon)
    if not task.tables or len(task.pomdp.start) * len(task.pomdp.P) > LARGEST:
        return NAN, NAN
    earned = score == "return"
    first, after, counted = _steps(task, earned)
    discount = task.pomdp.discount if earned else 1.0
    low, high = (sign * _most(first, after, sign * counted, discount, horizon, task) for sign in (-1.0, 1.0))
    return low, high


def _steps(task: Task, earned: bool) -> tuple[Ints, Ints, Floats]:
    """Return all possible steps, state by state: where those of each state begin, next states, what each counts."""
    first: list[int] = []
    after: list[int] = []
    counted: list[float] = []
    for x in range(len(task.pomdp.start)):
        first.append(len(after))
        for b in task.teammate_actions(x).indices.tolist():
            for a in range(len(task.pomdp.P)):
                counts = 0.0 if task.tally is None else float(task.tally.counts[x, a, b])
                for y in task.outcomes(x, a, b).indices.tolist():
                    after.append(y)
                    counted.append(task.paid(x, a, b, y) if earned else counts)
    return np.array(first), np.array(after), np.array(counted)


def _most(first: Ints, after: Ints, counted: Floats, discount: float, horizon: int, task: Task) -> float:
    values: Floats = np.zeros(len(first))
    for _ in range(horizon):
        before, values = values, np.maximum.reduceat(counted + discount * values[after], first)
        if np.abs(values - before).max() < STILL:
            break
    return float(values[task.pomdp.start > 0].max())
