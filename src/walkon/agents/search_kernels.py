"""Kernels of look-ahead over possible observations.

A node of the tree is a belief over tasks and states, computed by the same `posterior` as in play.
"""

import numpy as np

from walkon.agents.inference_kernels import Models, posterior
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.chance_kernels import draw
from walkon.models.stacked import Stacked
from walkon.policies.mixture_kernels import q_values, rewards


@kernel
def look_ahead(
    beliefs: Floats,  # packed
    models: Models,  # `Inference.models`
    columns: tuple[Ints, Ints, Floats, Ints, int],  # `QValues.columns`
    R: Floats,  # [X_1 + ... + X_K, A]: the stacked rewards of all tasks
    discounts: Floats,  # [K]
    Z: int,
) -> Floats:
    """Return the reward of each action plus the value of the best action after each observation, [A]."""
    total = rewards(beliefs, np.ones(discounts.shape[0]), models[3], R)
    for a in range(total.shape[0]):
        for z in range(Z):
            after, chance = posterior(*models, beliefs, a, z)
            if chance > 0.0:
                total[a] += chance * q_values(after, discounts, *columns).max()
    return total


@kernel
def particle(beliefs: Floats, K: int, rng: np.random.Generator) -> tuple[int, int]:
    """Draw a task and one of its states from packed beliefs."""
    u, k = rng.random(), 0
    for j in range(K):
        if beliefs[j] > 0.0:
            k = j
            if u < beliefs[j]:
                break
            u -= beliefs[j]
    begin = 0 if k == 0 else int(beliefs[2 * K + k - 1])
    end = int(beliefs[2 * K + k])
    pairs = beliefs[3 * K :].reshape((-1, 2))
    u, i = rng.random(), begin
    while i < end - 1 and u >= pairs[i, 1]:
        u -= pairs[i, 1]
        i += 1
    return k, int(pairs[i, 0])


@kernel
def search(
    root: Floats,  # the current packed beliefs
    models: Models,  # `Inference.models`
    columns: tuple[Ints, Ints, Floats, Ints, int],  # `QValues.columns`
    R: Floats,  # [X_1 + ... + X_K, A]: the stacked rewards of all tasks
    discounts: Floats,  # [K]
    Z: int,
    budget: int,  # the number of simulations
    explore: float,  # the width of the confidence bounds, as a share of the range of the q-values at the node
    rng: np.random.Generator,
) -> Floats:
    """Return the q-value of each action at the root of a tree that is grown by `budget` simulations, [A].

    A simulation draws a task and a state and descends: actions are chosen by their upper confidence bound, observations
    are drawn. It ends at an action that was not tried before. The tree then grows by all possible observations after
    it, with their probabilities and the values max_a sum_k p(k) q_k(b_k, a). On the way back, the value of a node
    becomes that of its best action, and the value of an action its reward plus the expected value of its next nodes. At
    the root every action is tried. Values are discounted to the root: those of task k by gamma_k with each step.
    """
    indptr, indices, data, offsets = models
    rows = Stacked(indptr, indices, data)
    half = (indptr.shape[0] - 1) // 2
    K, A = discounts.shape[0], R.shape[1]
    beliefs, q, tries = [root], [q_values(root, np.ones(K), *columns)], [np.zeros(A)]
    first, count = [np.zeros(A, np.int64)], [np.zeros(A, np.int64)]  # of the nodes after each action
    observation, chance = [-1], [1.0]
    path, moves = np.empty(budget + 1, np.int64), np.empty(budget + 1, np.int64)
    for _ in range(budget):
        k, x = particle(root, K, rng)
        X = offsets[k + 1] - offsets[k]
        scales = np.ones(K)
        node, depth, grown, value = 0, 0, False, 0.0
        while not grown:
            width = explore * (q[node].max() - q[node].min())
            a = int(np.argmax(q[node] + width * np.sqrt(np.log(1.0 + tries[node].sum()) / (1.0 + tries[node]))))
            if node == 0 and tries[0].min() == 0.0:
                a = int(np.argmin(tries[0]))
            path[depth], moves[depth] = node, a
            depth += 1
            after = scales * discounts
            if count[node][a] == 0:
                grown, value = True, q[node].max()
                first[node][a] = len(beliefs)
                q[node][a] = rewards(beliefs[node], scales, offsets, R)[a]
                for z in range(Z):
                    arrived, likely = posterior(indptr, indices, data, offsets, beliefs[node], a, z)
                    if likely > 0.0:
                        beliefs.append(arrived)
                        q.append(q_values(arrived, after, *columns))
                        tries.append(np.zeros(A))
                        first.append(np.zeros(A, np.int64))
                        count.append(np.zeros(A, np.int64))
                        observation.append(z)
                        chance.append(likely)
                        q[node][a] += likely * q[-1].max()
                count[node][a] = len(beliefs) - first[node][a]
            else:
                x = draw(rows, A * offsets[k] + a * X + x, rng.random())
                z = draw(rows, half + A * offsets[k] + a * X + x, rng.random())
                at = first[node][a]
                last = at + count[node][a] - 1
                while observation[at] != z and at < last:
                    at += 1
                node = at
            scales = after
        risen = 0.0  # the increase of the value of the node below
        for i in range(depth - 1, -1, -1):
            node, a = path[i], moves[i]
            if i < depth - 1:
                value = q[node].max()
                q[node][a] += chance[path[i + 1]] * risen
            tries[node][a] += 1.0
            risen = q[node].max() - value
    return q[0]
