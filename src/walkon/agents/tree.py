"""Search by compiled rules: grows a tree from a belief over tasks and states, within a budget, and reads its root."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from time import perf_counter

import numpy as np

from walkon.agents.belief_tree import MOST_PARTS, grow_beliefs
from walkon.agents.bundle_kernels import Bundle, going_on
from walkon.agents.effort import Effort
from walkon.agents.node_kernels import COUNTS, Tree, plant
from walkon.agents.planning import Plan
from walkon.agents.tree_kernels import Limits, simulate, simulate_tables
from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.tasks import table_rules_kernels
from walkon.tasks.compiled_rules import CompiledRules, Numbers, functions_of

MOST_BYTES = 2**28  # of a tree
RULES = ("step", "observe", "likelihood", "ends", "values")
NOISY, BLIND = 2.0, 4.0  # how much wider the confidence bounds are, as returns are noisy; and without values


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

    @cached_property
    def _simulate(self) -> Callable[..., None]:
        """The kernel that grows a tree by these rules."""
        first = self.rules[0]
        if first.functions == tuple(functions_of(table_rules_kernels).values()):
            return simulate_tables
        return partial(simulate, *(getattr(first, each) and first.pointer(each) for each in RULES))

    def grow(self, tasks: Ints, states: Ints, weights: Floats, effort: Effort, seed: int) -> Plan:
        """Search from a belief: particles' tasks [n], states [n, numbers] and weights [n]."""
        began, rules = perf_counter(), self.rules[0]
        if not len(tasks):
            raise InputError("the belief is empty: a search needs at least one task and state")
        kept = weights.copy()
        going_on(rules.pointer("ends"), self.numbers, tasks, states, kept)
        possible = np.flatnonzero(kept)
        if rules.factored and rules.values and 0 < len(possible) <= MOST_PARTS:
            parts = tasks[possible], states[possible], kept[possible]
            return grow_beliefs(self.rules, *parts, effort, seed, began)
        A, often = rules.action_count, effort.simulations if effort.seconds is None else MOST_BYTES
        tree = new_tree(min(often + 1, MOST_BYTES // (32 * A + 56)), A)
        upto, luck = np.cumsum(kept if kept.any() else weights), np.array([seed % 2**64], dtype=np.uint64)
        m = rules.bundle if rules.values else 1
        guide = np.searchsorted(upto, np.arange(len(upto)) / len(upto) * upto[-1], side="right")
        bundle, z = new_bundle(m, rules.state_size, A), np.zeros(rules.observation_size, dtype=np.int64)
        fresh = max(1, effort.fresh // m) if rules.values else effort.few

        def simulate_more(count: int) -> int:
            width = effort.explore * (NOISY if rules.values else BLIND)
            limits = Limits(count, effort.depth, width, effort.trust, fresh, effort.few, effort.doubt)
            self._simulate(self.numbers, tasks, states, upto, guide, tree, bundle, limits, z, luck)
            return count

        effort.spend(simulate_more, began)
        _, simulations, steps = tree.tally.tolist()
        counts = tree.whole[0, COUNTS : COUNTS + A]
        means = np.where(counts > 0, tree.sums[0, :A] / np.maximum(counts, 1), np.nan)
        return Plan(tuple(means.tolist()), tuple(counts.tolist()), simulations, steps)


def new_tree(nodes: int, A: int) -> Tree:
    """Make room for a tree."""
    whole = np.empty((nodes, COUNTS + 2 * A), np.int64)
    tree = Tree(np.empty((nodes, 2 * A + 3)), whole, np.empty(3, np.int64), np.empty(2))
    plant(tree)
    return tree


def new_bundle(m: int, D: int, A: int) -> Bundle:
    """Make room for the particles of a simulation."""
    before, after, spare = (np.empty((n, D), np.int64) for n in (m, m, 2))
    return Bundle(np.empty(m, np.int64), before, after, np.empty(m), spare, np.empty(A))
