"""Search by compiled rules: grows a tree from a belief over tasks and states, within a budget, and reads its root."""

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np

from walkon.agents.belief_tree import MOST_PARTS, grow_beliefs
from walkon.agents.bundle_kernels import Bundle, going_on
from walkon.agents.effort import Effort
from walkon.agents.planning import Plan
from walkon.agents.tree_kernels import Limits, Tree, plant, simulate
from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.tasks.compiled_rules import CompiledRules, Numbers

MOST_BYTES = 2**28  # of a tree
RULES = ("step", "observe", "likelihood", "ends", "values")
NOISY = 4.0  # how much wider the confidence bounds are because values are means of single returns


@dataclass(frozen=True, eq=False)
class TreeSearch:
    """Plans in all tasks of a library at once, by their compiled rules."""

    rules: tuple[CompiledRules, ...]  # [K]

    def __post_init__(self) -> None:
        first = self.rules[0]
        for k, each in enumerate(self.rules):
            if each.functions != first.functions or each.action_count != first.action_count:
                raise InputError(f"tasks 0 and {k} have different compiled rules: only their numbers may differ")

    @cached_property
    def numbers(self) -> Numbers:
        """The numbers of all tasks."""
        return Numbers.of(self.rules)

    def grow(self, tasks: Ints, states: Ints, weights: Floats, effort: Effort, seed: int) -> Plan:
        """Search from a belief: particles' tasks [n], states [n, numbers] and weights [n]."""
        began, rules = perf_counter(), self.rules[0]
        if not len(tasks):
            raise InputError("the belief is empty: a search needs at least one task and state")
        step, observe, likelihood, ends, values = map(rules.pointer, RULES)
        kept = weights.copy()
        going_on(ends, self.numbers, tasks, states, kept)
        possible = np.flatnonzero(kept)
        if rules.factored and 0 < len(possible) <= MOST_PARTS:
            parts = tasks[possible], states[possible], kept[possible]
            return grow_beliefs(self.rules, *parts, effort, seed, began)
        A, often = rules.action_count, effort.simulations if effort.seconds is None else MOST_BYTES
        tree = new_tree(min(often + 1, MOST_BYTES // (32 * A + 24)), A)
        upto, luck = np.cumsum(kept if kept.any() else weights), np.array([seed % 2**64], dtype=np.uint64)
        bundle, z = new_bundle(rules.bundle, rules.state_size), np.zeros(rules.observation_size, dtype=np.int64)
        fresh = max(1, effort.fresh // rules.bundle)

        def simulate_more(count: int) -> int:
            limits = Limits(count, effort.depth, effort.explore * NOISY, effort.trust, fresh)
            belief = (self.numbers, tasks, states, upto)
            simulate(step, observe, likelihood, ends, values, *belief, tree, bundle, limits, z, luck)
            return count

        effort.spend(simulate_more, began)
        _, simulations, steps = tree.tally.tolist()
        counts = tree.counts[0].astype(np.int64)
        means = np.where(counts > 0, tree.means[0], np.nan)
        return Plan(tuple(means.tolist()), tuple(counts.tolist()), simulations, steps)


def new_tree(nodes: int, A: int) -> Tree:
    """Make room for a tree."""
    tree = Tree(
        counts=np.empty((nodes, A)),
        means=np.empty((nodes, A)),
        priors=np.empty((nodes, A)),
        visits=np.empty(nodes, np.int64),
        first=np.empty((nodes, A), np.int64),
        after=np.empty(nodes, np.int64),
        seen=np.empty(nodes, np.int64),
        tally=np.empty(3, np.int64),
        returns=np.empty(2),
    )
    plant(tree)
    return tree


def new_bundle(m: int, D: int) -> Bundle:
    """Make room for the particles of a simulation."""
    return Bundle(np.empty(m, np.int64), np.empty((m, D), np.int64), np.empty((m, D), np.int64), np.empty(m))
