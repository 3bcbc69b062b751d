"""A belief over the states of one task without a list of its states: exact while its support is small, else particles.

The belief is a set of different states with weights. One step expands every state into all its outcomes, adds up equal
ones and multiplies by the likelihood of the observation:

    joint(y) = sum_x b(x) P(y|x, a) O(z|a, y),    evidence = sum_y joint(y)

Nothing is approximate as long as the support fits under the cap; the belief is then "exact". Where it does not fit, it
is reduced to as many states as the cap allows ("particles"), by the scheme of Fearnhead and Clifford (2003): with c
such that sum_y min(1, w(y)/c) is the cap, states with w >= c stay as they are, the others survive with probability w/c
and then weigh c. Weights keep their expectation, so the product of the evidences is an unbiased estimate of the
probability of all observations. A step with more outcomes than can be listed is drawn instead, which keeps that too.

If no particle explains an observation, nothing is known about the task: only an exact belief can refute it.
"""

import math
import sys
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from walkon.agents.memory import Percept
from walkon.arrays import Floats
from walkon.tasks.simulator import Luck, Simulator

SMALLEST = sys.float_info.min  # the weight of what is possible, but too improbable for a float
Kind: TypeAlias = Literal["exact", "particles", "factored"]


class SparseBelief(NamedTuple):
    """States of one task with their weights.

    Attributes:
        states: Different states.
        weights: Their probabilities, which sum to 1.
        kind: Whether it is "exact" or "particles". ("factored" is for rules whose parts are independent.)
        approximate: Whether its particles once ran out, so that the evidence is no longer unbiased.
    """

    states: tuple[Any, ...]
    weights: Floats
    kind: Kind = "exact"
    approximate: bool = False

    @property
    def probabilities(self) -> dict[Any, float]:
        """The probability of each state that it holds possible."""
        return dict(zip(self.states, self.weights.tolist(), strict=True))


def begin(simulator: Simulator, most: int, luck: Luck) -> SparseBelief:
    """The belief before the first action; drawn where the rules only draw the first state."""
    listed = simulator.start()
    if listed is not None:
        return kept(dict(listed), most, luck, "exact")
    drawn: dict[Any, float] = {}
    for _ in range(most):
        x = simulator.draw_start(luck)
        drawn[x] = drawn.get(x, 0.0) + 1 / most
    return kept(drawn, most, luck, "particles")


def certain(state: Any) -> SparseBelief:
    """The belief of an agent that sees the state."""
    return SparseBelief((state,), np.ones(1))


def advance(
    simulator: Simulator, belief: SparseBelief, action: int, percept: Percept, most: int, luck: Luck
) -> tuple[SparseBelief | None, float]:
    """Return the belief after an action and a percept, and the logarithm of the evidence; None if nothing explains it.

    Args:
        simulator: The task.
        belief: The belief before.
        action: The action that was executed.
        percept: The observation, weights for several, or nothing.
        most: How many states the belief may hold.
        luck: Uniform numbers; used only where something is drawn.
    """
    moved, kind = _moved(simulator, belief, action, most, luck)
    logs = {y: _log_likelihood(simulator, action, y, percept) for y in moved}
    top = max(logs.values())
    if top == -math.inf:
        return None, -math.inf
    possible = {y: p for y, p in moved.items() if logs[y] > -math.inf}
    joint = {y: max(p * math.exp(logs[y] - top), SMALLEST) for y, p in possible.items()}
    total = math.fsum(joint.values())
    after = kept({y: w / total for y, w in joint.items()}, most, luck, kind)
    return after._replace(approximate=belief.approximate), top + math.log(total)


def _moved(
    simulator: Simulator, belief: SparseBelief, action: int, most: int, luck: Luck
) -> tuple[dict[Any, float], Kind]:
    """Return the next states with their weights, and what kind of belief they are."""
    moved: dict[Any, float] = {}
    kind = belief.kind
    for x, w in zip(belief.states, belief.weights.tolist(), strict=True):
        listed = simulator.outcomes(x, action)
        if listed is None:
            kind = "particles"
            times = max(1, round(most * w))
            for _ in range(times):
                y, _ = simulator.step(x, action, luck)
                moved[y] = moved.get(y, 0.0) + w / times
        else:
            for y, p, _ in listed:
                moved[y] = moved.get(y, 0.0) + w * p
    return moved, kind


def _log_likelihood(simulator: Simulator, action: int, y: Any, percept: Percept) -> float:
    """Return the logarithm of the probability of a percept; 0 where nothing was sensed."""
    if percept.observation is not None:
        return simulator.log_likelihood(action, y, percept.observation)
    if isinstance(percept.likelihood, Mapping):
        soft = sum(w * math.exp(simulator.log_likelihood(action, y, z)) for z, w in percept.likelihood.items())
        return math.log(soft) if soft > 0 else -math.inf
    return 0.0


def kept(weights: dict[Any, float], most: int, luck: Luck, kind: Kind) -> SparseBelief:
    """Make a belief of weights that sum to one, with at most so many states."""
    states, w = tuple(weights), np.array(list(weights.values()))
    if len(states) > most:
        chosen, w = reduced(w, most, luck())
        states, kind = tuple(states[i] for i in chosen), "particles"
    return SparseBelief(states, w / w.sum(), kind)


def reduced(weights: Floats, most: int, number: float) -> tuple[list[int], Floats]:
    """Choose so many of the weights that each keeps its expectation; return their places and their new values.

    >>> places, kept = reduced(np.array([0.6, 0.1, 0.1, 0.1, 0.1]), 3, 0.5)
    >>> places, kept.tolist()
    ([0, 2, 4], [0.6, 0.2, 0.2])
    """
    order = np.argsort(-weights, kind="stable")
    rest = np.cumsum(weights[order][::-1])[::-1]  # what those from each place on weigh together
    stays = weights[order[: most - 1]] * np.arange(most, 1, -1) >= rest[: most - 1]
    sure = len(stays) if stays.all() else int(np.argmin(stays))  # the largest, which stay as they are
    c = rest[sure] / (most - sure)
    kept = weights.copy()
    small = np.ones(len(weights), dtype=np.bool_)
    small[order[:sure]] = False
    kept[small] = 0.0
    marks = (np.arange(most - sure) + number) * c  # one in each interval of length c
    among = np.flatnonzero(small)
    chosen = np.searchsorted(np.cumsum(weights[small]), marks, side="right")
    kept[among[np.minimum(chosen, len(among) - 1)]] = c
    places = np.flatnonzero(kept)
    return places.tolist(), kept[places]
