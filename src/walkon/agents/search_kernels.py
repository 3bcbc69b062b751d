"""Looking ahead through what may be read. Kernels: plain arrays in, plain arrays out.

A node of the tree is what the agent would believe, over tasks and states: exact, by the same `posterior` that plays.
"""

import numpy as np
import numpy.typing as npt

from walkon.agents.inference_kernels import posterior
from walkon.compiled import kernel
from walkon.models.chance_kernels import draw
from walkon.models.distributions import Floats, Ints
from walkon.models.stacked import Stacked
from walkon.policies.worth_kernels import gains, worth


@kernel
def look_ahead(
    beliefs: Floats,
    models: tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats, Ints],
    columns: tuple[Ints, Ints, Floats, Ints, int],
    R: Floats,
    discounts: Floats,
    Z: int,
) -> Floats:
    """What each action pays at once, and what the best action is worth after each reading, [A].

    Args:
        beliefs: Those over tasks and their states, packed.
        models: As `Inference.models` has them.
        columns: What actions are worth, as `Worth.columns` has it.
        R: The rewards of all tasks under one another, [X_1 + ... + X_K, A].
        discounts: Of each task, [K].
        Z: The number of observations.
    """
    total = gains(beliefs, np.ones(discounts.shape[0]), models[3], R)
    for a in range(total.shape[0]):
        for z in range(Z):
            after, chance = posterior(*models, beliefs, a, z)
            if chance > 0.0:
                total[a] += chance * worth(after, discounts, *columns).max()
    return total


@kernel
def particle(beliefs: Floats, K: int) -> tuple[int, int]:
    """A task and one of its states, drawn from packed beliefs."""
    u, k = np.random.random(), 0
    for j in range(K):
        if beliefs[j] > 0.0:
            k = j
            if u < beliefs[j]:
                break
            u -= beliefs[j]
    begin = 0 if k == 0 else int(beliefs[2 * K + k - 1])
    end = int(beliefs[2 * K + k])
    pairs = beliefs[3 * K :].reshape((-1, 2))
    u, i = np.random.random(), begin
    while i < end - 1 and u >= pairs[i, 1]:
        u -= pairs[i, 1]
        i += 1
    return k, int(pairs[i, 0])


@kernel
def search(
    root: Floats,
    models: tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], Floats, Ints],
    columns: tuple[Ints, Ints, Floats, Ints, int],
    R: Floats,
    discounts: Floats,
    budget: int,
    explore: float,
    seed: int,
) -> tuple[Floats, Ints]:
    """What each action is worth at the root of a tree of `budget` simulations, and how often each was tried, [A].

    A simulation draws a task and a state and follows them down: actions by their upper confidence bound, readings by
    chance. It ends where it meets a reading for the first time; that is a new node, worth max_a sum_k p(k) q_k(b_k, a).
    On the way back, a node is worth the best of its actions, and an action what it pays and the mean over the readings
    that were met. Worths are those seen from the root: task k's shrink by gamma_k with
    each step.

    Args:
        root: The packed beliefs of now.
        models: As `Inference.models` has them.
        columns: What actions are worth, as `Worth.columns` has it.
        R: The rewards of all tasks under one another, [X_1 + ... + X_K, A].
        discounts: Of each task, [K].
        budget: How many simulations.
        explore: How wide the confidence bounds are, as a share of the spread of the actions' worths at the node.
        seed: What all chance in it follows from.
    """
    np.random.seed(seed)
    indptr, indices, data, offsets = models
    rows = Stacked(indptr, indices, data)
    half = (indptr.shape[0] - 1) // 2
    K, A = discounts.shape[0], R.shape[1]
    beliefs = [root]
    value, came = np.zeros(budget + 1), np.zeros(budget + 1, np.int64)
    reading, sibling = np.zeros(budget + 1, np.int64), np.full(budget + 1, -1)
    visits, tries = np.zeros(budget + 1, np.int64), np.zeros((budget + 1, A), np.int64)
    child = np.full((budget + 1, A), -1)
    future = np.zeros((budget + 1, A))  # sum over the readings that were met, each as often as it was
    pays, q = np.empty((budget + 1, A)), np.empty((budget + 1, A))
    width = np.empty(budget + 1)
    pays[0], q[0] = gains(root, np.ones(K), offsets, R), worth(root, np.ones(K), *columns)
    value[0], width[0] = q[0].max(), explore * (q[0].max() - q[0].min())
    path, moves = np.empty(budget + 1, np.int64), np.empty(budget + 1, np.int64)
    for _ in range(budget):
        k, x = particle(root, K)
        X = offsets[k + 1] - offsets[k]
        scales = np.ones(K)
        node, depth, fresh = 0, 0, False
        while not fresh:
            a = np.argmax(q[node] + width[node] * np.sqrt(np.log(1.0 + visits[node]) / (1.0 + tries[node])))
            path[depth], moves[depth] = node, a
            depth += 1
            x = draw(rows, A * offsets[k] + a * X + x, np.random.random())
            z = draw(rows, half + A * offsets[k] + a * X + x, np.random.random())
            scales *= discounts
            after = child[node, a]
            while after >= 0 and reading[after] != z:
                after = sibling[after]
            if after < 0:
                fresh, after = True, len(beliefs)
                arrived, _ = posterior(indptr, indices, data, offsets, beliefs[node], a, z)
                beliefs.append(arrived)
                reading[after], sibling[after], child[node, a] = z, child[node, a], after
                pays[after], q[after] = gains(arrived, scales, offsets, R), worth(arrived, scales, *columns)
                value[after], width[after] = q[after].max(), explore * (q[after].max() - q[after].min())
                came[after] = 1
                future[node, a] += value[after]
            node = after
        for i in range(depth - 1, -1, -1):
            node, a = path[i], moves[i]
            visits[node] += 1
            tries[node, a] += 1
            q[node, a] = pays[node, a] + future[node, a] / tries[node, a]
            before, value[node] = came[node] * value[node], q[node].max()
            came[node] += 1
            if i > 0:
                future[path[i - 1], moves[i - 1]] += came[node] * value[node] - before
    return q[0], tries[0]
