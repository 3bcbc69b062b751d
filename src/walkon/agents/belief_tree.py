"""Search where a state is itself a belief: grows a tree of exact beliefs, within a budget, and reads its root."""

from collections.abc import Sequence

import numpy as np

from walkon.agents.belief_tree_kernels import BeliefTree, walk
from walkon.agents.effort import Effort
from walkon.agents.planning import Plan
from walkon.arrays import Floats, Ints
from walkon.tasks.compiled_rules import CompiledRules, Numbers

MOST_PARTS = 32  # with which a node is an exact belief
MOST_BYTES = 2**28  # of a tree
MOST_OUTCOMES = 64  # of one step
WIDER = 3.0  # than the confidence bounds of other trees: values are exact, but for what lies beyond the leaves
RULES = ("outcomes", "step", "observe", "ends", "values")


def grow_beliefs(
    rules: Sequence[CompiledRules], tasks: Ints, rows: Ints, weights: Floats, effort: Effort, seed: int, began: float
) -> Plan:
    """Search from parts of a belief: their tasks [m], beliefs [m, D] and weights [m]; `began` is when it began."""
    (m, D), A = rows.shape, rules[0].action_count
    room = MOST_BYTES // (8 * (m * (D + 1) + 5 * A + 4))
    tree = BeliefTree(
        rows=np.empty((room, m, D), np.int64),
        weights=np.empty((room, m)),
        values=np.empty((room, A)),
        rewards=np.empty((room, A)),
        counts=np.empty((room, A), np.int64),
        first=np.empty((room, A), np.int64),
        last=np.empty((room, A), np.int64),
        seen=np.empty(room, np.int64),
        chances=np.empty(room),
        visits=np.empty(room, np.int64),
        worth=np.empty(room),
        tally=np.zeros(3, np.int64),
        returns=np.zeros(2),
    )
    tree.rows[0], tree.weights[0] = rows, weights
    numbers = Numbers.of(rules)
    outcomes, step, observe, ends, values = map(rules[0].pointer, RULES)
    luck = np.array([seed % 2**64], dtype=np.uint64)
    ys, ps, z = (
        np.empty((MOST_OUTCOMES, D), np.int64),
        np.empty(MOST_OUTCOMES),
        np.empty(rules[0].observation_size, int),
    )

    def simulate(count: int) -> int:
        before = int(tree.tally[1])
        limits = count, effort.depth, WIDER * effort.explore
        walk(outcomes, step, observe, ends, values, numbers, tasks, tree, *limits, ys, ps, z, luck)
        return int(tree.tally[1]) - before

    effort.spend(simulate, began)
    _, simulations, steps = tree.tally.tolist()
    counts = tree.counts[0]
    means = np.where(counts > 0, tree.values[0], np.nan)
    return Plan(tuple(means.tolist()), tuple(counts.tolist()), simulations, steps)
