"""Small problems for tests, and their exact values by brute force: of a given policy, and bounds on the optimal one.

There are random problems, and puzzles with few beliefs and long optimal plans.
"""

import math

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.tasks import Task, TaskLibrary

SAME = 10  # decimals: beliefs that agree so far count as one
TAIL = 1e-6  # the most that the steps that are left out may be worth


class BeliefChain:
    """The beliefs that a policy reaches within `depth` steps, as a Markov chain; equal beliefs are merged."""

    def __init__(self, pomdp: POMDP, policy: AlphaVectors | TabularPolicy, depth: int) -> None:
        self.beliefs: list[Floats] = []
        self.rewards: list[float] = []
        self._entries: list[tuple[float, int, int]] = []
        self._number: dict[bytes, int] = {}
        self._reach(pomdp.start)
        done = 0
        for _ in range(depth):
            before, done = done, len(self.beliefs)
            if before == done:
                break
            for i in range(before, done):
                self._expand(pomdp, policy, i)
        self.rewards += [0.0] * (len(self.beliefs) - len(self.rewards))

    @property
    def steps(self) -> csr_array:
        """The transition matrix, [beliefs, beliefs]."""
        values, rows, columns = zip(*self._entries, strict=True)
        return csr_array((values, (rows, columns)), shape=(len(self.beliefs),) * 2)

    def _expand(self, pomdp: POMDP, policy: AlphaVectors | TabularPolicy, i: int) -> None:
        belief, reward = self.beliefs[i], 0.0
        for a, chosen in enumerate(policy.probabilities(belief)):
            if chosen > 0:
                reward += chosen * float(belief @ pomdp.R[:, a])
                joint = pomdp.O[a].toarray() * (belief @ pomdp.P[a])[:, None]  # [X, Z]
                for z, rho in enumerate(joint.sum(axis=0)):
                    if rho > 0:
                        self._entries.append((float(chosen * rho), i, self._reach(joint[:, z] / rho)))
        self.rewards.append(reward)

    def _reach(self, belief: Floats) -> int:
        key = belief.round(SAME).tobytes()
        if key not in self._number:
            self._number[key] = len(self.beliefs)
            self.beliefs.append(belief)
        return self._number[key]


def earned(pomdp: POMDP, policy: AlphaVectors | TabularPolicy) -> float:
    """The expected discounted return of a policy from the start, exact to `TAIL`."""
    span = max(1e-12, float(np.abs(pomdp.R).max()) / (1 - pomdp.discount))
    depth = max(1, math.ceil(math.log(TAIL / span) / math.log(pomdp.discount))) if pomdp.discount else 1
    chain = BeliefChain(pomdp, policy, depth)
    rewards, steps = np.array(chain.rewards), chain.steps
    value = np.zeros(len(rewards))
    for _ in range(depth):
        value = rewards + pomdp.discount * (steps @ value)
    return float(value[0])


def optimal(pomdp: POMDP, depth: int) -> tuple[float, float]:
    """Bounds on the optimal value at the start: a tree of all histories, then the worst or the best reward for ever."""
    P, O = np.array([p.toarray() for p in pomdp.P]), np.array([o.toarray() for o in pomdp.O])
    level = pomdp.start[None]  # [histories, X], the unnormalised weights of the states after each history
    rewards = []  # [histories, A] for each level
    for _ in range(depth):
        rewards.append(level @ pomdp.R)
        level = np.einsum("hx,axy,ayz->hazy", level, P, O, optimize=True).reshape(-1, level.shape[1])

    def value(tail: float) -> float:
        """The best discounted sum if every step after the tree is paid with the same reward."""
        values = level.sum(axis=1) * tail
        for now in reversed(rewards):
            after = values.reshape(*now.shape, -1).sum(axis=2)
            values = (now + pomdp.discount * after).max(axis=1)
        return float(values[0])

    return value(float(pomdp.R.min()) / (1 - pomdp.discount)), value(float(pomdp.R.max()) / (1 - pomdp.discount))


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
    seed: int, K: int = 3, sizes: tuple[int, ...] = (2, 3, 2), A: int = 2, B: int = 2, Z: int = 3, sparsity: float = 0.3
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
