"""The kernel of the agent "search" where a state is itself a belief (factored rules): a tree of exact beliefs.

A node is what is believed after a history: the weight of each part, mostly one for each task, and the belief in it.
What may follow an action is listed at once with its probability, so nothing is estimated by drawing. A new node is
worth its best action as `values` says; an action that was tried is worth

    Q(b, a) = R(b, a) + discount * sum_z P(z|b, a) max_a' Q(b_az, a'),

where z runs over the observations after which the task goes on. A simulation walks down from the root by upper
confidence bounds,

    Q(b, a) + explore * spread * sqrt(log(N + 1) / (n(a) + 1)),

goes on in the observation that lags furthest behind its probability, and tries one new action. The spread is the
standard deviation of what the walks found at the root.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.agents.bundle_kernels import numbers_of
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.luck_kernels import Luck, fingerprint
from walkon.tasks.compiled_rules import Numbers


class BeliefTree(NamedTuple):
    """A tree with room for N nodes of m parts; node 0 is the root."""

    rows: Ints  # [N, m, D]: the belief in each part
    weights: Floats  # [N, m]: their probabilities
    values: Floats  # [N, A]: Q(b, a)
    rewards: Floats  # [N, A]: R(b, a)
    counts: Ints  # [N, A]: how often each action was taken
    first: Ints  # [N, A]: the first of the nodes that follow an action; -1 if it was not tried
    last: Ints  # [N, A]: the one after the last of them
    seen: Ints  # [N]: the fingerprint of the observation that leads to the node
    chances: Floats  # [N]: its probability
    visits: Ints  # [N]
    worth: Floats  # [N]: max_a Q(b, a)
    tally: Ints  # [3]: nodes in use, simulations, steps
    returns: Floats  # [2]: the mean of what walks found at the root, and the sum of the squared deviations


@kernel
def value_node(values: Any, numbers: Numbers, tasks: Ints, tree: BeliefTree, node: int, v: Floats) -> None:
    """Value a new node; its beliefs and joint weights are in their places."""
    m, A = tree.weights.shape[1], tree.values.shape[1]
    total = 0.0
    for i in range(m):
        total += tree.weights[node, i]
    tree.chances[node], tree.visits[node] = total, 0
    for a in range(A):
        tree.values[node, a], tree.counts[node, a], tree.first[node, a] = 0.0, 0, -1
    for i in range(m):
        tree.weights[node, i] /= total
        if tree.weights[node, i] > 0.0:
            facts, reals = numbers_of(numbers, tasks[i])
            values(facts, reals, tree.rows[node, i], v)
            for a in range(A):
                tree.values[node, a] += tree.weights[node, i] * v[a]
    settle(tree, node)


@kernel
def settle(tree: BeliefTree, node: int) -> None:
    """Set the worth of a node to that of its best action."""
    highest = -np.inf
    for a in range(tree.values.shape[1]):
        highest = max(highest, tree.values[node, a])
    tree.worth[node] = highest


@kernel
def best_bound(tree: BeliefTree, node: int, width: float) -> int:
    """The action of the highest upper confidence bound; the first of them where several are."""
    bonus = width * np.sqrt(np.log(tree.visits[node] + 1.0))
    highest, best = -np.inf, 0
    for a in range(tree.values.shape[1]):
        bound = tree.values[node, a] + bonus / np.sqrt(tree.counts[node, a] + 1.0)
        if bound > highest:
            highest, best = bound, a
    return best


@kernel
def lagging(tree: BeliefTree, node: int, a: int) -> int:
    """The node that was visited least in proportion to its probability; -1 if none follows."""
    most, chosen = 0.0, -1
    for child in range(tree.first[node, a], tree.last[node, a]):
        share = tree.chances[child] / (tree.visits[child] + 1.0)
        if share > most:
            most, chosen = share, child
    return chosen


@kernel
def expand(
    outcomes: Any,
    step: Any,
    observe: Any,
    ends: Any,
    values: Any,
    numbers: Numbers,
    tasks: Ints,
    tree: BeliefTree,
    node: int,
    a: int,
    ys: Ints,
    ps: Floats,
    z: Ints,
    v: Floats,
    luck: Luck,
) -> None:
    """Make a node for each observation that may follow an action and that does not end the task."""
    new, m, paid = tree.tally[0], tree.weights.shape[1], 0.0
    end = new
    for i in range(m):
        weight = tree.weights[node, i]
        if weight > 0.0:
            facts, reals = numbers_of(numbers, tasks[i])
            paid += weight * step(a, facts, reals, tree.rows[node, i], ys[0], luck)
            for j in range(outcomes(a, facts, reals, tree.rows[node, i], ys, ps)):
                if ps[j] <= 0.0 or ends(facts, reals, ys[j]):
                    continue
                observe(a, facts, reals, ys[j], z, luck)
                seen, child = fingerprint(z, z.shape[0]), new
                while child < end and tree.seen[child] != seen:
                    child += 1
                if child == end:
                    end += 1
                    tree.seen[child] = seen
                    for other in range(m):
                        tree.weights[child, other] = 0.0
                tree.weights[child, i] += weight * ps[j]
                for d in range(ys.shape[1]):
                    tree.rows[child, i, d] = ys[j, d]
    for child in range(new, end):
        value_node(values, numbers, tasks, tree, child, v)
    tree.rewards[node, a], tree.first[node, a], tree.last[node, a], tree.tally[0] = paid, new, end, end


@kernel
def worth_of(tree: BeliefTree, node: int, a: int, discount: float) -> float:
    """What an action is worth by all that may follow."""
    total = 0.0
    for child in range(tree.first[node, a], tree.last[node, a]):
        total += tree.chances[child] * tree.worth[child]
    return float(tree.rewards[node, a] + discount * total)


@kernel
def walk(
    outcomes: Any,
    step: Any,
    observe: Any,
    ends: Any,
    values: Any,
    numbers: Numbers,
    tasks: Ints,  # [m]: the task of each part
    tree: BeliefTree,
    simulations: int,
    depth: int,
    explore: float,
    ys: Ints,  # [room for outcomes, D]
    ps: Floats,
    z: Ints,
    luck: Luck,
) -> None:
    """Grow a tree by so many simulations, as long as there is room."""
    path, actions, v = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(tree.values.shape[1])
    discount = numbers.discounts[tasks[0]]
    if tree.tally[0] == 0:
        value_node(values, numbers, tasks, tree, 0, v)
        tree.tally[0] = 1
    for _ in range(simulations):
        if tree.tally[0] + tasks.shape[0] * ps.shape[0] > tree.worth.shape[0]:
            return
        done, node, d, new = tree.tally[1] + 1, 0, 0, False
        width = explore * np.sqrt(tree.returns[1] / done)
        while d < depth and node >= 0 and not new:
            a = best_bound(tree, node, width)
            path[d], actions[d] = node, a
            d += 1
            new = tree.first[node, a] < 0
            if new:
                expand(outcomes, step, observe, ends, values, numbers, tasks, tree, node, a, ys, ps, z, v, luck)
            else:
                node = lagging(tree, node, a)
        ret = 0.0
        for i in range(d - 1, -1, -1):
            node, a = path[i], actions[i]
            tree.visits[node] += 1
            tree.counts[node, a] += 1
            tree.values[node, a] = worth_of(tree, node, a, discount)
            ret = tree.values[node, a] if i == d - 1 else tree.rewards[node, a] + discount * ret
            settle(tree, node)
        tree.tally[1] = done
        tree.tally[2] += d
        change = ret - tree.returns[0]
        tree.returns[0] += change / done
        tree.returns[1] += change * (ret - tree.returns[0])
