"""RockSample in compiled form, over beliefs: the rover knows its cell, and each rock is good with its own probability.

Checks tell about one rock each, so rocks stay independent and the belief is exact with one number for each. A state of
these rules is such a belief: the rover's column and row, the last observation (0 bad, 1 good, 2 none), and for each
rock the probability that it is good, in units of 2^-52. The rover is in the column `size` after it has left. So all
states after the same history are equal, and the tree of a search is one of beliefs.

Actions are north, east, south, west, a check of each rock, and sample. The numbers of a task:

    facts: size, rocks, the rover's first column and row; then (column, row) of each rock
    reals: the powers of the discount, from the 0th to the 4 size-th; then for each cell, column by column, and each
           rock the probability that a check from there is right
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import rule_kernel
from walkon.models.luck_kernels import Luck, uniform

ROCKS, KNOWN = 4, 3  # where the rocks begin in facts, and their probabilities in a state
UNIT = 2.0**-52
BAD, GOOD, NONE = 0, 1, 2
LEAVING, SAMPLE, FAULT = 10.0, 10.0, -100.0


@rule_kernel
def right(facts: Ints, reals: Floats, x: Ints, rock: int) -> float:
    """The probability that a check of a rock from the rover's cell is right."""
    return float(reals[4 * facts[0] + 1 + (x[0] * facts[0] + x[1]) * facts[1] + rock])


@rule_kernel
def after_check(p: float, accuracy: float, z: int) -> tuple[float, float]:
    """The probability of an observation, and then that of the rock being good."""
    good = p * (accuracy if z == GOOD else 1.0 - accuracy)
    total = good + (1.0 - p) * (1.0 - accuracy if z == GOOD else accuracy)
    return total, good / total if total > 0.0 else p


@rule_kernel
def rock_here(facts: Ints, x: Ints) -> int:
    """The rock in the rover's cell; -1 if there is none."""
    for i in range(facts[1]):
        if facts[ROCKS + 2 * i] == x[0] and facts[ROCKS + 2 * i + 1] == x[1]:
            return i
    return -1


@rule_kernel
def act(a: int, facts: Ints, x: Ints, y: Ints) -> float:
    """Move or sample: the belief after it, and the expected reward. A check only leaves things as they are."""
    for j in range(KNOWN + facts[1]):
        y[j] = x[j]
    y[2] = NONE
    if x[0] == facts[0]:
        return 0.0
    if a < 4:
        y[0] += (a == 1) - (a == 3)
        y[1] += (a == 0) - (a == 2)
        if y[0] == facts[0]:
            return LEAVING
        if y[0] >= 0 and 0 <= y[1] < facts[0]:
            return 0.0
    elif a < 4 + facts[1]:
        return 0.0
    else:
        rock = rock_here(facts, x)
        if rock >= 0:
            y[KNOWN + rock] = 0
            return float(SAMPLE * (2.0 * UNIT * x[KNOWN + rock] - 1.0))
    y[0] = facts[0]
    return FAULT


@rule_kernel
def step(a: int, facts: Ints, reals: Floats, x: Ints, y: Ints, luck: Luck) -> float:
    """Draw the next belief, and return the expected reward."""
    reward = act(a, facts, x, y)
    rock = a - 4
    if 0 <= rock < facts[1] and x[0] < facts[0]:
        p, accuracy = UNIT * x[KNOWN + rock], right(facts, reals, x, rock)
        good, after = after_check(p, accuracy, GOOD)
        y[2] = GOOD if uniform(luck) < good else BAD
        if y[2] == BAD:
            _, after = after_check(p, accuracy, BAD)
        y[KNOWN + rock] = int(after / UNIT)
    return reward


@rule_kernel
def outcomes(a: int, facts: Ints, reals: Floats, x: Ints, ys: Ints, ps: Floats) -> int:
    """The next beliefs: one for each observation."""
    act(a, facts, x, ys[0])
    ps[0] = 1.0
    rock = a - 4
    if not 0 <= rock < facts[1] or x[0] == facts[0]:
        return 1
    for z in range(2):
        act(a, facts, x, ys[z])
        ps[z], after = after_check(UNIT * x[KNOWN + rock], right(facts, reals, x, rock), z)
        ys[z, 2], ys[z, KNOWN + rock] = z, int(after / UNIT)
    return 2


@rule_kernel
def observe(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints, luck: Luck) -> None:
    """The observation that led to a belief."""
    z[0] = y[2]


@rule_kernel
def likelihood(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints) -> float:
    """Whether it led to the belief."""
    return 1.0 if z[0] == y[2] else 0.0


@rule_kernel
def ends(facts: Ints, reals: Floats, x: Ints) -> bool:
    """Whether the rover has left."""
    return bool(x[0] == facts[0])


@rule_kernel
def at_rock(reals: Floats, p: float, d: int, discount: float) -> tuple[float, float]:
    """What a rock pays at a distance, and the discount afterwards: taken at once, or checked on the spot before."""
    blind, sure = SAMPLE * (2.0 * p - 1.0), discount * SAMPLE * p
    if blind >= sure:
        return reals[d] * blind, reals[d + 1]
    return reals[d] * sure, reals[d + 1] * (p * discount + 1.0 - p)


@rule_kernel
def plan(facts: Ints, reals: Floats, x: Ints) -> float:
    """What a simple plan earns: walk to a rock, check it on the spot, take it if it is good, and so on; then leave.

    The next rock is always the one with which leaving right afterwards pays most.
    """
    n, discount = facts[0], reals[1]
    if x[0] == n:
        return 0.0
    column, row, visited, earned, factor = x[0], x[1], 0, 0.0, 1.0
    while True:
        best, rock, gain, fading = LEAVING * reals[n - 1 - column], -1, 0.0, 1.0
        for i in range(facts[1]):
            p = UNIT * x[KNOWN + i]
            if visited >> i & 1 or p < 0.05:
                continue
            c, r = facts[ROCKS + 2 * i], facts[ROCKS + 2 * i + 1]
            paid, later = at_rock(reals, p, abs(c - column) + abs(r - row), discount)
            total = paid + later * LEAVING * reals[n - 1 - c]
            if total > best:
                best, rock, gain, fading = total, i, paid, later
        if rock < 0:
            return float(earned + factor * best)
        visited |= 1 << rock
        earned += factor * gain
        factor *= fading
        column, row = facts[ROCKS + 2 * rock], facts[ROCKS + 2 * rock + 1]


@rule_kernel
def values(facts: Ints, reals: Floats, x: Ints, v: Floats) -> None:
    """The value of each action if the simple plan follows. A check counts as if it told nothing: search finds more."""
    y, discount, last = np.empty_like(x), reals[1], 4 + facts[1]
    waits = discount * plan(facts, reals, x)
    for a in range(last + 1):
        if 4 <= a < last:
            known = x[KNOWN + a - 4] * UNIT
            v[a] = waits if 0.02 < known < 0.98 else waits - 1.0
        else:
            v[a] = act(a, facts, x, y)
            v[a] += discount * plan(facts, reals, y)


@rule_kernel
def start(facts: Ints, reals: Floats, x: Ints, luck: Luck) -> None:
    """The rover in its first cell; each rock is good with probability 1/2."""
    x[0], x[1], x[2] = facts[2], facts[3], NONE
    for i in range(facts[1]):
        x[KNOWN + i] = int(0.5 / UNIT)
