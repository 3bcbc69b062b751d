"""The compiled search against a slow twin of it: the same equations with nodes as objects, and the same luck."""

from dataclasses import dataclass, field, replace
from math import log, sqrt

import numpy as np
import pytest

import walkon
from untabled_worlds import Lamp
from walkon.agents.bundle_kernels import GOLDEN
from walkon.agents.effort import Effort
from walkon.agents.node_kernels import INHERITED
from walkon.agents.tree import BLIND, NOISY, TreeSearch
from walkon.models.luck_kernels import uniform
from walkon.solvers.upper_bounds import FastInformedBound
from walkon.tasks.table_rules import table_rules


@dataclass(eq=False)
class Node:
    """A history."""

    A: int
    above: "Node | None" = None
    visits: int = 0
    cost: float = 0.0  # of not knowing
    value: float = 0.0
    seen: list = field(default_factory=list)  # the values of the first particles
    returns: list = field(default_factory=list)  # [A]
    children: dict = field(default_factory=dict)
    most: int = 0  # the action taken most

    def __post_init__(self):
        self.returns = [[0.0, 0] for _ in range(self.A)]  # their sum and number

    def weigh(self, v, inherited, doubt):
        self.seen.append(v)
        best, known = max(map(self.said, range(self.A))), sum(max(each) for each in self.seen)
        n, cost = len(self.seen), doubt * (known - best)
        self.cost = cost / n if self.above is None else (cost + INHERITED * inherited) / (n + INHERITED)
        return best / n - self.cost

    def said(self, a):
        return sum(v[a] for v in self.seen)

    def bound(self, a, trust, bonus):
        """The upper confidence bound of an action. Sums are in the order of the kernel's: many actions are as good."""
        total, n = self.returns[a]
        total = total + self.said(a) * (trust / len(self.seen)) - trust * self.cost
        return total * (1 / (n + trust)) + bonus * (1 / sqrt(n + 1))

    def q(self, trust):
        """The value of the action that was taken most."""
        total, n = self.returns[self.most]
        return (total + trust * (self.said(self.most) / len(self.seen) - self.cost)) * (1 / (n + trust))

    def renew(self, value):
        added = self.visits * value - (self.visits - 1) * self.value
        self.value = value
        return added


class Twin:
    """A search by the rules of all tasks, [K], called one at a time."""

    def __init__(self, rules, effort, seed):
        self.rules, self.effort, self.luck = rules, effort, np.array([seed], dtype=np.uint64)
        self.fresh = effort.fresh if rules[0].values else effort.few

    def values(self, k, x, left):
        rules, v = self.rules[k], np.empty(self.rules[k].action_count)
        if rules.values:
            rules.values(rules.facts, rules.reals, x, v)
            return v
        earned, x = 0.0, x.copy()
        for t in range(left):
            if rules.ends(rules.facts, rules.reals, x):
                break
            y, a = np.empty_like(x), int(uniform(self.luck) * len(v))
            earned += rules.discount**t * rules.step(a, rules.facts, rules.reals, x, y, self.luck)
            x = y
        return np.full(len(v), earned)

    def choose(self, node, width):
        trust, N = self.effort.trust, node.visits
        bonus = width * sqrt(log(N + 1))
        return int(np.argmax([node.bound(a, trust, bonus) for a in range(node.A)]))

    def walk(self, root, k, x, width):
        """One simulation; return its own return, by the particle's value at the leaf."""
        rules, effort, node, path, inherited, last, best = self.rules[k], self.effort, root, [], 0.0, 0.0, 0.0
        numbers = rules.facts, rules.reals
        while True:
            node.visits += 1
            if len(node.seen) < self.fresh:
                node.weigh(self.values(k, x, effort.depth - len(path)), inherited, effort.doubt)
            a, y, z = self.choose(node, width), np.empty_like(x), np.empty(rules.observation_size, np.int64)
            path.append((node, a, rules.step(a, *numbers, x, y, self.luck)))
            if rules.ends(*numbers, y):
                break
            rules.observe(a, *numbers, y, z, self.luck)
            key, inherited = (a, tuple(z.tolist())), node.cost
            child = node.children.get(key)
            if child is None or len(path) == effort.depth or child.visits < effort.few:
                v = self.values(k, y, effort.depth - len(path))
                child = node.children.setdefault(key, Node(node.A, node))
                child.visits += 1
                best, last = max(v), child.renew(child.weigh(v, inherited, effort.doubt))
                break
            node, x = child, y
        for node, a, reward in reversed(path):
            best, last = reward + rules.discount * best, reward + rules.discount * last
            node.returns[a][0] += last
            node.returns[a][1] += 1
            if node.returns[a][1] > node.returns[node.most][1]:
                node.most = a
            last = node.renew(node.q(effort.trust))
        return best

    def grow(self, tasks, states, weights):
        root, upto, earned = Node(self.rules[0].action_count), np.cumsum(weights), []
        for done in range(1, self.effort.simulations + 1):
            at = np.searchsorted(upto, (GOLDEN * done) % 1.0 * upto[-1], side="right")
            spread = sqrt(np.sum((np.array(earned) - np.mean(earned)) ** 2) / done) if earned else 0.0
            width = (NOISY if self.rules[0].values else BLIND) * self.effort.explore * spread
            earned.append(self.walk(root, int(tasks[at]), states[at], width))
        return [n for _, n in root.returns], [total / n if n else np.nan for total, n in root.returns]


def lamps(values):
    library = walkon.define([Lamp("on"), Lamp("off")])
    tables = [FastInformedBound(epsilon=1e-6).solve(task.pomdp).policy.columns for task in library]
    rules = [table_rules(task, q) for task, q in zip(library, tables, strict=True)]
    return library, rules if values else [replace(each, values=None) for each in rules]


def night(values):
    library = walkon.make("night-pursuit", size=3, tasks=2, tables=False)
    rules = [task.compiled for task in library]
    return library, rules if values else [replace(each, values=None) for each in rules]


@pytest.mark.parametrize("values", [True, False])
@pytest.mark.parametrize("world", [lamps, night])
def test_the_tree_is_that_of_the_slow_twin(world, values):
    library, rules = world(values)
    agent = walkon.agent("search", library, simulations=1)
    particles = agent._particles(agent.start())
    for depth, few in ((12, 8), (3, 2)):
        effort = Effort(simulations=600, depth=depth, explore=0.5, few=few)
        counts, means = Twin(rules, effort, 11).grow(*particles)
        found = TreeSearch(tuple(rules)).grow(*particles, effort, 11)
        assert list(found.visits) == counts
        assert list(found.values) == pytest.approx(means, rel=1e-9, nan_ok=True)
