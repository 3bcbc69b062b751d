"""The matrices of a task as rules that compile: a state is its number, and so is an observation.

The numbers of a task begin with the places of its parts (`walkon.tasks.table_rules` makes them):

    facts: X, A; in reals: where P, Q and the start begin; where the matrix O_a of each action begins, [A]; then a flag
           for each state that nothing leaves and that pays nothing, [X]
    reals: the rows of P_0, P_1, ..., those of each O_a that is different from the ones before, Q and the start, whose
           probabilities are cumulative

A row is four numbers, so that one look into memory is mostly enough: the probability of its likeliest entry, the column
of that, where its other entries are, and the reward R (0 in O). The others are pairs, of the probability of all entries
so far and a column; the last probability is infinite.
"""

from walkon.arrays import Floats, Ints
from walkon.compiled import rule_kernel
from walkon.models.luck_kernels import Luck, uniform

HEAD, ROW = 5, 4  # where the matrices O_a are named in facts, and the numbers of a row


@rule_kernel
def draw_entry(at: int, reals: Floats, luck: Luck) -> int:
    """Draw a column from the row that begins at a place."""
    u = uniform(luck)
    if u < reals[at]:
        return int(reals[at + 1])
    other = int(reals[at + 2])
    while reals[other] <= u:
        other += 2
    return int(reals[other + 1])


@rule_kernel
def step(a: int, facts: Ints, reals: Floats, x: Ints, y: Ints, luck: Luck) -> float:
    """Draw the next state; the reward is the one that is expected."""
    at = facts[2] + ROW * (a * facts[0] + x[0])
    y[0] = draw_entry(at, reals, luck)
    return float(reals[at + 3])


@rule_kernel
def observe(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints, luck: Luck) -> None:
    """Draw an observation."""
    z[0] = draw_entry(facts[HEAD + a] + ROW * y[0], reals, luck)


@rule_kernel
def likelihood(a: int, facts: Ints, reals: Floats, y: Ints, z: Ints) -> float:
    """The probability of an observation."""
    at = facts[HEAD + a] + ROW * y[0]
    before, other = reals[at], int(reals[at + 2])
    if reals[at + 1] == z[0]:
        return float(min(before, 1.0))
    while before < 1.0:
        if reals[other + 1] == z[0]:
            return float(min(reals[other], 1.0) - before)
        before = reals[other]
        other += 2
    return 0.0


@rule_kernel
def ends(facts: Ints, reals: Floats, x: Ints) -> bool:
    """Whether nothing leaves the state and it pays nothing."""
    return bool(facts[HEAD + facts[1] + x[0]] == 1)


@rule_kernel
def values(facts: Ints, reals: Floats, x: Ints, v: Floats) -> None:
    """The values of the actions for a helper who observes the state."""
    for a in range(facts[1]):
        v[a] = reals[facts[3] + x[0] * facts[1] + a]


@rule_kernel
def start(facts: Ints, reals: Floats, x: Ints, luck: Luck) -> None:
    """Draw a first state."""
    u, x[0] = uniform(luck), 0
    while x[0] < facts[0] - 1 and reals[facts[4] + x[0]] <= u:
        x[0] += 1


@rule_kernel
def outcomes(a: int, facts: Ints, reals: Floats, x: Ints, ys: Ints, ps: Floats) -> int:
    """All next states with their probabilities."""
    at = facts[2] + ROW * (a * facts[0] + x[0])
    before, column, other, count = 0.0, reals[at + 1], int(reals[at + 2]), 0
    upto = reals[at]
    while True:
        if count < ps.shape[0]:
            ys[count, 0], ps[count] = int(column), min(upto, 1.0) - before
        count += 1
        if upto == float("inf"):
            return count
        before, upto, column = upto, reals[other], reals[other + 1]
        other += 2
