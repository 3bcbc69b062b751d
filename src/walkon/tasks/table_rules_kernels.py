"""The matrices of a task as rules that compile: a state is its number, and so is an observation.

The numbers of a task begin with the places of its parts (`walkon.tasks.table_rules` makes them):

    facts: X, A, where the rows of P begin, its columns, the rows of O, its columns; in reals: where R, Q and the start
           begin; then a flag for each state that nothing leaves and that pays nothing
    reals: the cumulative probabilities of all rows of P_0, P_1, ...; those of O_0, O_1, ...; R, Q; the start's
"""

from walkon.arrays import Floats, Ints
from walkon.compiled import rule_kernel
from walkon.models.luck_kernels import Luck, uniform

HEAD = 9


@rule_kernel
def draw_row(rows: int, columns: int, row: int, facts: Ints, reals: Floats, luck: Luck) -> int:
    """Draw a column of a row of a matrix."""
    at, end, u = facts[rows + row], facts[rows + row + 1], uniform(luck)
    while at < end - 1 and reals[at] <= u:
        at += 1
    return int(facts[columns + at])


@rule_kernel
def step(a: int, facts: Ints, reals: Floats, x: Ints, y: Ints, luck: Luck) -> float:
    """Draw the next state; the reward is the one that is expected."""
    y[0] = draw_row(facts[2], facts[3], a * facts[0] + x[0], facts, reals, luck)
    return float(reals[facts[6] + x[0] * facts[1] + a])


@rule_kernel
def observe(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints, luck: Luck) -> None:
    """Draw an observation."""
    z[0] = draw_row(facts[4], facts[5], a * facts[0] + y[0], facts, reals, luck)


@rule_kernel
def likelihood(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints) -> float:
    """The probability of an observation."""
    row = facts[4] + a * facts[0] + y[0]
    below = 0.0
    for at in range(facts[row], facts[row + 1]):
        if facts[facts[5] + at] == z[0]:
            return float(reals[at] - below)
        below = reals[at]
    return 0.0


@rule_kernel
def ends(facts: Ints, reals: Floats, x: Ints) -> bool:
    """Whether nothing leaves the state and it pays nothing."""
    return bool(facts[HEAD + x[0]] == 1)


@rule_kernel
def values(facts: Ints, reals: Floats, x: Ints, v: Floats) -> None:
    """The values of the actions in the task's MDP."""
    for a in range(facts[1]):
        v[a] = reals[facts[7] + x[0] * facts[1] + a]


@rule_kernel
def start(facts: Ints, reals: Floats, x: Ints, luck: Luck) -> None:
    """Draw a first state."""
    u, x[0] = uniform(luck), 0
    while x[0] < facts[0] - 1 and reals[facts[8] + x[0]] <= u:
        x[0] += 1


@rule_kernel
def outcomes(a: int, facts: Ints, reals: Floats, x: Ints, ys: Ints, ps: Floats) -> int:
    """All next states with their probabilities."""
    row = facts[2] + a * facts[0] + x[0]
    below, count = 0.0, facts[row + 1] - facts[row]
    if count <= ps.shape[0]:
        for i in range(count):
            at = facts[row] + i
            ys[i, 0], ps[i] = facts[facts[3] + at], reals[at] - below
            below = reals[at]
    return int(count)
