"""The belief update as one pass over the non-zeros. Kernels: plain arrays in, plain arrays out."""

import numpy as np

from walkon.compiled import kernel
from walkon.models.distributions import Floats, Ints
from walkon.models.stacked import Stacked


@kernel
def support(belief: Floats, begin: int, end: int, found: Ints) -> int:
    """Put the places from `begin` to `end` that have belief into `found`, and say how many there are.

    Most have none; so blocks of 32 are asked first whether any has: whether any bit of their numbers is set.
    """
    bits = belief.view(np.int64)
    whole = begin + (end - begin) // 32 * 32
    count = 0
    for block in range(begin, whole, 32):
        some = np.int64(0)
        for i in range(32):
            some |= bits[block + i]
        if some != 0:
            for x in range(block, block + 32):
                if belief[x] > 0.0:
                    found[count] = x
                    count += 1
    for x in range(whole, end):
        if belief[x] > 0.0:
            found[count] = x
            count += 1
    return count


@kernel
def predict(transitions: Stacked, belief: Floats, action: int) -> Floats:
    """The belief after an action and before its reading: sum_x b(x) P_a(.|x)."""
    X = belief.shape[0]
    predicted = np.zeros(X)
    for x in range(X):
        weight = belief[x]
        if weight > 0.0:
            row = action * X + x
            for i in range(transitions.indptr[row], transitions.indptr[row + 1]):
                predicted[transitions.indices[i]] += weight * transitions.data[i]
    return predicted


@kernel
def entry(rows: Stacked, row: int, column: int) -> float:
    """One entry of a matrix whose rows are sorted, zero if it is not there: long rows are halved, short ones walked."""
    low, high = rows.indptr[row], rows.indptr[row + 1]
    while high - low > 8:
        middle = (low + high) // 2
        if rows.indices[middle] <= column:
            low = middle
        else:
            high = middle
    for i in range(low, high):
        if rows.indices[i] == column:
            return float(rows.data[i])
    return 0.0


@kernel
def condition_into(
    transitions: Stacked,
    readings: Stacked,
    first: int,
    belief: Floats,
    begin: int,
    end: int,
    observation: int,
    after: Floats,
    places: Ints,
) -> float:
    """Put the posterior (1/rho) sum_x b(x) P_a(y|x) O_a(z|y) of the states from `begin` to `end` into `after`.

    Returns rho; where that is zero, nothing is put. Row first + x of the stacks belongs to state x. `after` is zero
    there before, and `places` is scratch. Only states that have belief and those that they lead to are looked at.
    """
    size = support(belief, begin, end, places)
    reached = size
    for j in range(size):
        x = places[j]
        for i in range(transitions.indptr[first + x], transitions.indptr[first + x + 1]):
            y = transitions.indices[i]
            if after[y] == 0.0:
                places[reached] = y
                reached += 1
            after[y] += belief[x] * transitions.data[i]
    rho = 0.0
    for j in range(size, reached):
        y = places[j]
        after[y] *= entry(readings, first + y, observation)
        rho += after[y]
    if rho > 0.0:
        for j in range(size, reached):
            after[places[j]] /= rho
    return rho


@kernel
def condition(
    transitions: Stacked, readings: Stacked, belief: Floats, action: int, observation: int
) -> tuple[Floats, float]:
    """The posterior of one model, and the probability of the observation; the belief as it was where that is zero."""
    X = belief.shape[0]
    after = np.zeros(X)
    places = np.empty(2 * X, np.int64)
    rho = condition_into(transitions, readings, action * X, belief, 0, X, observation, after, places)
    return (after if rho > 0.0 else belief.copy()), rho
