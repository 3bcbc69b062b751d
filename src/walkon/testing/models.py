"""Small problems for tests: random ones, and puzzles with few beliefs and long optimal plans."""

import numpy as np

from walkon.arrays import Floats
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.tasks import Task, TaskLibrary


def random_rows(rng: np.random.Generator, shape: tuple[int, ...], sparsity: float = 0.5) -> Floats:
    """Random distributions over the last axis, some entries of which are zero."""
    weights = rng.random(shape) * (rng.random(shape) > sparsity)
    weights[..., 0] += weights.sum(axis=-1) == 0
    rows: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return rows


def random_pomdp(seed: int, X: int = 4, A: int = 3, Z: int = 3, discount: float = 0.8, sparsity: float = 0.5) -> POMDP:
    """A POMDP with random matrices."""
    rng = np.random.default_rng(seed)
    return POMDP(
        P=random_rows(rng, (A, X, X), sparsity),
        O=random_rows(rng, (A, X, Z), sparsity),
        R=rng.normal(size=(X, A)),
        start=random_rows(rng, (X,), sparsity),
        discount=discount,
    )


def puzzle(seed: int, X: int = 8, A: int = 3, Z: int = 2, discount: float = 0.9) -> POMDP:
    """A POMDP in which only the start is random and action 0 changes nothing: few beliefs, long plans."""
    rng = np.random.default_rng(seed)
    P = np.eye(X)[rng.integers(X, size=(A, X))]
    P[0] = np.eye(X)
    O = np.eye(Z)[rng.integers(Z, size=(A, X))]
    R = rng.normal(size=(X, A)).round(1) - 1
    R[rng.integers(X)] += 10
    start = np.zeros(X)
    start[rng.choice(X, 3, replace=False)] = 1 / 3
    return POMDP(P, O, R, start, discount)


def random_library(
    seed: int,
    K: int = 3,
    sizes: tuple[int, ...] = (2, 3, 2),
    A: int = 2,
    B: int = 2,
    Z: int = 3,
    sparsity: float = 0.3,
) -> TaskLibrary:
    """K random tasks that share only their actions and observations; `sizes` are their numbers of states, in turn."""
    rng = np.random.default_rng(seed)
    tasks = []
    for k in range(K):
        X = sizes[k % len(sizes)]
        P, R = random_rows(rng, (A, B, X, X), sparsity), rng.normal(size=(X, A, B))
        mmdp = MMDP(P, R, discount=0.5 + 0.4 * rng.random())
        teammates = random_rows(rng, (X, B), sparsity)
        sensor = random_rows(rng, (A, X, Z), sparsity)
        start = random_rows(rng, (X,), sparsity)
        tasks.append(Task(mmdp, teammates, list(sensor), start, name=f"task {k}"))
    return TaskLibrary(tasks)
