"""Kernels of the best alpha vectors at a belief, where vectors are kept by blocks of states (see `vector_blocks`).

Only the blocks that contain a state of the belief are looked at. The values of their vectors are first approximated:
the entries are rounded to LEVELS + 1 equal steps and summed in float32. The error of such a sum is at most `slack`
steps; so every vector that attains the maximum is among those within twice the slack of the best, and only these are
summed again in float64, state by state in the order of the belief. So the result is the same, to the last bit, as that
of whole vectors in float64. All vectors of the other blocks have one value: the floor's.
"""

import numpy as np
import numpy.typing as npt

from walkon.arrays import Bools, Floats, Ints
from walkon.compiled import kernel
from walkon.models.stacked import Stacked
from walkon.policies.part_kernels import HEAD, find_parts, pairs_of

LEVELS = 2**16 - 1
ROUNDING, TINIEST = 2.0**-24, 2.0**-149  # of float32, relative and absolute

Levels = npt.NDArray[np.uint16]
Singles = npt.NDArray[np.float32]


@kernel
def add_rough_values(
    levels: Levels, rows: Ints, weights: Floats, begin: int, end: int, total: Singles, at: int, n: int
) -> None:
    """Add the approximate values of n vectors to total[at:], in steps.

    Their numbers at the i-th state are levels[rows[i]:]. Four states are added at a time, to load and store the sums
    less often.
    """
    sums = total[at : at + n]
    fours = begin + (end - begin) // 4 * 4
    for j in range(begin, fours, 4):
        a, b = np.float32(weights[j]), np.float32(weights[j + 1])
        c, d = np.float32(weights[j + 2]), np.float32(weights[j + 3])
        p, q = levels[rows[j] : rows[j] + n], levels[rows[j + 1] : rows[j + 1] + n]
        r, s = levels[rows[j + 2] : rows[j + 2] + n], levels[rows[j + 3] : rows[j + 3] + n]
        for i in range(n):
            sums[i] += a * np.float32(p[i]) + b * np.float32(q[i]) + (c * np.float32(r[i]) + d * np.float32(s[i]))
    for j in range(fours, end):
        a, p = np.float32(weights[j]), levels[rows[j] : rows[j] + n]
        for i in range(n):
            sums[i] += a * np.float32(p[i])


@kernel
def rough_values(
    layout: Ints, at: int, entry: int, levels: Levels, pairs: Floats, found: tuple[Ints, Ints, Floats, Ints, int]
) -> Singles:
    """Approximate the values of the vectors of all parts of a belief, in steps; then the floor's, if others have it."""
    rows, places, weights, parts, count = found
    n, N, floor, firsts = pairs.shape[0], layout[at + 1], entry + layout[at + 4], at + HEAD
    size, whole = 0, True  # whether each part has all states
    for i in range(count):
        size += layout[firsts + parts[i, 0] + 1] - layout[firsts + parts[i, 0]]
        whole = whole and parts[i, 2] - parts[i, 1] == n
    low = 0.0
    if size < N or not whole:
        for j in range(n):
            low += pairs[j, 1] * levels[floor + int(pairs[j, 0])]
    rough = np.zeros(size + (size < N), np.float32)
    if size < N:
        rough[size] = low
    k = 0
    for i in range(count):
        g, begin, end = parts[i, 0], parts[i, 1], parts[i, 2]
        vectors = layout[firsts + g + 1] - layout[firsts + g]
        if end - begin < n:
            rest = low
            for j in range(begin, end):
                rest -= weights[j] * levels[floor + int(pairs[places[j], 0])]
            for m in range(k, k + vectors):
                rough[m] = max(rest, 0.0)
        add_rough_values(levels, rows, weights, begin, end, rough, k, vectors)
        k += vectors
    return rough


@kernel
def lowest_rough_value(rough: Singles, pairs: Floats, near: float) -> float:
    """Return the lowest approximate value of a vector that may be the best, or tie with it."""
    top = np.int32(0)
    for bits in rough.view(np.int32):  # floats that are not negative have the order of their bits
        top = max(top, bits)
    n, weight = pairs.shape[0], 0.0
    for j in range(n):
        weight += pairs[j, 1]
    slack = weight * (0.5 + 1.01 * (n / 4 + 9) * ROUNDING * LEVELS)  # the number of successive roundings
    slack += 2.0 * n * LEVELS * TINIEST
    return float(np.array([top]).view(np.float32)[0] - 2.0 * slack - near)


@kernel
def leading_of_one_block(
    N: int, entry: int, levels: Levels, entries: Floats, pairs: Floats, near: float
) -> tuple[Ints, Floats, float, Ints]:
    """Return what `leading` does, where all states are in one block and nothing has to be looked up."""
    n = pairs.shape[0]
    rows, weights = np.empty(n, np.int64), np.empty(n)
    for j in range(n):
        rows[j], weights[j] = entry + int(pairs[j, 0]) * N, pairs[j, 1]
    rough = np.zeros(N, np.float32)
    add_rough_values(levels, rows, weights, 0, n, rough, 0, N)
    bar = lowest_rough_value(rough, pairs, near)
    few, found = np.empty(N, np.int64), 0
    for i in range(N):
        if rough[i] >= bar:
            few[found] = i
            found += 1
    values = np.zeros(found)
    for j in range(n):
        for m in range(found):
            values[m] += weights[j] * entries[rows[j] + few[m]]
    return few[:found], values, -np.inf, np.zeros(1, np.int64)


