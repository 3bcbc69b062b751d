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
from walkon.policies.part_kernels import HEAD, find_parts, pairs_of

LEVELS = 2**16 - 1
ROUNDING, TINIEST = 2.0**-24, 2.0**-149  # of float32, relative and absolute

Levels = npt.NDArray[np.uint16]
Singles = npt.NDArray[np.float32]


@kernel
def add_rough_values(
    levels: Levels, first: int, step: int, pairs: Floats, begin: int, end: int, total: Singles, at: int, n: int
) -> None:
    """Add the approximate values of n vectors at pairs[begin:end] to total[at:], in steps.

    Their numbers at state x are levels[first + step * x:]. Four states are added at a time, to load and store the sums
    less often.
    """
    sums = total[at : at + n]
    fours = begin + (end - begin) // 4 * 4
    for j in range(begin, fours, 4):
        a, b = np.float32(pairs[j, 1]), np.float32(pairs[j + 1, 1])
        c, d = np.float32(pairs[j + 2, 1]), np.float32(pairs[j + 3, 1])
        p, q = levels[first + step * int(pairs[j, 0]) :], levels[first + step * int(pairs[j + 1, 0]) :]
        r, s = levels[first + step * int(pairs[j + 2, 0]) :], levels[first + step * int(pairs[j + 3, 0]) :]
        for i in range(n):
            sums[i] += a * np.float32(p[i]) + b * np.float32(q[i]) + (c * np.float32(r[i]) + d * np.float32(s[i]))
    for j in range(fours, end):
        a, p = np.float32(pairs[j, 1]), levels[first + step * int(pairs[j, 0]) :]
        for i in range(n):
            sums[i] += a * np.float32(p[i])


@kernel
def lowest_rough_value(rough: Singles, pairs: Floats, near: float) -> float:
    """Return the lowest approximate value of a vector that may be the best, or tie with it.

    The last entry of `rough` is none of the values: it takes the highest of them.
    """
    bits = rough.view(np.int32)  # floats that are not negative have the order of their bits
    last, top = bits.shape[0] - 1, np.int32(0)
    for i in range(last):
        top = max(top, bits[i])
    bits[last] = top
    n, weight = pairs.shape[0], 0.0
    for j in range(n):
        weight += pairs[j, 1]
    slack = weight * (0.5 + 1.01 * (n / 4 + 9) * ROUNDING * LEVELS)  # the number of successive roundings
    slack += 2.0 * n * LEVELS * TINIEST
    return float(rough[last] - 2.0 * slack - near)


@kernel
def leading_of_one_block(
    N: int, entry: int, levels: Levels, entries: Floats, pairs: Floats, near: float
) -> tuple[Ints, Floats, float, Ints]:
    """Return what `leading` does, where all states are in one block and nothing has to be looked up."""
    rough = np.zeros(N + 1, np.float32)
    add_rough_values(levels, entry, N, pairs, 0, pairs.shape[0], rough, 0, N)
    bar = lowest_rough_value(rough, pairs, near)
    few, found = np.empty(N, np.int64), 0
    for i in range(N):
        if rough[i] >= bar:
            few[found] = i
            found += 1
    values = np.zeros(found)
    for j in range(pairs.shape[0]):
        row, weight = entry + int(pairs[j, 0]) * N, pairs[j, 1]
        for m in range(found):
            values[m] += weight * entries[row + few[m]]
    return few[:found], values, -np.inf, few[:0]


@kernel
def rough_values(
    layouts: Ints, place: Ints, levels: Levels, pairs: Floats, found: tuple[Floats, Ints, Ints, int]
) -> Singles:
    """Approximate the values of the vectors of all parts of a belief, in steps; then the floor's, if others have it.

    One more entry is for `lowest_rough_value`.
    """
    rows, places, parts, count = found
    n, entry, N, at = pairs.shape[0], place[0], place[2], place[3]
    floor, firsts = entry + layouts[at + 3], at + HEAD
    size, whole = 0, True  # whether each part has all states
    for i in range(count):
        size += layouts[firsts + parts[i, 0] + 1] - layouts[firsts + parts[i, 0]]
        whole = whole and parts[i, 2] - parts[i, 1] == n
    low = 0.0
    if size < N or not whole:
        for j in range(n):
            low += pairs[j, 1] * levels[floor + int(pairs[j, 0])]
    rough = np.zeros(size + (size < N) + 1, np.float32)
    if size < N:
        rough[size] = low
    k = 0
    for i in range(count):
        g, begin, end = parts[i, 0], parts[i, 1], parts[i, 2]
        vectors = layouts[firsts + g + 1] - layouts[firsts + g]
        if end - begin < n:
            rest = low
            for j in range(begin, end):
                rest -= rows[j, 1] * levels[floor + int(pairs[places[j], 0])]
            for m in range(k, k + vectors):
                rough[m] = max(rest, 0.0)
        add_rough_values(levels, entry, 1, rows, begin, end, rough, k, vectors)
        k += vectors
    return rough


