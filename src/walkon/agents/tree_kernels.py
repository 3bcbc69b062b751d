"""The kernel of the agent "search": a tree of actions and observations, grown by one simulation after another.

A simulation draws a task and a state from the belief at the root and walks down the tree by the rules of that task
(POMCP, Silver and Veness 2010, with the task as a part of the hidden state). A node is a history. It takes other
particles along (`walkon.agents.bundle_kernels`), and remembers what its first particles say each action is worth to a
helper who knows task and state. Their mean q_0(a) is its prior (QMDP), less what it costs not to know:

    C = doubt * (mean of max_a q(x, a) - max_a of the mean)

is what is lost by taking the same action in all of its states, for so many steps. A node with few particles takes C
mostly from the node above, and a walk ends there. Elsewhere, the action of the highest upper confidence bound is taken,

    q(a) + explore * spread * sqrt(log(N + 1) / (n(a) + 1)),

where q is the mean of the returns and of q_0(a) - C, which counts for `trust` returns, and the spread is the standard
deviation of the returns at the root. The value of a node is q of the action that was taken most; what exploring earned
does not count. A walk adds to the sum of returns above by how much it changes the value of a node times its visits.

Where a state is itself an exact belief (factored rules), `walkon.agents.belief_tree_kernels` takes its place.
"""

from typing import Any, NamedTuple

import numpy as np

from walkon.agents.bundle_kernels import Bundle, draw_bundle, estimate, follow, numbers_of
from walkon.agents.node_kernels import (
    HELD,
    SHARES,
    VISITS,
    Tree,
    actions_of,
    choose,
    extend,
    fill_shares,
    find,
    pay_back,
    renew,
    weigh,
)  # fmt: skip
from walkon.arrays import Floats, Ints
from walkon.compiled import borrowed, kernel
from walkon.models.luck_kernels import Luck, fingerprint
from walkon.tasks import table_rules_kernels as rules
from walkon.tasks.compiled_rules import Numbers


class Limits(NamedTuple):
    """How a tree is grown."""

    simulations: int
    depth: int  # the longest walk
    explore: float
    trust: float  # how many returns the prior counts for
    fresh: int  # how many bundles make the prior
    few: int  # with fewer visits, a walk ends
    doubt: float  # for how many steps a leaf pays for not knowing


@kernel
def spread_over(returns: Floats, count: int, rewards: Floats, depth: int, last: float, discount: float) -> None:
    """Add the return of a simulation to their mean and deviations."""
    ret = last
    for d in range(depth - 1, -1, -1):
        ret = rewards[d] + discount * ret
    change = ret - returns[0]
    returns[0] += change / count
    returns[1] += change * (ret - returns[0])


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
    upto: Floats,  # [n]: and the sum of its weight and all before,
    guide: Ints,  # [n]: in which to look from there on (see `draw_bundle`)
    tree: Tree,
    bundle: Bundle,
    limits: Limits,
    z: Ints,  # for an observation
    luck: Luck,
) -> None:
    """Grow a tree by so many simulations."""
    D, A, m, depth, trust = states.shape[1], actions_of(tree), bundle.tasks.shape[0], limits.depth, limits.trust
    tree, bundle, numbers, z, luck = borrowed((tree, bundle, numbers, z, luck))
    places, reals_of, shares = np.empty((2, depth), np.int64), np.empty((2, max(depth, A))), np.empty((SHARES, 3))
    path, actions, rewards, v = borrowed((places[0], places[1], reals_of[0], reals_of[1][:A]))
    fill_shares(shares, trust)
    x, y = bundle.states, bundle.after
    own, next_own = x[0], y[0]  # rows of the first particle
    for _ in range(limits.simulations):
        done = tree.tally[1] + 1
        draw_bundle(bundle, tasks, states, upto, guide, done, luck)
        facts, reals = numbers_of(numbers, bundle.tasks[0])
        discount = numbers.discounts[bundle.tasks[0]]
        width = limits.explore * np.sqrt(tree.returns[1] / done)
        node, d, above, last, best, rolled = 0, 0, 0.0, 0.0, 0.0, 0
        while True:
            tree.whole[node, VISITS] += 1
            if tree.whole[node, HELD] < limits.fresh:
                rolled += estimate(values, step, ends, numbers, bundle, x, depth - d, v, luck)
                weigh(tree, node, above, v, limits.doubt)
            a = choose(tree, node, trust, width, shares)
            path[d], actions[d] = node, a
            rewards[d] = step(a, facts, reals, own, next_own, luck)
            d += 1
            if ends(facts, reals, next_own):
                break
            observe(a, facts, reals, next_own, z, luck)
            if m > 1:
                follow(step, likelihood, ends, numbers, bundle, a, z, luck)
            seen, above = fingerprint(z, z.shape[0]), tree.sums[node, 2 * A + 1]
            child = find(tree, node, a, seen)
            if child < 0 or d == depth or tree.whole[child, VISITS] < limits.few:
                rolled += estimate(values, step, ends, numbers, bundle, y, depth - d, v, luck)
                last = best = v.max()
                if child < 0:
                    child = extend(tree, node, a, seen)
                if child >= 0:
                    tree.whole[child, VISITS] += 1
                    last = renew(tree, child, weigh(tree, child, above, v, limits.doubt))
                break
            node = child
            for i in range(m):
                for j in range(D):
                    x[i, j] = y[i, j]
        pay_back(tree, path, actions, rewards, d, last, discount, trust, shares)
        spread_over(tree.returns, done, rewards, d, best, discount)
        tree.tally[1] = done
        tree.tally[2] += d + rolled


@kernel
def simulate_tables(
    numbers: Numbers,
    tasks: Ints,
    states: Ints,
    upto: Floats,
    guide: Ints,
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
        upto,
        guide,
        tree,
        bundle,
        limits,
        z,
        luck,
    )