@kernel
def leading(
    layout: Ints, at: int, entry: int, levels: Levels, entries: Floats, pairs: Floats, near: float
) -> tuple[Ints, Floats, float, Ints]:
    """Return the vectors that may be the best at a belief, and their values; the floor's value; the blocks looked at.

    Vectors whose value ties with the best are among them. The floor's value is minus infinity if no other vectors
    exist or theirs is too low. The belief, a state and its weight in each of the `pairs`, need not sum to one.
    """
    if layout[at + 3] == 0:
        return leading_of_one_block(layout[at + 1], entry, levels, entries, pairs, near)
    n, floor, firsts = pairs.shape[0], entry + layout[at + 4], at + HEAD
    parted = find_parts(layout, at, entry, pairs)
    rows, places, _, parts, count = parted
    rough = rough_values(layout, at, entry, levels, pairs, parted)
    bar = lowest_rough_value(rough, pairs, near)
    few, values, blocks = np.empty(rough.shape[0], np.int64), np.zeros(rough.shape[0]), np.empty(count, np.int64)
    k, found = 0, 0
    for i in range(count):
        g, own, end, before = parts[i, 0], parts[i, 1], parts[i, 2], found
        first, vectors = layout[firsts + g], layout[firsts + g + 1] - layout[firsts + g]
        blocks[i] = g
        for m in range(vectors):
            if rough[k + m] >= bar:
                few[found] = first + m
                found += 1
        k += vectors
        for j in range(n if found > before else 0):
            share = pairs[j, 1]
            if own < end and places[own] == j:
                for m in range(before, found):
                    values[m] += share * entries[rows[own] + few[m] - first]
                own += 1
            else:
                for m in range(before, found):
                    values[m] += share * entries[floor + int(pairs[j, 0])]
    below = -np.inf
    if k < rough.shape[0] and rough[k] >= bar:
        below = 0.0
        for j in range(n):
            below += pairs[j, 1] * entries[floor + int(pairs[j, 0])]
    return few[:found], values[:found], below, blocks


@kernel
def mark_best_actions(
    layout: Ints,
    k: int,
    levels: Levels,
    entries: Floats,
    pairs: Floats,
    near: float,
    actions: Ints,
    tolerance: float,
    chosen: Bools,
) -> int:
    """Mark the actions of all vectors of policy k whose value ties with the best; return how many actions these are."""
    at, first = layout[3 * k], layout[3 * k + 2]
    few, values, below, blocks = leading(layout, at, layout[3 * k + 1], levels, entries, pairs, near)
    best = below
    for value in values:
        best = max(best, value)
    bar = best - tolerance * abs(best)
    for i in range(few.shape[0]):
        if values[i] >= bar:
            chosen[actions[first + few[i]]] = True
    if below >= bar:
        looked = np.zeros(layout[at + 2], np.bool_)
        for g in blocks:
            looked[g] = True
        for g in range(looked.shape[0]):
            if not looked[g]:
                for i in range(layout[at + HEAD + g], layout[at + HEAD + g + 1]):
                    chosen[actions[first + i]] = True
    count = 0
    for marked in chosen:
        count += marked
    return count


@kernel
def probabilities_at(
    belief: Floats,
    layout: Ints,
    levels: Levels,
    entries: Floats,
    near: Floats,
    actions: Ints,
    A: int,
    tolerance: float,
) -> Floats:
    """Return the uniform distribution over the distinct actions of the best vectors of one policy."""
    chosen, shares = np.zeros(A, np.bool_), np.zeros(A)
    count = mark_best_actions(layout, 0, levels, entries, pairs_of(belief), near[0], actions, tolerance, chosen)
    for a in range(A):
        if chosen[a]:
            shares[a] = 1.0 / count
    return shares


@kernel
def first_best_vector(
    belief: Floats, layout: Ints, levels: Levels, entries: Floats, near: Floats, tolerance: float
) -> tuple[int, float]:
    """Return the first vector of one policy whose value ties with the best, and the best value."""
    at = layout[0]
    few, values, below, blocks = leading(layout, at, 0, levels, entries, pairs_of(belief), near[0])
    best = below
    for value in values:
        best = max(best, value)
    bar = best - tolerance * abs(best)
    first = layout[at + 1]
    for i in range(few.shape[0]):
        if values[i] >= bar:
            first = min(first, few[i])
    if below >= bar:
        looked = np.zeros(layout[at + 2], np.bool_)
        for g in blocks:
            looked[g] = True
        for g in range(looked.shape[0]):
            if not looked[g]:
                first = min(first, layout[at + HEAD + g])
                break
    return int(first), best


@kernel
def value_after(
    sensor: Stacked, first_row: int, predicted: Floats, Z: int, layout: Ints, levels: Levels, entries: Floats
) -> float:
    """Return the sum, over the observations, of the best value at what is left of a predicted belief.

    That is sum_z max_i sum_y predicted(y) O(z|y) V_i(y), for the vectors of one policy.
    """
    X = predicted.shape[0]
    ends = np.zeros(Z + 1, np.int64)
    for y in range(X):
        if predicted[y] > 0.0:
            for k in range(sensor.indptr[first_row + y], sensor.indptr[first_row + y + 1]):
                ends[sensor.indices[k] + 1] += 1
    for z in range(Z):
        ends[z + 1] += ends[z]
    pairs, begins = np.empty((ends[Z], 2)), ends.copy()
    for y in range(X):
        if predicted[y] > 0.0:
            for k in range(sensor.indptr[first_row + y], sensor.indptr[first_row + y + 1]):
                z = sensor.indices[k]
                pairs[begins[z], 0], pairs[begins[z], 1] = y, predicted[y] * sensor.data[k]
                begins[z] += 1
    total = 0.0
    for z in range(Z):
        if ends[z + 1] > ends[z]:
            own = pairs[ends[z] : ends[z + 1]]
            _, values, best, _ = leading(layout, layout[0], 0, levels, entries, own, 0.0)
            for value in values:
                best = max(best, value)
            total += best
    return total
