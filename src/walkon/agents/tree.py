"""Search by compiled rules: grows a tree from a belief over tasks and states, within a budget, and reads its root."""

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from walkon.agents.bundle_kernels import Bundle, going_on
from walkon.agents.planning import Plan
from walkon.agents.tree_kernels import Limits, Tree, plant, simulate
from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.tasks.compiled_rules import CompiledRules, Numbers

MOST_BYTES = 2**28  # of a tree
RULES = ("step", "observe", "likelihood", "ends", "values")
NO_TRUST = 1e-9  # a prior counts only until the action is tried
NOISY = 4.0  # how much wider the confidence bounds are where values are means of single returns, and not of beliefs
MOST_AT_ONCE = 2**20  # simulations between two looks at the clock
FIRST = 64  # simulations before the first look at the clock


@dataclass(frozen=True)
class Effort:
    """How a tree is grown.

    Attributes:
        simulations: How many there are, where `seconds` is not given.
        seconds: How long they may take.
        depth: How many steps are looked ahead.
        explore: How wide the confidence bounds are, in standard deviations of the returns.
        trust: How many returns the prior of an action counts for.
        fresh: How many particles make the prior of a node.
    """

    simulations: int = 10_000
    seconds: float | None = None
    depth: int = 30
    explore: float = 1.0
    trust: float = 5.0
    fresh: int = 32


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
        if not len(tasks):
            raise InputError("the belief is empty: a search needs at least one task and state")
        rules = self.rules[0]
        A, often = rules.action_count, effort.simulations if effort.seconds is None else MOST_BYTES
        tree = new_tree(min(often + 1, MOST_BYTES // (32 * A + 24)), A)
        step, observe, likelihood, ends, values = map(rules.pointer, RULES)
        kept = weights.copy()
        going_on(ends, self.numbers, tasks, states, kept)
        upto, luck = np.cumsum(kept if kept.any() else weights), np.array([seed % 2**64], dtype=np.uint64)
        bundle, z = new_bundle(rules.bundle, rules.state_size), np.zeros(rules.observation_size, dtype=np.int64)

        def simulate_more(count: int) -> None:
            belief, exact = (self.numbers, tasks, states, upto), rules.factored
            trust, fresh = (NO_TRUST, 1) if exact else (effort.trust, max(1, effort.fresh // rules.bundle))
            limits = Limits(count, effort.depth, effort.explore * (1.0 if exact else NOISY), trust, fresh, exact)
            simulate(step, observe, likelihood, ends, values, *belief, tree, bundle, limits, z, luck)

        if effort.seconds is None:
            simulate_more(effort.simulations)
        else:
            within(effort.seconds, simulate_more)
        _, simulations, steps = tree.tally.tolist()
        counts = tree.counts[0].astype(np.int64)
        means = np.where(counts > 0, tree.means[0], np.nan)
        return Plan(tuple(means.tolist()), tuple(counts.tolist()), simulations, steps)


def within(seconds: float, simulate_more: Any) -> None:
    """Simulate in growing portions until the time is nearly over."""
    began, portion = perf_counter(), FIRST
    while True:
        before = perf_counter()
        simulate_more(portion)
        now = perf_counter()
        left = seconds - (now - began)
        rate = portion / max(now - before, 1e-6)
        portion = int(min(2 * portion, rate * left / 2, rate * 0.01, MOST_AT_ONCE))
        if portion < FIRST:
            return


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
        worth=np.empty(nodes),
        tally=np.empty(3, np.int64),
        returns=np.empty(2),
    )
    plant(tree)
    return tree


def new_bundle(m: int, D: int) -> Bundle:
    """Make room for the particles of a simulation."""
    return Bundle(np.empty(m, np.int64), np.empty((m, D), np.int64), np.empty((m, D), np.int64), np.empty(m))
