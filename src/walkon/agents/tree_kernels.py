"""The kernel of the agent "search": a tree of actions and observations, grown by one simulation after another.

A simulation draws a task and a state from the belief at the root, walks down the tree by the rules of that task, adds
one node where it leaves the tree, and returns the discounted rewards to all nodes on its way (POMCP, Silver and Veness
2010, with the task as a part of the hidden state). A node is a history. It takes other particles along
(`walkon.agents.bundle_kernels`), whose mean value of each action, for a helper who knows task and state, is the prior
of a node (QMDP), and at a new node the best of it is its value. The action of the highest upper confidence bound is
taken,

    q(a) + explore * spread * sqrt(log(N + 1) / (n(a) + 1)),

where q is the mean of the returns and of the prior, which counts for `trust` returns, and the spread is the standard
deviation of the returns at the root.

Where a state is itself an exact belief (factored rules), `walkon.agents.belief_tree_kernels` takes its place.

Nothing is allocated in a simulation: nodes have places in arrays, and the children of a node and an action are a linked
list, in which those that are often met move to the front.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.agents.bundle_kernels import Bundle, draw_bundle, follow, mean_values, numbers_of
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.luck_kernels import Luck, fingerprint
from walkon.tasks.compiled_rules import Numbers


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
        before, child = child, int(tree.after[child])
    if before >= 0 and child >= 0 and tree.visits[child] > tree.visits[tree.first[node, a]]:
        tree.after[before] = tree.after[child]
        tree.after[child] = tree.first[node, a]
        tree.first[node, a] = child
    return int(child)


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


class Limits(NamedTuple):
    """How a tree is grown."""

    simulations: int
    depth: int  # the longest walk
    explore: float
    trust: float  # how many returns the prior counts for
    fresh: int  # how many bundles make the prior


@kernel
def simulate(
    step: Any,
    observe: Any,
    likelihood: Any,
    ends: Any,
    values: Any,
    numbers: Numbers,
    tasks: Ints,  # [n]: the belief at the root: the task of each particle,
    states: Ints,  # [n, D]: its state
    weights: Floats,  # [n]: and the sum of its weight and all before
    tree: Tree,
    bundle: Bundle,
    limits: Limits,
    z: Ints,  # for an observation
    luck: Luck,
) -> None:
    """Grow a tree by so many simulations."""
    D, A, m = states.shape[1], tree.counts.shape[1], bundle.tasks.shape[0]
    depth, fresh = limits.depth, limits.fresh
    path, actions, rewards = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(depth)
    v, one = np.empty(A), np.empty(A)
    x, y = bundle.states, bundle.after
    own, next_own = x[0], y[0]  # rows of the first particle
    for _ in range(limits.simulations):
        done = tree.tally[1] + 1
        draw_bundle(bundle, tasks, states, weights, done, luck)
        facts, reals = numbers_of(numbers, bundle.tasks[0])
        width = limits.explore * np.sqrt(tree.returns[1] / done)
        node, d, last = 0, 0, 0.0
        while True:
            if tree.visits[node] < fresh:
                if m == 1:
                    values(facts, reals, own, v)
                else:
                    mean_values(values, numbers, bundle, x, v, one)
                weigh(tree, node, v)
            else:
                tree.visits[node] += 1
            a = choose(tree, node, fresh, limits.trust, width)
            path[d], actions[d] = node, a
            rewards[d] = step(a, facts, reals, own, next_own, luck)
            d += 1
            if ends(facts, reals, next_own):
                break
            observe(a, facts, reals, next_own, z, luck)
            if m > 1:
                follow(step, likelihood, ends, numbers, bundle, a, z, luck)
            seen = fingerprint(z, z.shape[0])
            child = find(tree, node, a, seen)
            if child < 0 or d == depth:
                if m == 1:
                    values(facts, reals, next_own, v)
                else:
                    mean_values(values, numbers, bundle, y, v, one)
                last = v.max()
                if child < 0:
                    extend(tree, node, a, seen, v)
                break
            node = child
            for i in range(m):
                for j in range(D):
                    x[i, j] = y[i, j]
        ret = pay_back(tree, path, actions, rewards, d, last, numbers.discounts[bundle.tasks[0]])
        tree.tally[1] = done
        tree.tally[2] += d
        change = ret - tree.returns[0]
        tree.returns[0] += change / done
        tree.returns[1] += change * (ret - tree.returns[0])
