"""Kernels for the nodes of the tree that the agent "search" grows: their places, their priors and their values.

Nothing is allocated in a simulation: nodes have places in arrays, and the children of a node and an action are a linked
list, in which those that are often met move to the front. `walkon.agents.tree_kernels` has the equations.
"""

from typing import NamedTuple

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel

VISITS, AFTER, SEEN, HELD, MOST, COUNTS = 0, 1, 2, 3, 4, 5  # where columns of `whole` begin
SHARES = 1024  # of which `fill_shares` keeps roots and quotients
INHERITED = 4.0  # for how many particles the cost of the node above counts


class Tree(NamedTuple):
    """A tree with room for N nodes; node 0 is the root. What belongs to a node lies together in memory."""

    sums: Floats  # [N, 2A + 3]: of the returns of each action; of the particles' values of each action; of their best
    #               values; then what it costs not to know, and the value of the node
    whole: Ints  # [N, 5 + 2A]: visits; the next child of the same node and action, or -1; the fingerprint of the
    #              observation that leads here; particles; the action that was taken most; how often each was taken; its
    #              first child, or -1
    tally: Ints  # [3]: nodes in use, simulations, steps
    returns: Floats  # [2]: the mean of the returns at the root, and the sum of their squared deviations


@kernel
def plant(tree: Tree) -> None:
    """Make a tree that is only a root."""
    add_node(tree, 0, 0, -1)
    tree.tally[0], tree.tally[1], tree.tally[2] = 1, 0, 0
    tree.returns[0], tree.returns[1] = 0.0, 0.0


@kernel
def actions_of(tree: Tree) -> int:
    """The number of actions."""
    return int(tree.sums.shape[1] // 2 - 1)


@kernel
def add_node(tree: Tree, node: int, seen: int, after: int) -> None:
    """Clear the place of a node."""
    for i in range(tree.sums.shape[1]):
        tree.sums[node, i] = 0.0
    A = actions_of(tree)
    for a in range(A):
        tree.whole[node, COUNTS + a] = 0
        tree.whole[node, COUNTS + A + a] = -1
    tree.whole[node, VISITS], tree.whole[node, AFTER] = 0, after
    tree.whole[node, SEEN], tree.whole[node, HELD], tree.whole[node, MOST] = seen, 0, 0


@kernel
def choose(tree: Tree, node: int, trust: float, width: float, shares: Floats) -> int:
    """The action of the highest upper confidence bound; the first of them where several are."""
    A, N, S = actions_of(tree), tree.whole[node, VISITS], shares.shape[0]
    of_prior, less = trust / tree.whole[node, HELD], trust * tree.sums[node, 2 * A + 1]
    bonus = width * (shares[N, 2] if N < S else np.sqrt(np.log(N + 1.0)))
    highest, best, known = -np.inf, 0, N < S
    for a in range(A):
        n = tree.whole[node, COUNTS + a]
        q = tree.sums[node, a] + tree.sums[node, A + a] * of_prior - less
        q = q * shares[n, 0] + bonus * shares[n, 1] if known else q / (n + trust) + bonus / np.sqrt(n + 1.0)
        if q > highest:
            highest, best = q, a
    return best


@kernel
def find(tree: Tree, node: int, a: int, seen: int) -> int:
    """The child that an observation leads to, or -1; one that was met more often than the first becomes the first."""
    at = COUNTS + actions_of(tree) + a
    first = child = tree.whole[node, at]
    before = -1
    while child >= 0 and tree.whole[child, SEEN] != seen:
        before, child = child, tree.whole[child, AFTER]
    if before >= 0 and child >= 0 and tree.whole[child, VISITS] > tree.whole[first, VISITS]:
        tree.whole[before, AFTER] = tree.whole[child, AFTER]
        tree.whole[child, AFTER] = first
        tree.whole[node, at] = child
    return int(child)


@kernel
def weigh(tree: Tree, node: int, above: float, v: Floats, doubt: float) -> float:
    """Add the values of a particle to a node, and return its value so far.

    At the node above, it costs so much not to know.
    """
    A, n, best = v.shape[0], tree.whole[node, HELD] + 1, -np.inf
    for a in range(A):
        tree.sums[node, A + a] += v[a]
        best = max(best, tree.sums[node, A + a])
    tree.whole[node, HELD] = n
    tree.sums[node, 2 * A] += v.max()
    cost = doubt * (tree.sums[node, 2 * A] - best)
    cost = (cost + INHERITED * above) / (n + INHERITED) if node > 0 else cost / n
    tree.sums[node, 2 * A + 1] = cost
    return float(best / n - cost)


@kernel
def renew(tree: Tree, node: int, value: float) -> float:
    """Value a node anew after a visit, and return how much that adds to its value times its visits."""
    at, N = tree.sums.shape[1] - 1, tree.whole[node, VISITS]
    before = tree.sums[node, at]
    tree.sums[node, at] = value
    return float(N * value - (N - 1) * before)


@kernel
def extend(tree: Tree, node: int, a: int, seen: int) -> int:
    """Add a child, and return its number; -1 if there is no room."""
    new = tree.tally[0]
    if new == tree.whole.shape[0]:
        return -1
    at = COUNTS + actions_of(tree) + a
    tree.tally[0] = new + 1
    add_node(tree, new, seen, tree.whole[node, at])
    tree.whole[node, at] = new
    return int(new)


@kernel
def pay_back(
    tree: Tree,
    path: Ints,
    actions: Ints,
    rewards: Floats,
    depth: int,
    last: float,
    discount: float,
    trust: float,
    shares: Floats,
) -> None:
    """Return what a simulation earned to the nodes on its way; where it ended, it adds so much."""
    A, S, ret = actions_of(tree), shares.shape[0], last
    for d in range(depth - 1, -1, -1):
        node, a, ret = path[d], actions[d], rewards[d] + discount * ret
        tree.whole[node, COUNTS + a] += 1
        tree.sums[node, a] += ret
        most = tree.whole[node, MOST]
        if tree.whole[node, COUNTS + a] > tree.whole[node, COUNTS + most]:
            tree.whole[node, MOST] = most = a
        n, prior = tree.whole[node, COUNTS + most], tree.sums[node, A + most] / tree.whole[node, HELD]
        total = tree.sums[node, most] + trust * (prior - tree.sums[node, 2 * A + 1])
        ret = renew(tree, node, total * shares[n, 0] if n < S else total / (n + trust))


@kernel
def fill_shares(shares: Floats, trust: float) -> None:
    """Write 1 / (n + trust), 1 / sqrt(n + 1) and sqrt(log(n + 1)) for the first n, which are needed all the time."""
    for n in range(shares.shape[0]):
        shares[n, 0], shares[n, 1], shares[n, 2] = 1 / (n + trust), 1 / np.sqrt(n + 1.0), np.sqrt(np.log(n + 1.0))
