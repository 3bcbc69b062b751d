"""The 95 % intervals of learned tables hold the truth at least 93 times of 100, in simulated logs."""

from dataclasses import replace

import numpy as np
import pytest

import walkon

X, A, B, Z = 4, 2, 2, 4
TASKS, HORIZON = 75, 15

# cells left empty, how often observations are right, the true teammates, the base's teammates, episodes
CASES = [
    ((), 0.9, "random", "uniform", 80),
    (("states",), 0.9, "random", "uniform", 80),
    (("states",), 0.6, "random", "uniform", 80),
    (("teammates",), 0.9, "random", "uniform", 80),
    (("states", "teammates"), 0.9, "random", "uniform", 80),
    (("states", "teammates"), 0.7, "random", "uniform", 80),
    (("states", "teammates"), 0.7, "random", "random", 80),
    (("states", "teammates"), 0.9, "random", "deterministic", 80),
    (("states", "teammates"), 0.9, "deterministic", "uniform", 80),
    (("states", "teammates"), 0.9, "deterministic", "deterministic", 80),
    (("states", "teammates"), 0.9, "random", "uniform", 160),
]


def teammates(rng, kind):
    return {
        "uniform": np.full((X, B), 1 / B),
        "random": rng.dirichlet(np.ones(B), size=X),
        "deterministic": np.eye(B)[rng.integers(B, size=X)],
    }[kind]


def random_task(rng, right, kind):
    """A task with random moves."""
    moves, policy = rng.dirichlet(np.ones(X), size=(A, B, X)), teammates(rng, kind)
    sensor = np.full((X, Z), (1 - right) / (Z - 1))
    np.fill_diagonal(sensor, right)
    team = walkon.MMDP(moves.tolist(), np.zeros((X, A, B)))
    return walkon.Task(team, policy, [sensor] * A, np.full(X, 1 / X))


def cover(empty, right, kind, base_kind, episodes):
    """Count the intervals that hold the truth in rows that the log determines; their mean width; all other rows."""
    held, widths, lost = [], [], 0
    for seed in range(TASKS):
        rng = np.random.default_rng([seed, episodes])
        task = random_task(rng, right, kind)
        base = walkon.Task(task.mmdp, teammates(rng, base_kind), task.sensor, task.pomdp.start)
        wanderer = walkon.agent("random", walkon.TaskLibrary([task]))
        luck = range(seed * episodes, (seed + 1) * episodes)
        log = walkon.logged(walkon.play_many(task, wanderer, luck, horizon=HORIZON), task)
        log = replace(log, **{column: ("",) * len(log) for column in empty})
        table = walkon.learn(log, base=base, fit="teammates").tables["teammates"]
        low, high = (bound.toarray()[table.determined, 0] for bound in table.interval(0.95))
        truth = task.teammates.toarray()[table.determined, 0]
        held += ((low <= truth) & (truth <= high)).tolist()
        widths += (high - low).tolist()
        lost += int((~table.determined).sum())
    return np.mean(held), np.mean(widths), len(held), lost


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=str)
def test_intervals_cover(case):
    covered, width, determined, lost = cover(*case)
    print(f"{covered:.3f} of {determined} intervals, {width:.2f} wide on average; {lost} rows not determined")
    assert covered >= 0.93
    assert width < 0.6
    assert lost <= 0.1 * X * TASKS
