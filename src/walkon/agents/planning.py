"""A search in the tree of actions and observations, from a belief over tasks and their states, by simulation.

The kind of search is that of POMCPOW (Sunberg and Kochenderfer 2018). A simulation draws a task and a state from the
belief and walks down the tree: at each node it tries an action, draws the next state and an observation, and goes on in
the branch of that observation. A new leaf is valued by a roll-out. A node is valued by the action that was tried most
there, and an action by its mean reward and the values of its branches, as often as they were entered: what exploring
earned does not count.

- Observations may be many. An action that was tried n times has at most WIDTH n^GROWTH branches. When a simulation
  makes an observation beyond that, it goes on in an existing branch z, from a state that is drawn anew among all next
  states y that simulations reached by this action, with weights proportional to O(z|a, y). So a branch holds a belief,
  and not only the state that made it: nothing is planned as if the state were known at the next step.
- An observation that has a branch is followed with the state that made it: it is drawn from the same belief. Where
  observations are few, all have branches, and the values become those of exhaustive expectimax.
- Tasks may discount differently. Weights are then also multiplied by the task's discount.
- Actions are chosen by q + explore * scale * sqrt(share * log(N) / (n + 1)), the scale being the range of all values so
  far. The share is 1 without advice; with it, most falls on what helpers would do who knew the task and the state, in
  the states that came to the node.
- A roll-out with advice pays for not knowing: the helper follows the advice for a guess, drawn from the branch's
  belief, and finds out the truth only as far as the observations on the way tell the two apart. Without advice, actions
  are drawn uniformly.

Everything follows from the luck. The tree is thrown away after the decision.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from walkon.tasks.simulator import Luck, Simulator

WIDTH, GROWTH = 1.0, 0.5
AT_ONCE = 8  # states that a branch weighs in one visit
ADVISED = 0.8  # how much of the exploration falls on the advised actions

Particle: TypeAlias = tuple[int, Any]  # a task and a state


class Plan(NamedTuple):
    """What a search found out about the actions."""

    values: tuple[float, ...]  # [A]; NaN for an action that was not tried
    visits: tuple[int, ...]  # [A]
    simulations: int
    steps: int  # of the model, in the tree and in roll-outs

    @property
    def action(self) -> int:
        """The action that was tried most, and of several the one with the highest value."""
        return max(range(len(self.visits)), key=lambda a: (self.visits[a], self.values[a] if self.visits[a] else 0.0))


class Node:
    """A history of actions and observations: how often it came about, and what followed."""

    __slots__ = (
        "advice", "branches", "count", "ended", "entered", "guessed", "log", "made", "members", "seen", "total", "upto",
        "value", "values", "visits",
    )  # fmt: skip

    def __init__(self, actions: int, member: Particle | None = None, made: int = 0, log: float = 0.0) -> None:
        """Begin with the state that made the observation, its place among those reached, and its log likelihood."""
        self.branches: list[Branches | None] = [None] * actions
        self.visits = [0] * actions
        self.values = [0.0] * actions
        self.advice = [0.0] * actions
        self.total, self.seen, self.made = 0, 0, made
        self.count, self.ended = 0, 0  # how often it was entered, and how often nothing followed
        self.entered, self.value, self.guessed = 0.0, 0.0, 0.0  # the discounts so far; its value; that of the roll-out
        self.members: list[Particle] = [] if member is None else [member]
        self.upto, self.log = [1.0] * (member is not None), log  # cumulative weights, relative to exp(log)

    def best(self) -> int:
        """The action that was tried most, and of several the one with the highest value."""
        return max(range(len(self.visits)), key=lambda a: (self.visits[a], self.values[a]))


class Branches:
    """What followed an action at a node: the states that were reached, and a node for each observation."""

    __slots__ = ("future", "nodes", "order", "paid", "reached")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.reached: list[Particle] = []
        self.nodes: dict[Any, Node] = {}
        self.order: list[tuple[Any, Node]] = []
        self.paid, self.future = 0.0, 0.0  # all rewards; the discounted values of all nodes, as often as entered


@dataclass(eq=False)
class Search:
    """One search: its tasks, options and luck, and the range of values so far."""

    simulators: Sequence[Simulator]
    depth: int
    explore: float
    luck: Luck
    late: Callable[[], bool]  # whether no time is left

    def __post_init__(self) -> None:
        self.actions = self.simulators[0].action_count
        self.low, self.high, self.steps = math.inf, -math.inf, 0
        largest = max(each.discount for each in self.simulators)
        self.fading = [each.discount / largest if largest else 1.0 for each in self.simulators]

    def simulate(self, root: Node, k: int, x: Any) -> None:
        """Walk down the tree from a task and a state, and average what was earned on the way back."""
        node, path = root, list[tuple[Node, int, float, Node, float]]()
        while len(path) < self.depth and not self.simulators[k].solved(x) and not (path and self.late()):
            rules = self.simulators[k]
            a = self.choose(node, rules.advice(x))
            y, reward = rules.step(x, a, self.luck)
            self.steps += 1
            tried = node.branches[a]
            if tried is None:
                tried = node.branches[a] = Branches()
            tried.reached.append((k, y))
            z = rules.observe(a, y, self.luck)
            after, new = tried.nodes.get(z), False
            if after is None and len(tried.nodes) < WIDTH * (node.visits[a] + 1) ** GROWTH:
                after, new = Node(self.actions, (k, y), len(tried.reached) - 1, rules.log_likelihood(a, y, z)), True
                tried.nodes[z] = after
                tried.order.append((z, after))
                after.guessed = self.roll_out((k, y), self.draw(tried, after, a, z), self.depth - len(path) - 1)
            elif after is None:
                z, after = self.pick(tried)
                k, y = self.draw(tried, after, a, z)
            path.append((node, a, reward, after, rules.discount))
            after.count += 1
            node, x = after, y
            if new:
                break
        else:
            node.ended += 1
        for node, a, reward, after, discount in reversed(path):
            self.learn(node, a, reward, after, discount)

    def learn(self, node: Node, a: int, reward: float, after: Node, discount: float) -> None:
        """Count a step from one node to another, and value both anew."""
        tried = node.branches[a]
        assert tried is not None
        tried.future -= after.entered * after.value
        after.entered += discount
        lively = after.count - after.ended - 1  # beyond the first, whose value is that of the roll-out
        after.value = (after.guessed + max(lively, 0) * after.values[after.best()]) / after.count
        tried.future += after.entered * after.value
        tried.paid += reward
        node.total += 1
        node.visits[a] += 1
        node.values[a] = value = (tried.paid + tried.future) / node.visits[a]
        self.low, self.high = min(self.low, value), max(self.high, value)

    def choose(self, node: Node, advice: tuple[float, ...] | None) -> int:
        """Choose the action to try: one that seems good, or has been tried little."""
        N, scale = node.total, self.high - self.low
        width = self.explore * (scale if 0 < scale < math.inf else 1.0) * math.sqrt(math.log(N + 2))
        mean = sum(v * n for v, n in zip(node.values, node.visits, strict=True)) / N if N else 0.0
        if advice is not None:
            for a, p in enumerate(advice):
                node.advice[a] += p
        followed = sum(node.advice)
        best, at = -math.inf, 0
        for a, n in enumerate(node.visits):
            share = 1.0
            if followed:
                share = 1 - ADVISED + ADVISED * self.actions * node.advice[a] / followed
            score = (node.values[a] if n else mean) + width * math.sqrt(share / (n + 1))
            if score > best:
                best, at = score, a
        return at

    def pick(self, tried: Branches) -> tuple[Any, Node]:
        """Draw one of the branches, in proportion to how often it was entered."""
        at = self.luck() * sum(node.count for _, node in tried.order)
        for z, node in tried.order:
            at -= node.count
            if at < 0:
                return z, node
        return tried.order[-1]

    def draw(self, tried: Branches, node: Node, a: int, z: Any) -> Particle:
        """Draw a state from the belief of a branch, after weighing some more of the states that were reached."""
        upto = node.upto
        for i in range(node.seen, min(node.seen + AT_ONCE, len(tried.reached))):
            node.seen, (k, y) = i + 1, tried.reached[i]
            log = self.simulators[k].log_likelihood(a, y, z)
            if log == -math.inf or i == node.made:
                continue
            if log > node.log:
                upto[:] = [w * math.exp(node.log - log) for w in upto]
                node.log = log
            upto.append(upto[-1] + math.exp(log - node.log) * self.fading[k])
            node.members.append((k, y))
        return node.members[min(bisect_right(upto, self.luck() * upto[-1]), len(upto) - 1)]

    def roll_out(self, truth: Particle, guess: Particle, depth: int) -> float:
        """Play on from a state, and return what is earned: by the advice for a guess, or at random."""
        earned, factor, doubt, (k, x) = 0.0, 1.0, 0.0, truth
        rules, patience = self.simulators[k], math.log(max(self.luck(), 1e-300))
        fooled = guess != truth
        for _ in range(depth):
            if rules.solved(x) or self.late():
                break
            if fooled and (doubt < patience or self.simulators[guess[0]].solved(guess[1])):
                fooled = False
            believed, state = (self.simulators[guess[0]], guess[1]) if fooled else (rules, x)
            advice = believed.advice(state)
            a = int(self.luck() * self.actions) if advice is None else _drawn(advice, self.luck())
            x, reward = rules.step(x, a, self.luck)
            self.steps += 1
            earned += factor * reward
            factor *= rules.discount
            if fooled and advice is not None:
                y, _ = believed.step(state, a, self.luck)
                z = rules.observe(a, x, self.luck)
                doubt += min(believed.log_likelihood(a, y, z) - rules.log_likelihood(a, x, z), 700.0)
                guess = (guess[0], y)
        return earned


def _drawn(advice: tuple[float, ...], number: float) -> int:
    """Draw an action by a uniform number."""
    last = 0
    for a, p in enumerate(advice):
        if p > 0:
            number -= p
            last = a
            if number < 0:
                break
    return last


def plan(
    simulators: Sequence[Simulator],
    belief: Sequence[tuple[int, Any, float]],
    luck: Luck,
    *,
    depth: int,
    explore: float,
    more: Callable[[int], bool],
    late: Callable[[], bool] = lambda: False,
) -> Plan:
    """Search from a belief.

    Args:
        simulators: The tasks, [K].
        belief: Tasks and states with their weights, which need not sum to 1.
        luck: Uniform numbers.
        depth: How many steps are looked ahead, roll-outs included.
        explore: How wide the confidence bounds are.
        more: Is called with the number of simulations so far; the search ends when it returns False.
        late: Is called at each step; when it returns True, the simulation ends where it is.
    """
    upto = list(accumulate(w for _, _, w in belief))
    search, root, done = Search(simulators, depth, explore, luck, late), Node(simulators[0].action_count), 0
    while more(done):
        k, x, _ = belief[min(bisect_right(upto, luck() * upto[-1]), len(upto) - 1)]
        search.simulate(root, k, x)
        done += 1
    values = tuple(v if n else math.nan for v, n in zip(root.values, root.visits, strict=True))
    return Plan(values, tuple(root.visits), done, search.steps)