@kernel
def leading_of_blocks(
    layouts: Ints, place: Ints, levels: Levels, entries: Floats, pairs: Floats, near: float
) -> tuple[Ints, Floats, float, Ints]:
    """Return what `leading` does, where some policies have several blocks."""
    entry, N, at = place[0], place[2], place[3]
    if at < 0:
        return leading_of_one_block(N, entry, levels, entries, pairs, near)
    n, floor, firsts = pairs.shape[0], entry + layouts[at + 3], at + HEAD
    parted = find_parts(layouts, at, pairs)
    rows, places, parts, count = parted
    rough = rough_values(layouts, place, levels, pairs, parted)
    bar = lowest_rough_value(rough, pairs, near)
    few, values, blocks = np.empty(rough.shape[0], np.int64), np.zeros(rough.shape[0]), np.empty(count, np.int64)
    k, found = 0, 0
    for i in range(count):
        g, own, end, before = parts[i, 0], parts[i, 1], parts[i, 2], found
        first, vectors = layouts[firsts + g], layouts[firsts + g + 1] - layouts[firsts + g]
        blocks[i] = g
        for m in range(vectors):
            if rough[k + m] >= bar:
                few[found] = first + m
                found += 1
        k += vectors
        for j in range(n if found > before else 0):
            share = pairs[j, 1]
            if own < end and places[own] == j:
                row = entry + int(rows[own, 0]) - first
                for m in range(before, found):
                    values[m] += share * entries[row + few[m]]
                own += 1
            else:
                for m in range(before, found):
                    values[m] += share * entries[floor + int(pairs[j, 0])]
    below = -np.inf
    if k < N and rough[k] >= bar:
        below = 0.0
        for j in range(n):
            below += pairs[j, 1] * entries[floor + int(pairs[j, 0])]
    return few[:found], values[:found], below, blocks


@kernel
def leading(
    layouts: Ints | None, place: Ints, levels: Levels, entries: Floats, pairs: Floats, near: float
) -> tuple[Ints, Floats, float, Ints]:
    """Return the vectors that may be the best at a belief, and their values; the floor's value; the blocks looked at.

    Vectors whose value ties with the best are among them. The floor's value is minus infinity if no other vectors
    exist or theirs is too low. The belief, a state and its weight in each of the `pairs`, need not sum to one. `place`
    is that of the policy: see `vector_blocks.Stack`. Without layouts, Numba leaves the last line out before it compiles
    anything that the line needs, which would take seconds; so it does in the kernels below.
    """
    if layouts is None:
        return leading_of_one_block(place[2], place[0], levels, entries, pairs, near)
    return leading_of_blocks(layouts, place, levels, entries, pairs, near)


@kernel
def mark_best_actions(
    layouts: Ints | None,
    place: Ints,
    levels: Levels,
    entries: Floats,
    pairs: Floats,
    near: float,
    actions: Ints,
    tolerance: float,
    chosen: Bools,
) -> int:
    """Mark the actions of all vectors of a policy whose value ties with the best; return how many actions these are."""
    few, values, below, blocks = leading(layouts, place, levels, entries, pairs, near)
    best, first = below, place[1]
    for value in values:
        best = max(best, value)
    bar = best - tolerance * abs(best)
    for i in range(few.shape[0]):
        if values[i] >= bar:
            chosen[actions[first + few[i]]] = True
    if layouts is not None and below >= bar:
        firsts = place[3] + HEAD
        looked = np.zeros(layouts[place[3] + 1], np.bool_)
        for g in blocks:
            looked[g] = True
        for g in range(looked.shape[0]):
            if not looked[g]:
                for i in range(layouts[firsts + g], layouts[firsts + g + 1]):
                    chosen[actions[first + i]] = True
    count = 0
    for marked in chosen:
        count += marked
    return count


@kernel
def probabilities_at(
    belief: Floats,
    places: Ints,
    layouts: Ints | None,
    levels: Levels,
    entries: Floats,
    near: Floats,
    actions: Ints,
    A: int,
    tolerance: float,
) -> Floats:
    """Return the uniform distribution over the distinct actions of the best vectors of one policy."""
    chosen, shares = np.zeros(A, np.bool_), np.zeros(A)
    pairs = pairs_of(belief)
    count = mark_best_actions(layouts, places[0], levels, entries, pairs, near[0], actions, tolerance, chosen)
    for a in range(A):
        if chosen[a]:
            shares[a] = 1.0 / count
    return shares


@kernel
def first_best_vector(
    belief: Floats,
    places: Ints,
    layouts: Ints | None,
    levels: Levels,
    entries: Floats,
    near: Floats,
    tolerance: float,
) -> tuple[int, float]:
    """Return the first vector of one policy whose value ties with the best, and the best value."""
    place = places[0]
    few, values, below, blocks = leading(layouts, place, levels, entries, pairs_of(belief), near[0])
    best, first = below, place[2]
    for value in values:
        best = max(best, value)
    bar = best - tolerance * abs(best)
    for i in range(few.shape[0]):
        if values[i] >= bar:
            first = min(first, few[i])
    if layouts is not None and below >= bar:
        looked = np.zeros(layouts[place[3] + 1], np.bool_)
        for g in blocks:
            looked[g] = True
        for g in range(looked.shape[0]):
            if not looked[g]:
                first = min(first, layouts[place[3] + HEAD + g])
                break
    return int(first), best
