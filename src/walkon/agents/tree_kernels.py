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

from walkon.agents.bundle_kernels import Bundle, draw_bundle, estimate, follow, numbers_of
from walkon.arrays import Floats, Ints
from walkon.compiled import borrowed, kernel
from walkon.models.luck_kernels import Luck, fingerprint
from walkon.tasks import table_rules_kernels as rules
from walkon.tasks.compiled_rules import Numbers


class Tree(NamedTuple):
    """A tree with room for N nodes; node 0 is the root. What belongs to a node lies together in memory."""

    sums: Floats  # [N, 2A]: the sum of the returns of each action, and of the values of the first particles
    whole: Ints  # [N, 3 + 2A]: visits; the next child of the same node and action, or -1; the fingerprint of the
    #              observation that leads here; how often each action was taken; its first child, or -1
    tally: Ints  # [3]: nodes in use, simulations, steps
    returns: Floats  # [2]: the mean of the returns at the root, and the sum of their squared deviations


SHARES = 1024
VISITS, AFTER, SEEN, COUNTS = 0, 1, 2, 3  # columns of `whole`


@kernel
def plant(tree: Tree) -> None:
    """Make a tree that is only a root."""
    add_node(tree, 0, 0, -1)
    tree.tally[0], tree.tally[1], tree.tally[2] = 1, 0, 0
    tree.returns[0], tree.returns[1] = 0.0, 0.0


@kernel
def add_node(tree: Tree, node: int, seen: int, after: int) -> None:
    """Clear the place of a node."""
    A = tree.sums.shape[1] // 2
    for i in range(2 * A):
        tree.sums[node, i] = 0.0
    for a in range(A):
        tree.whole[node, COUNTS + a] = 0
        tree.whole[node, COUNTS + A + a] = -1
    tree.whole[node, VISITS], tree.whole[node, AFTER], tree.whole[node, SEEN] = 0, after, seen


@kernel
def choose(tree: Tree, node: int, fresh: int, trust: float, width: float, shares: Floats) -> int:
    """The action of the highest upper confidence bound; the first of them where several are."""
    A, N, S = tree.sums.shape[1] // 2, tree.whole[node, VISITS], shares.shape[1]
    of_prior = trust / min(N, fresh)
    bonus = width * (shares[2, N] if N < S else np.sqrt(np.log(N + 1.0)))
    highest, best = -np.inf, 0
    for a in range(A):
        n = tree.whole[node, COUNTS + a]
        total = tree.sums[node, a] + tree.sums[node, A + a] * of_prior
        q = total * shares[0, n] + bonus * shares[1, n] if n < S else total / (n + trust) + bonus / np.sqrt(n + 1.0)
        if q > highest:
            highest, best = q, a
    return best


@kernel
def find(tree: Tree, node: int, a: int, seen: int) -> int:
    """The child that an observation leads to, or -1; one that was met more often than the first becomes the first."""
    at = COUNTS + tree.sums.shape[1] // 2 + a
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
def weigh(tree: Tree, node: int, v: Floats) -> None:
    """Add the values of a particle to a node's prior."""
    tree.whole[node, VISITS] += 1
    for a in range(v.shape[0]):
        tree.sums[node, v.shape[0] + a] += v[a]


@kernel
def extend(tree: Tree, node: int, a: int, seen: int, v: Floats) -> None:
    """Add a child with its first particle, if there is room."""
    new = tree.tally[0]
    if new < tree.whole.shape[0]:
        at = COUNTS + v.shape[0] + a
        tree.tally[0] = new + 1
        add_node(tree, new, seen, tree.whole[node, at])
        weigh(tree, new, v)
        tree.whole[node, at] = new


@kernel
def pay_back(tree: Tree, path: Ints, actions: Ints, rewards: Floats, depth: int, last: float, discount: float) -> float:
    """Return the discounted rewards of a simulation to the nodes on its way, and that of the root."""
    ret = last
    for d in range(depth - 1, -1, -1):
        ret = rewards[d] + discount * ret
        tree.whole[path[d], COUNTS + actions[d]] += 1
        tree.sums[path[d], actions[d]] += ret
    return ret


@kernel
def fill_shares(shares: Floats, trust: float) -> None:
    """Write 1 / (n + trust), 1 / sqrt(n + 1) and sqrt(log(n + 1)) for the first n, which are needed all the time."""
    for n in range(shares.shape[1]):
        shares[0, n], shares[1, n], shares[2, n] = 1 / (n + trust), 1 / np.sqrt(n + 1.0), np.sqrt(np.log(n + 1.0))


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
    values: Any,  # None: the value of a leaf is what random actions earn
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
    D, A, m, depth = states.shape[1], tree.sums.shape[1] // 2, bundle.tasks.shape[0], limits.depth
    tree, bundle, numbers, z, luck = borrowed((tree, bundle, numbers, z, luck))
    places, reals_of, shares = np.empty((2, depth), np.int64), np.empty((2, max(depth, A))), np.empty((3, SHARES))
    path, actions, rewards, v = borrowed((places[0], places[1], reals_of[0], reals_of[1][:A]))
    fill_shares(shares, limits.trust)
    x, y = bundle.states, bundle.after
    own, next_own = x[0], y[0]  # rows of the first particle
    for _ in range(limits.simulations):
        done = tree.tally[1] + 1
        draw_bundle(bundle, tasks, states, weights, done, luck)
        facts, reals = numbers_of(numbers, bundle.tasks[0])
        width = limits.explore * np.sqrt(tree.returns[1] / done)
        node, d, last, rolled = 0, 0, 0.0, 0
        while True:
            if tree.whole[node, VISITS] < limits.fresh:
                rolled += estimate(values, step, ends, numbers, bundle, x, depth - d, v, luck)
                weigh(tree, node, v)
            else:
                tree.whole[node, VISITS] += 1
            a = choose(tree, node, limits.fresh, limits.trust, width, shares)
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
                rolled += estimate(values, step, ends, numbers, bundle, y, depth - d, v, luck)
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
        tree.tally[2] += d + rolled
        change = ret - tree.returns[0]
        tree.returns[0] += change / done
        tree.returns[1] += change * (ret - tree.returns[0])


@kernel
def simulate_tables(
    numbers: Numbers,
    tasks: Ints,
    states: Ints,
    weights: Floats,
    tree: Tree,
    bundle: Bundle,
    limits: Limits,
    z: Ints,
    luck: Luck,
) -> None:
    """Grow a tree by the matrices of tasks, whose rules become a part of this: that is half as fast again."""
    simulate(
        rules.step,
        rules.observe,
        rules.likelihood,
        rules.ends,
        rules.values,
        numbers,
        tasks,
        states,
        weights,
        tree,
        bundle,
        limits,
        z,
        luck,
    )
