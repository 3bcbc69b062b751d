"""The rules of Night-time Pursuit in compiled form, for rooms of any size (`walkon.tasks.compiled_rules`).

A state is (column, row) of the ad hoc agent and of each teammate, an observation what is up, down, left and right. The
numbers of a task:

    facts: size, teammates, whether walls are seen, the start (0 uniform, 1 corner, 2 corners), whether the corners are
           a capture; then (column, row) of each prey
    reals: noise, the teammates' noise, tremble, discount; then the value of being d moves from the prey that is left
           while the teammates need t more steps, a row of `reach` values for each t
"""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel, view_rule_kernel
from walkon.models.luck_kernels import Luck, uniform

ROOM, PREYS = 5, 4  # where the preys begin in facts, and the values in reals
CAPTURE, STEP = 100.0, -1.0
SOONER = 1e-6  # by how much actions differ that are worth the same


@view_rule_kernel
def captured(facts: Ints, x: Ints) -> bool:
    """Whether there is a predator on every prey."""
    predators = facts[1] + 1
    for p in range(predators):
        found = False
        for i in range(predators):
            found |= x[2 * i] == facts[ROOM + 2 * p] and x[2 * i + 1] == facts[ROOM + 2 * p + 1]
        if not found:
            return False
    return True


@view_rule_kernel
def closest(facts: Ints, x: Ints, busy: int, taken: int) -> tuple[int, int, int]:
    """The closest pair of a teammate and a prey among those that are left, and their distance."""
    mate, prey, shortest = -1, -1, 4 * facts[0]
    for i in range(1, facts[1] + 1):
        for p in range(facts[1] + 1):
            d = abs(x[2 * i] - facts[ROOM + 2 * p]) + abs(x[2 * i + 1] - facts[ROOM + 2 * p + 1])
            if d < shortest and not busy >> i & 1 and not taken >> p & 1:
                mate, prey, shortest = i, p, d
    return mate, prey, shortest


@view_rule_kernel
def moved(size: int, column: int, row: int, move: int) -> tuple[int, int]:
    """The cell that a move leads to: up, down, left, right, stay."""
    if move == 0:
        return column, max(row - 1, 0)
    if move == 1:
        return column, min(row + 1, size - 1)
    if move == 2:
        return max(column - 1, 0), row
    if move == 3:
        return min(column + 1, size - 1), row
    return column, row


@view_rule_kernel
def towards(column: int, row: int, to_column: int, to_row: int) -> int:
    """The next move on the way, columns first."""
    if column != to_column:
        return 3 if to_column > column else 2
    if row != to_row:
        return 1 if to_row > row else 0
    return 4


@view_rule_kernel
def step(a: int, facts: Ints, reals: Floats, x: Ints, y: Ints, luck: Luck) -> float:
    """All predators move at once."""
    if captured(facts, x):
        for j in range(2 * facts[1] + 2):
            y[j] = x[j]
        return 0.0
    y[0], y[1] = x[0], x[1]
    if uniform(luck) >= reals[0]:
        y[0], y[1] = moved(facts[0], x[0], x[1], a)
    busy = taken = 0
    for _ in range(facts[1]):
        i, p, _ = closest(facts, x, busy, taken)
        busy, taken = busy | 1 << i, taken | 1 << p
        move = towards(x[2 * i], x[2 * i + 1], facts[ROOM + 2 * p], facts[ROOM + 2 * p + 1])
        if reals[2] > 0.0 and uniform(luck) < reals[2]:
            move = int(uniform(luck) * 5)
        y[2 * i], y[2 * i + 1] = x[2 * i], x[2 * i + 1]
        if reals[1] == 0.0 or uniform(luck) >= reals[1]:
            y[2 * i], y[2 * i + 1] = moved(facts[0], x[2 * i], x[2 * i + 1], move)
    return CAPTURE if captured(facts, y) else STEP


@view_rule_kernel
def share_out(predator: int, to_column: int, to_row: int, noise: float, count: int, ys: Ints, ps: Floats) -> int:
    """Move one predator in all outcomes so far, or not where its move fails; return how many there are now."""
    here = ys[0, 2 * predator] == to_column and ys[0, 2 * predator + 1] == to_row
    if noise > 0.0 and not here:
        for i in range(count):
            for j in range(ys.shape[1]):
                ys[count + i, j] = ys[i, j]
            ps[count + i] = ps[i] * noise
            ps[i] *= 1.0 - noise
    for i in range(count):
        ys[i, 2 * predator], ys[i, 2 * predator + 1] = to_column, to_row
    return 2 * count if noise > 0.0 and not here else count


@view_rule_kernel
def outcomes(a: int, facts: Ints, reals: Floats, x: Ints, ys: Ints, ps: Floats) -> int:
    """All next states with their probabilities; too many where teammates tremble."""
    for j in range(2 * facts[1] + 2):
        ys[0, j] = x[j]
    ps[0] = 1.0
    if captured(facts, x):
        return 1
    if reals[2] > 0.0 or (2 << facts[1] if reals[1] > 0.0 else 2) > ps.shape[0]:
        return int(ps.shape[0] + 1)
    column, row = moved(facts[0], x[0], x[1], a)
    count = share_out(0, column, row, reals[0], 1, ys, ps)
    busy = taken = 0
    for _ in range(facts[1]):
        i, p, _ = closest(facts, x, busy, taken)
        busy, taken = busy | 1 << i, taken | 1 << p
        move = towards(x[2 * i], x[2 * i + 1], facts[ROOM + 2 * p], facts[ROOM + 2 * p + 1])
        column, row = moved(facts[0], x[2 * i], x[2 * i + 1], move)
        count = share_out(i, column, row, reals[1], count, ys, ps)
    return count


