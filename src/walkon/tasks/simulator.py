"""A task as a few functions over opaque states: all that beliefs and search use of a task, with tables or without.

This is the seam between a task and everything that plans in it or tracks it by particles. `RuleSimulator` calls a
user's rules, `TableSimulator` reads matrices; any other implementation has to give the same six answers:

    start()                      the first states with their probabilities; None where they are only drawn
    draw_start(luck)             a first state
    outcomes(x, a)               (y, probability, expected reward) for each next state; None where there are too many
    step(x, a, luck)             (y, reward): a next state, the teammates' action drawn inside
    observe(a, y, luck)          an observation after a led to y
    log_likelihood(a, y, z)      the logarithm of the probability of z after a led to y; -inf if z is impossible
    solved(x)                    whether nothing moves or is paid any more
    advice(x)                    the probability of each action, [A], for a helper who knows task and state; or None

A state is any hashable value, an action its number, an observation any hashable value. `luck` is a function of nothing
that returns uniform numbers in [0, 1), such as the method `random` of `random.Random(seed)`. The functions are pure:
equal arguments and equal luck give equal answers, so what they compute may be kept, and is (`MOST_KEPT`).
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from walkon.tasks.chances import Chances
from walkon.tasks.naming import in_order
from walkon.tasks.outline import Outline

Luck: TypeAlias = Callable[[], float]
Outcome: TypeAlias = tuple[Any, float, float]  # the next state, its probability and the expected reward

MOST_OUTCOMES = 64  # of one step, teammates included: beyond, next states are drawn and not listed
MOST_KEPT = 50_000  # answers of each kind that are kept; beyond, all are forgotten
NESTED = 8  # draws that share one uniform number


class Simulator(Protocol):
    """A task as functions over opaque states; the module describes them."""

    @property
    def discount(self) -> float:
        """The discount of the task."""

    @property
    def action_count(self) -> int:
        """The number of actions."""

    def start(self) -> Chances | None:
        """The first states with their probabilities; None where they are only drawn."""

    def draw_start(self, luck: Luck) -> Any:
        """Draw a first state."""

    def outcomes(self, x: Any, a: int) -> Sequence[Outcome] | None:
        """Each next state with its probability and expected reward, the teammates folded in; None if too many."""

    def step(self, x: Any, a: int, luck: Luck) -> tuple[Any, float]:
        """Draw the next state, and return it with the reward."""

    def observe(self, a: int, y: Any, luck: Luck) -> Any:
        """Draw an observation."""

    def log_likelihood(self, a: int, y: Any, z: Any) -> float:
        """The logarithm of the probability of an observation; -inf if it is impossible."""

    def solved(self, x: Any) -> bool:
        """Whether nothing moves or is paid any more."""

    def advice(self, x: Any) -> tuple[float, ...] | None:
        """The probability of each action for a helper who knows task and state; None where there is no advice."""


class Draws(NamedTuple):
    """A distribution that is ready to be drawn from: outcomes in ascending order, and cumulative probabilities."""

    things: tuple[Any, ...]
    upto: tuple[float, ...]
    probabilities: tuple[float, ...]

    @classmethod
    def of(cls, chances: Iterable[tuple[Any, float]]) -> "Draws":
        """Sort a distribution: where outcomes have an order, draws do not depend on that in which rules list them."""
        weights = dict(chances)
        things = tuple(in_order(weights))
        p = tuple(weights[thing] for thing in things)
        return cls(things, tuple(accumulate(p)), p)

    def at(self, number: float) -> int:
        """The place at which the cumulative distribution first exceeds a number in [0, 1)."""
        return min(bisect_right(self.upto, number), len(self.things) - 1)


def draw_each(each: Sequence[Draws], luck: Luck) -> tuple[Any, ...]:
    """Draw one outcome of each of several independent distributions.

    One uniform number serves several draws: what is left of it between two steps of a cumulative distribution is
    uniform, too. So the draw is that from the joint distribution with the outcomes in lexicographic order.
    """
    drawn, number = [], 0.0
    for i, draws in enumerate(each):
        if i % NESTED == 0:
            number = luck()
        at = draws.at(number)
        drawn.append(draws.things[at])
        below = draws.upto[at - 1] if at else 0.0
        number = min(max((number - below) / draws.probabilities[at], 0.0), math.nextafter(1.0, 0.0))
    return tuple(drawn)


class RuleSimulator:
    """The rules that a user wrote, called when they are needed."""

    def __init__(self, outline: Outline) -> None:
        """Keep the rules; none is called yet."""
        self.outline, self.discount = outline, float(outline.value("discount", 0.95))
        self.action_count = len(outline.actions)
        self._mates: dict[Any, tuple[Draws, ...]] = {}
        self._moves: dict[Any, Draws] = {}
        self._sensor: dict[Any, tuple[tuple[Draws, ...], tuple[dict[Any, float], ...]]] = {}
        self._outcomes: dict[Any, tuple[tuple[Outcome, ...], tuple[float, ...]] | None] = {}
        self._advice: dict[Any, tuple[float, ...]] = {}

    def start(self) -> Chances | None:
        """The first states with their probabilities; None where they are only drawn."""
        return None if self.outline.draws_start else self.outline.start()

    def draw_start(self, luck: Luck) -> Any:
        """Draw a first state."""
        if self.outline.draws_start:
            return self.outline.draw_start(np.random.default_rng(int(luck() * 2**53)))
        return draw_each((Draws.of(self.outline.start()),), luck)[0]

    def outcomes(self, x: Any, a: int) -> Sequence[Outcome] | None:
        """Each next state with its probability and expected reward, the teammates folded in; None if too many."""
        found = self._listed(x, a)
        return None if found is None else found[0]

    def step(self, x: Any, a: int, luck: Luck) -> tuple[Any, float]:
        """Draw the next state, and return it with the reward."""
        found = self._listed(x, a)
        if found is not None:
            listed, upto = found
            y, _, reward = listed[min(bisect_right(upto, luck()), len(listed) - 1)]
            return y, reward
        b = self.draw_teammates(x, luck)
        y = self.draw_move(x, a, b, luck)
        return y, self.outline.reward(x, self.outline.actions[a], b, y)

    def draw_teammates(self, x: Any, luck: Luck) -> Any:
        """Draw the teammates' joint action, as the rules write it."""
        drawn = draw_each(self._teammates(x), luck)
        return drawn[0] if self.outline.alone else drawn

    def draw_move(self, x: Any, a: int, b: Any, luck: Luck) -> Any:
        """Draw the next state after a joint action."""
        key = (x, a, b)
        if key not in self._moves:
            _keep(self._moves, key, Draws.of(self.outline.moves(x, self.outline.actions[a], b)))
        moves = self._moves[key]
        return moves.things[moves.at(luck())]

    def observe(self, a: int, y: Any, luck: Luck) -> Any:
        """Draw an observation: a value without parts, or the tuple of its parts."""
        parts, _ = self._sensed(a, y)
        drawn = draw_each(parts, luck)
        return drawn[0] if len(parts) == 1 else drawn

    def log_likelihood(self, a: int, y: Any, z: Any) -> float:
        """The logarithm of the probability of an observation; -inf if it is impossible."""
        _, logs = self._sensed(a, y)
        if len(logs) == 1:
            return logs[0].get(z, -math.inf)
        if not isinstance(z, tuple) or len(z) != len(logs):
            return -math.inf
        return sum([part.get(seen, -math.inf) for part, seen in zip(logs, z, strict=True)])

    def solved(self, x: Any) -> bool:
        """Whether the task is solved: nothing moves or is paid then."""
        return self.outline.solved(x)

    def advice(self, x: Any) -> tuple[float, ...] | None:
        """The probability of each action for a helper who knows task and state; None where there is no advice."""
        if not self.outline.has("advice"):
            return None
        if x not in self._advice:
            advised = dict(self.outline.advice(x))
            _keep(self._advice, x, tuple(advised.get(a, 0.0) for a in self.outline.actions))
        return self._advice[x]

    def _teammates(self, x: Any) -> tuple[Draws, ...]:
        """The action of each teammate, in the order of their list."""
        if x not in self._mates:
            _keep(self._mates, x, tuple(_listed(each, self.outline.theirs) for each in self.outline.each_teammate(x)))
        return self._mates[x]

    def _sensed(self, a: int, y: Any) -> tuple[tuple[Draws, ...], tuple[dict[Any, float], ...]]:
        """The parts of an observation, and the logarithms of their probabilities."""
        key = (a, y)
        if key not in self._sensor:
            parts = self.outline.sensor_parts(self.outline.actions[a], y)
            logs = tuple({z: math.log(p) for z, p in part} for part in parts)
            _keep(self._sensor, key, (tuple(map(Draws.of, parts)), logs))
        return self._sensor[key]

    def _listed(self, x: Any, a: int) -> tuple[tuple[Outcome, ...], tuple[float, ...]] | None:
        """All outcomes of a step with their cumulative probabilities; None if there are too many."""
        key = (x, a)
        if key not in self._outcomes:
            _keep(self._outcomes, key, self._fold(x, a))
        return self._outcomes[key]

    def _fold(self, x: Any, a: int) -> tuple[tuple[Outcome, ...], tuple[float, ...]] | None:
        if math.prod(len(each.things) for each in self._teammates(x)) > MOST_OUTCOMES:
            return None
        total: dict[Any, float] = {}
        paid: dict[Any, float] = {}
        action = self.outline.actions[a]
        for b, p in self.outline.teammates(x):
            for y, q in self.outline.moves(x, action, b):
                total[y] = total.get(y, 0.0) + p * q
                paid[y] = paid.get(y, 0.0) + p * q * self.outline.reward(x, action, b, y)
            if len(total) > MOST_OUTCOMES:
                return None
        listed = tuple((y, total[y], paid[y] / total[y]) for y in in_order(total))
        return listed, tuple(accumulate(p for _, p, _ in listed))


def _listed(chances: Chances, order: Sequence[Hashable]) -> Draws:
    """A distribution over a list, in its order."""
    weights = dict(chances)
    things = tuple(thing for thing in order if thing in weights)
    p = tuple(weights[thing] for thing in things)
    return Draws(things, tuple(accumulate(p)), p)


def _keep(kept: dict[Any, Any], key: Any, answer: Any) -> None:
    """Keep an answer, and forget all others where they have become too many."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = answer
