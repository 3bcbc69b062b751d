"""Tag in compiled form, over beliefs: our cell is seen, and the opponent is in each cell with its own probability.

A state of these rules is a belief: our cell, the last observation, and for each cell the probability that the opponent
is there, in units of 2^-52. So all states after the same history are equal, and the tree of a search is one of beliefs.
Before the first observation our cell is `UNSEEN`, and both are anywhere; if we then move onto the opponent, the numbers
say where both are. After the catch the last observation is `OVER`.

The numbers of a task:

    facts: for each cell, the one north, south, east and west of it (itself, where a wall is); then each one's column
           and row
    reals: the value of each action in each state, if the opponent is seen; then the probability that the opponent moves
           away from us along an axis on which we are not level
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import rule_kernel
from walkon.models.luck_kernels import Luck, uniform

CELLS = CAUGHT = UNSEEN = FOUND = 29
OVER, NONE = 30, 31  # in the place of the last observation
THEIRS = 2  # where the opponent's cells begin in a state
CATCH = 4
KEEN = CELLS * CELLS * 5  # where in reals that probability stands
ALONG, LEVEL, STILL = 0.4, 0.2, 0.2  # along an axis; each way of it, where we are level; not to move
PAID, MISSED, MOVE = 10.0, -10.0, -1.0
UNIT = 2.0**-52


@rule_kernel
def ways(facts: Ints, reals: Floats, us: int, them: int, i: int) -> tuple[float, int]:
    """The i-th way the opponent may go, of five: how likely it is, and where it leads."""
    if i == 4:
        return STILL, them
    along = 4 * CELLS + (i < 2)  # the row for north and south, the column for east and west
    away = facts[along + 2 * them] - facts[along + 2 * us]
    ahead = 1 if i == 0 or i == 2 else -1
    chance = LEVEL if away == 0 else reals[KEEN] if away * ahead > 0 else ALONG - reals[KEEN]
    return chance, facts[4 * them + i]


@rule_kernel
def both(x: Ints, us: int, them: int) -> float:
    """The probability of two cells."""
    if x[0] != UNSEEN:
        return float(UNIT * x[THEIRS + them])
    if x[1] == FOUND:
        return float(UNIT * x[THEIRS + them]) if us == them else 0.0
    return 1.0 / (CELLS * CELLS)


@rule_kernel
def ours(x: Ints) -> tuple[int, int]:
    """The first of the cells where we may be, and the one after the last."""
    return (0, CELLS) if x[0] == UNSEEN else (x[0], x[0] + 1)


@rule_kernel
def level(x: Ints) -> float:
    """The probability that the opponent is where we are."""
    first, end = ours(x)
    total = 0.0
    for us in range(first, end):
        total += both(x, us, us)
    return total


@rule_kernel
def seen(a: int, us: int, them: int) -> int:
    """What is observed: that we moved onto the opponent, or else our own cell."""
    return FOUND if us == them and a != CATCH else us


@rule_kernel
def after(a: int, facts: Ints, reals: Floats, x: Ints, z: int, y: Ints, p: Floats) -> float:
    """The belief after a move, or a catch that missed, and an observation; return the probability of both."""
    first, end = ours(x)
    total = 0.0
    for i in range(CELLS):
        p[i] = 0.0
    for us in range(first, end):
        to = us if a == CATCH else facts[4 * us + a]
        if z != FOUND and z != to:
            continue
        for them in range(CELLS):
            weight = both(x, us, them)
            if weight == 0.0 or (a == CATCH and us == them):
                continue
            for i in range(5):
                chance, there = ways(facts, reals, us, them, i)
                if seen(a, to, there) == z:
                    p[there] += weight * chance
                    total += weight * chance
    y[0] = z if z != FOUND else UNSEEN if x[0] == UNSEEN else facts[4 * x[0] + a]
    y[1] = z
    for i in range(CELLS):
        y[THEIRS + i] = max(1, int(p[i] / total / UNIT)) if p[i] > 0.0 else 0
    return total


@rule_kernel
def over(us: int, y: Ints) -> None:
    """The belief after a catch."""
    y[0], y[1] = us, OVER
    for i in range(CELLS):
        y[THEIRS + i] = 0


@rule_kernel
def step(a: int, facts: Ints, reals: Floats, x: Ints, y: Ints, luck: Luck) -> float:
    """Draw the next belief, and return the expected reward."""
    if x[1] == OVER:
        over(x[0], y)
        return 0.0
    first, end = ours(x)
    u, us, them = uniform(luck), first, 0
    for i in range(first, end):  # draw the cells of both
        for j in range(CELLS):
            weight = both(x, i, j)
            if weight > 0.0 and u >= 0.0:
                us, them = i, j
                u -= weight
    if a == CATCH:
        caught = level(x)
        if us == them:
            over(us, y)
        else:
            after(a, facts, reals, x, us, y, np.empty(CELLS))
        return caught * PAID + (1.0 - caught) * MISSED
    u, there = uniform(luck), them
    for i in range(5):
        chance, to = ways(facts, reals, us, them, i)
        if chance > 0.0 and u >= 0.0:
            there = to
            u -= chance
    after(a, facts, reals, x, seen(a, facts[4 * us + a], there), y, np.empty(CELLS))
    return MOVE


@rule_kernel
def outcomes(a: int, facts: Ints, reals: Floats, x: Ints, ys: Ints, ps: Floats) -> int:
    """The next beliefs: one for each observation, and one for each cell where the catch may have succeeded."""
    if x[1] == OVER:
        over(x[0], ys[0])
        ps[0] = 1.0
        return 1
    p, count = np.empty(CELLS), 0
    for z in range(CELLS + 1):
        if x[0] != UNSEEN and z != FOUND and z != (x[0] if a == CATCH else facts[4 * x[0] + a]):
            continue
        ps[count] = after(a, facts, reals, x, z, ys[count], p)
        count += ps[count] > 0.0
    first, end = ours(x)
    for us in range(first, end):
        if a == CATCH and both(x, us, us) > 0.0:
            over(us, ys[count])
            ps[count] = both(x, us, us)
            count += 1
    return count


@rule_kernel
def observe(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints, luck: Luck) -> None:
    """The observation that led to a belief."""
    z[0] = y[0] if y[1] == OVER else y[1]


@rule_kernel
def likelihood(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints) -> float:
    """Whether it led to the belief."""
    return 1.0 if z[0] == (y[0] if y[1] == OVER else y[1]) else 0.0


@rule_kernel
def ends(facts: Ints, reals: Floats, x: Ints) -> bool:
    """Whether the opponent is caught."""
    return bool(x[1] == OVER)


@rule_kernel
def values(facts: Ints, reals: Floats, x: Ints, v: Floats) -> None:
    """The mean value of each action, if the opponent were seen from the next step on."""
    first, end = ours(x)
    for a in range(5):
        v[a] = 0.0
    if x[1] == OVER:
        return
    for us in range(first, end):
        for them in range(CELLS):
            weight = both(x, us, them)
            if weight > 0.0:
                for a in range(5):
                    v[a] += weight * reals[(us * CELLS + them) * 5 + a]


@rule_kernel
def start(facts: Ints, reals: Floats, x: Ints, luck: Luck) -> None:
    """Both anywhere."""
    x[0], x[1] = UNSEEN, NONE
    for i in range(CELLS):
        x[THEIRS + i] = 0
