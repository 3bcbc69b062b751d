"""The kernel of the agent "search": a tree of actions and observations, grown by one simulation after another.

A simulation draws a task and a state from the belief at the root, walks down the tree by the rules of that task, adds
one node where it leaves the tree, and returns the discounted rewards to all nodes on its way (POMCP, Silver and Veness
2010, with the task as a part of the hidden state). A node is a history. At each node, an action's value is the mean of
its returns and of one more number, its prior: the mean value of the action over the particles that came by, for a
helper who knows task and state (QMDP). The action of the highest upper confidence bound is taken,

    q(a) + explore * spread * sqrt(log(N + 1) / (n(a) + 1)),

where the spread is the standard deviation of the returns at the root. A new node is worth what its first particle is
worth to a helper who knows task and state.

Nothing is allocated in a simulation: nodes have places in arrays, and the children of a node and an action are a linked
list, in which those that are often met move to the front.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.luck_kernels import Luck, fingerprint, uniform
from walkon.tasks.compiled_rules import Numbers

GOLDEN = 0.6180339887498949  # multiples of it, modulo 1, cover [0, 1) evenly


class Tree(NamedTuple):
    """A tree with room for N nodes; node 0 is the root."""

    counts: Floats  # [N, A]: how often each action was taken
    means: Floats  # [N, A]: the mean return
    priors: Floats  # [N, A]: the sum of the values of the first particles
    visits: Ints  # [N]
    first: Ints  # [N, A]: the first child of each action; -1 if there is none
    after: Ints  # [N]: the next child of the same node and action; -1 if there is none
    seen: Ints  # [N]: the fingerprint of the observation that leads to the node
    tally: Ints  # [3]: nodes in use, simulations, steps
    returns: Floats  # [2]: the mean of the returns at the root, and the sum of their squared deviations


@kernel
def plant(tree: Tree) -> None:
    """Make a tree that is only a root."""
    add_node(tree, 0, 0)
    tree.tally[0], tree.tally[1], tree.tally[2] = 1, 0, 0
    tree.returns[0], tree.returns[1] = 0.0, 0.0


@kernel
def add_node(tree: Tree, node: int, seen: int) -> None:
    """Clear the place of a node."""
    for a in range(tree.counts.shape[1]):
        tree.counts[node, a] = 0.0
        tree.means[node, a] = 0.0
        tree.priors[node, a] = 0.0
        tree.first[node, a] = -1
    tree.visits[node] = 0
    tree.after[node] = -1
    tree.seen[node] = seen


@kernel
def choose(tree: Tree, node: int, fresh: int, trust: float, width: float) -> int:
    """The action of the highest upper confidence bound; the first of them where several are."""
    N = tree.visits[node]
    of_prior = trust / min(N, fresh)
    bonus = width * np.sqrt(np.log(N + 1.0))
    highest, best = -np.inf, 0
    for a in range(tree.counts.shape[1]):
        n = tree.counts[node, a]
        q = (tree.means[node, a] * n + tree.priors[node, a] * of_prior) / (n + trust) + bonus / np.sqrt(n + 1.0)
        if q > highest:
            highest, best = q, a
    return best


@kernel
def find(tree: Tree, node: int, a: int, seen: int) -> int:
    """The child that an observation leads to, or -1; one that was met more often than the first becomes the first."""
    child, before = tree.first[node, a], -1
    while child >= 0 and tree.seen[child] != seen:
        before, child = child, tree.after[child]
    if before >= 0 and child >= 0 and tree.visits[child] > tree.visits[tree.first[node, a]]:
        tree.after[before] = tree.after[child]
        tree.after[child] = tree.first[node, a]
        tree.first[node, a] = child
    return child


@kernel
def weigh(tree: Tree, node: int, v: Floats) -> None:
    """Add the values of a particle to a node's prior."""
    tree.visits[node] += 1
    for a in range(v.shape[0]):
        tree.priors[node, a] += v[a]


@kernel
def extend(tree: Tree, node: int, a: int, seen: int, v: Floats) -> None:
    """Add a child with its first particle, if there is room."""
    new = tree.tally[0]
    if new < tree.visits.shape[0]:
        tree.tally[0] = new + 1
        add_node(tree, new, seen)
        weigh(tree, new, v)
        tree.after[new] = tree.first[node, a]
        tree.first[node, a] = new


@kernel
def pay_back(tree: Tree, path: Ints, actions: Ints, rewards: Floats, depth: int, last: float, discount: float) -> float:
    """Return the discounted rewards of a simulation to the nodes on its way, and that of the root."""
    ret = last
    for d in range(depth - 1, -1, -1):
        ret = rewards[d] + discount * ret
        node, a = path[d], actions[d]
        tree.counts[node, a] += 1.0
        tree.means[node, a] += (ret - tree.means[node, a]) / tree.counts[node, a]
    return ret


@kernel
def simulate(
    step: Any,
    observe: Any,
    ends: Any,
    values: Any,
    numbers: Numbers,
    tasks: Ints,  # [n]: the belief at the root: the task of each particle,
    states: Ints,  # [n, D]: its state
    weights: Floats,  # [n]: and the sum of its weight and all before
    tree: Tree,
    simulations: int,
    depth: int,  # the longest walk
    explore: float,
    trust: float,  # how many returns the prior counts for
    fresh: int,  # how many particles make the prior
    observation_size: int,
    luck: Luck,
) -> None:
    """Grow a tree by so many simulations."""
    D, A = states.shape[1], tree.counts.shape[1]
    x, y, z = np.empty(D, np.int64), np.empty(D, np.int64), np.empty(observation_size, np.int64)
    path, actions, rewards, v = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(depth), np.empty(A)
    for _ in range(simulations):
        done = tree.tally[1] + 1
        at = np.searchsorted(weights, (GOLDEN * done) % 1.0 * weights[-1], side="right")
        k = tasks[at]
        facts = numbers.facts[numbers.facts_at[k] : numbers.facts_at[k + 1]]
        reals = numbers.reals[numbers.reals_at[k] : numbers.reals_at[k + 1]]
        for j in range(D):
            x[j] = states[at, j]
        width = explore * np.sqrt(tree.returns[1] / done)
        node, d, last = 0, 0, 0.0
        while True:
            if tree.visits[node] < fresh:
                values(facts, reals, x, v)
                weigh(tree, node, v)
            else:
                tree.visits[node] += 1
            a = choose(tree, node, fresh, trust, width)
            path[d], actions[d] = node, a
            rewards[d] = step(a, facts, reals, x, y, luck)
            d += 1
            if ends(facts, reals, y):
                break
            observe(a, facts, reals, y, z, luck)
            seen = fingerprint(z, observation_size)
            child = find(tree, node, a, seen)
            if child < 0 or d == depth:
                values(facts, reals, y, v)
                last = v.max()
                if child < 0:
                    extend(tree, node, a, seen, v)
                break
            node = child
            for j in range(D):
                x[j] = y[j]
        ret = pay_back(tree, path, actions, rewards, d, last, numbers.discounts[k])
        tree.tally[1] = done
        tree.tally[2] += d
        change = ret - tree.returns[0]
        tree.returns[0] += change / done
        tree.returns[1] += change * (ret - tree.returns[0])
