"""Tag in compiled form. A state is (our cell, the opponent's), in numbers; the opponent's is `CAUGHT` after the catch.

The numbers of a task:

    facts: for each cell, the one north, south, east and west of it (itself, where a wall is); then each one's column
           and row
    reals: the value of each action in each state, if the opponent is seen; then the probability that the opponent moves
           away from us along an axis on which we are not level
"""

from walkon.arrays import Floats, Ints
from walkon.compiled import rule_kernel
from walkon.models.luck_kernels import Luck, uniform

CELLS = CAUGHT = FOUND = 29
CATCH = 4
KEEN = CELLS * CELLS * 5  # where in reals that probability stands
ALONG, LEVEL, STILL = 0.4, 0.2, 0.2  # along an axis; each way of it, where we are level; not to move
PAID, MISSED, MOVE = 10.0, -10.0, -1.0


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
def step(a: int, facts: Ints, reals: Floats, x: Ints, y: Ints, luck: Luck) -> float:
    """We move or catch, and the opponent moves away from where we stood."""
    y[0], y[1] = x[0], x[1]
    if x[1] == CAUGHT:
        return 0.0
    if a == CATCH and x[0] == x[1]:
        y[1] = CAUGHT
        return PAID
    if a != CATCH:
        y[0] = facts[4 * x[0] + a]
    u = uniform(luck)
    for i in range(5):
        chance, there = ways(facts, reals, x[0], x[1], i)
        if chance > 0.0:
            y[1] = there
            u -= chance
            if u < 0.0:
                break
    return MISSED if a == CATCH else MOVE


@rule_kernel
def outcomes(a: int, facts: Ints, reals: Floats, x: Ints, ys: Ints, ps: Floats) -> int:
    """All next states with their probabilities."""
    ys[0, 0], ys[0, 1], ps[0] = x[0], x[1], 1.0
    if x[1] == CAUGHT:
        return 1
    if a == CATCH and x[0] == x[1]:
        ys[0, 1] = CAUGHT
        return 1
    for i in range(5):
        ps[i], ys[i, 1] = ways(facts, reals, x[0], x[1], i)
        ys[i, 0] = x[0] if a == CATCH else facts[4 * x[0] + a]
    return 5


@rule_kernel
def seen(a: int, y: Ints) -> int:
    """What is observed: that we moved onto the opponent, or else our own cell."""
    return FOUND if y[0] == y[1] and a != CATCH else y[0]


@rule_kernel
def observe(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints, luck: Luck) -> None:
    """The observation, which is certain."""
    z[0] = seen(a, y)


@rule_kernel
def likelihood(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints) -> float:
    """The probability of an observation."""
    return 1.0 if z[0] == seen(a, y) else 0.0


@rule_kernel
def ends(facts: Ints, reals: Floats, x: Ints) -> bool:
    """Whether the opponent is caught."""
    return bool(x[1] == CAUGHT)


@rule_kernel
def values(facts: Ints, reals: Floats, x: Ints, v: Floats) -> None:
    """The value of each action, if the opponent is seen."""
    for a in range(5):
        v[a] = 0.0 if x[1] == CAUGHT else reals[(x[0] * CELLS + x[1]) * 5 + a]


@rule_kernel
def start(facts: Ints, reals: Floats, x: Ints, luck: Luck) -> None:
    """Both anywhere."""
    x[0], x[1] = int(uniform(luck) * CELLS), int(uniform(luck) * CELLS)