@view_rule_kernel
def things(facts: Ints, y: Ints, side: int) -> tuple[int, bool, bool]:
    """How many teammates there are next to the agent on one side, and whether a prey, or the wall."""
    column, row = y[0], y[1]
    column += (side == 3) - (side == 2)
    row += (side == 1) - (side == 0)
    mates, prey = 0, False
    for i in range(1, facts[1] + 1):
        mates += y[2 * i] == column and y[2 * i + 1] == row
    for p in range(facts[1] + 1):
        prey |= facts[ROOM + 2 * p] == column and facts[ROOM + 2 * p + 1] == row
    return mates, prey, column < 0 or row < 0 or column >= facts[0] or row >= facts[0]


@view_rule_kernel
def alone(facts: Ints, y: Ints) -> bool:
    """Whether there is nothing next to the agent."""
    last, next_to = facts[0] - 1, False
    for i in range(1, facts[1] + 1):
        next_to |= abs(y[2 * i] - y[0]) + abs(y[2 * i + 1] - y[1]) == 1
    for p in range(facts[1] + 1):
        next_to |= abs(facts[ROOM + 2 * p] - y[0]) + abs(facts[ROOM + 2 * p + 1] - y[1]) == 1
    inside = 0 < y[0] < last and 0 < y[1] < last
    return not next_to and (inside or facts[2] == 0)


@view_rule_kernel
def observe(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints, luck: Luck) -> None:
    """Draw what is observed on each side: nothing, a teammate, a prey or the wall."""
    if alone(facts, y):
        z[0] = z[1] = z[2] = z[3] = 0
        return
    for side in range(4):
        mates, prey, wall = things(facts, y, side)
        z[side] = 0
        if wall and facts[2] == 1:
            z[side] = 3 * (uniform(luck) >= reals[0])
        if mates > 0 and uniform(luck) >= reals[0] ** mates:
            z[side] = 1
        elif prey and uniform(luck) >= reals[0]:
            z[side] = 2


@view_rule_kernel
def likelihood(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints) -> float:
    """The probability of an observation."""
    if alone(facts, y):
        return 1.0 if z[0] + z[1] + z[2] + z[3] == 0 else 0.0
    total = 1.0
    for side in range(4):
        mates, prey, wall = things(facts, y, side)
        missed, prey_missed = reals[0] ** mates, reals[0] if prey else 1.0
        if wall:
            seen = 1.0 - reals[0] if facts[2] == 1 else 0.0
            total *= seen if z[side] == 3 else 1.0 - seen if z[side] == 0 else 0.0
        elif z[side] == 0:
            total *= missed * prey_missed
        elif z[side] == 1:
            total *= 1.0 - missed
        elif z[side] == 2:
            total *= missed * (1.0 - prey_missed)
        else:
            total = 0.0
    return total


@view_rule_kernel
def ends(facts: Ints, reals: Floats, x: Ints) -> bool:
    """Whether the preys are captured."""
    return captured(facts, x)


@view_rule_kernel
def values(facts: Ints, reals: Floats, x: Ints, v: Floats) -> None:
    """The value of each action for an agent that sees everything: it goes to the prey that the teammates leave.

    It goes there at once, even where it has so much time that this makes no difference, and then it stays.
    """
    busy, taken, slowest = 0, 0, 0
    for _ in range(facts[1]):
        i, p, d = closest(facts, x, busy, taken)
        busy, taken, slowest = busy | 1 << i, taken | 1 << p, max(slowest, d)
    left = 0
    while taken >> left & 1:
        left += 1
    column, row, reach = facts[ROOM + 2 * left], facts[ROOM + 2 * left + 1], 2 * facts[0] - 1
    d = abs(x[0] - column) + abs(x[1] - row)
    t, over = max(slowest - 1, 0), d == 0 and slowest == 0
    stays = worth(reals, reach, t, d)
    for a in range(5):
        c, r = moved(facts[0], x[0], x[1], a)
        e = abs(c - column) + abs(r - row)
        v[a] = 0.0 if over else (1.0 - reals[0]) * worth(reals, reach, t, e) + reals[0] * stays
        v[a] -= SOONER * (2 * e + (a < 4))


@view_rule_kernel
def worth(reals: Floats, reach: int, t: int, d: int) -> float:
    """The reward of a step that leads to (t, d), and what comes after it."""
    return CAPTURE if t + d == 0 else STEP + reals[3] * reals[PREYS + t * reach + d]


@view_rule_kernel
def start(facts: Ints, reals: Floats, x: Ints, luck: Luck) -> None:
    """Draw the first cells, until they are no capture."""
    n = facts[0]
    while True:
        for j in range(2 * facts[1] + 2):
            x[j] = int(uniform(luck) * n) if facts[3] == 0 or (facts[3] == 1 and j > 1) else 0
            if facts[3] == 2 and j > 1 and facts[4] == 0:
                x[j] = n - 1
        if facts[3] == 2 or not captured(facts, x):
            return


@kernel
def fill_values(noise: float, discount: float, reach: int) -> Floats:
    """The values of (t, d) for all t and d up to 2 (n - 1), row by row."""
    v = np.zeros(reach * reach)
    for t in range(reach):
        for d in range(reach):
            if t + d == 0:
                continue
            s = max(t - 1, 0)
            goes = CAPTURE if s + max(d - 1, 0) == 0 else STEP + discount * v[s * reach + max(d - 1, 0)]
            if d == 0:
                v[t * reach] = goes
            elif t == 0:
                v[d] = ((1.0 - noise) * goes + noise * STEP) / (1.0 - noise * discount)
            else:
                stays = STEP + discount * v[s * reach + d]
                v[t * reach + d] = (1.0 - noise) * goes + noise * stays
    return v
