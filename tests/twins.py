"""Slow and obvious twins of the kernels: dense matrices, sums over all paths, trees over all histories."""

import itertools

import numpy as np


def dense(matrices):
    return np.array([m.toarray() for m in matrices])


def dense_update(pomdp, belief, action, observation):
    """Bayes' rule, written out."""
    P, O = dense(pomdp.P)[action], dense(pomdp.O)[action]
    joint = np.array(
        [sum(belief[x] * P[x, y] for x in range(len(belief))) * O[y, observation] for y in range(len(belief))]
    )
    total = joint.sum()
    return (joint / total if total > 0 else belief), total


def path_weights(pomdp, history):
    """The probability of the observations and of ending in each state, summed over every path of states."""
    P, O = dense(pomdp.P), dense(pomdp.O)
    X = len(pomdp.start)
    ends = np.zeros(X)
    for path in itertools.product(range(X), repeat=len(history) + 1):
        weight = pomdp.start[path[0]]
        for (a, z), x, y in zip(history, path, path[1:], strict=False):
            weight *= P[a, x, y] * O[a, y, z]
        ends[path[-1]] += weight
    return ends


def best_sum(problems, weights, depth):
    """The best sum of rewards over so many steps, each task's discounted by its own factor: a tree over all histories.

    What is optimal for several tasks at once can be found from the weights p(k) gamma_k^t P(z, x) alone.
    """
    if depth == 0:
        return 0.0
    A, Z = len(problems[0].P), problems[0].O[0].shape[1]
    values = []
    for a in range(A):
        total = sum(w @ pomdp.R[:, a] for pomdp, w in zip(problems, weights, strict=True))
        arrived = [pomdp.discount * (w @ dense(pomdp.P)[a]) for pomdp, w in zip(problems, weights, strict=True)]
        for z in range(Z):
            after = [w * dense(pomdp.O)[a][:, z] for pomdp, w in zip(problems, arrived, strict=True)]
            if any(w.any() for w in after):
                total += best_sum(problems, after, depth - 1)
        values.append(total)
    return max(values)
