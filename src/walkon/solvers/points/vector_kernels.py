"""Kernels of alpha vectors by block.

A vector covers only the states of its block. `rows` holds the vectors of a block one after the other in float64, as
they were built, and `columns` state by state in float32, so that a loop over vectors reads contiguous memory. The
columns only serve to compare vectors with one another, so they hold the distance to a base that all share.

Kernels that are called for each observation take whole arrays, with the begin and end of a part, and allocate none:
Numba's reference counts for temporary arrays took a quarter of the time.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.arrays import Bools, Floats, Ints
from walkon.compiled import kernel
from walkon.solvers.points.visible_kernels import Blocks

PEAKS = 8  # states that are compared first
AT_ONCE = 1 / 50  # the work of a number among many that are read one after the other

Slots = npt.NDArray[np.int32]
Singles = npt.NDArray[np.float32]


class Vectors(NamedTuple):
    """The vectors of all blocks. Block g has room for first[g + 1] - first[g] of them and holds held[g]."""

    rows: Floats  # for each block [room, states]
    columns: Singles  # for each block [states, room]
    offset: Ints  # [blocks + 1]: the first entry of each block in rows and columns
    actions: Ints  # for each block [room]: the first action of the vector's plan
    wins: Ints  # for each block [room]: the number of points at which the vector is the best
    first: Ints  # [blocks + 1]: the first entry of each block in actions and wins
    held: Ints  # [blocks]
    fixed: Ints  # [blocks]: the number of vectors, at the beginning, that are never dropped
    base: Floats  # [slots]
    scores: Singles  # [largest room]: a buffer
    after: Floats  # [X]: a buffer, for the value of a plan from each state on
    known: Bools  # [X]: whether it is known; false between calls
    arrived: Slots  # [X]: a buffer, for the states where it is known
    follow: npt.NDArray[np.int32]  # for each block [room, wide]: the successors of a vector; see `set_successors`
    wide: Ints  # [blocks]: the largest number of successors
    counted: Ints  # [blocks + 1]: the first entry of each block in `follow`


def vectors_of(blocks: Blocks, vectors: Vectors, g: int) -> Floats:
    """Return a view of the vectors of a block, [room, states]. Python needs no kernel for that, but kernels do."""
    size = blocks.first[g + 1] - blocks.first[g]
    room = vectors.first[g + 1] - vectors.first[g]
    return vectors.rows[vectors.offset[g] : vectors.offset[g + 1]].reshape(room, size)


rows_of = kernel(vectors_of)


@kernel
def add_vector(blocks: Blocks, vectors: Vectors, g: int, alpha: Floats, action: int) -> int:
    """Add a vector to a block that has room for it; return its number there."""
    i = vectors.held[g]
    vectors.held[g] = i + 1
    rows = rows_of(blocks, vectors, g)
    first, room = vectors.offset[g] + i, vectors.first[g + 1] - vectors.first[g]
    for x in range(alpha.shape[0]):
        rows[i, x] = alpha[x]
        vectors.columns[first + x * room] = alpha[x] - vectors.base[blocks.first[g] + x]
    vectors.actions[vectors.first[g] + i] = action
    vectors.wins[vectors.first[g] + i] = 0
    return int(i)


@kernel
def set_successors(blocks: Blocks, vectors: Vectors, g: int, i: int, follow: Ints) -> None:
    """Store the successors of vector i of block g: after observation z, vector follow[z] of the next block.

    The n-th stored number belongs to the n-th way on from the block by the vector's action.
    """
    way = g * ((blocks.ways.shape[0] - 1) // vectors.held.shape[0]) + vectors.actions[vectors.first[g] + i]
    at = vectors.counted[g] + i * vectors.wide[g]
    for n in range(blocks.ways[way], blocks.ways[way + 1]):
        vectors.follow[at + n - blocks.ways[way]] = follow[blocks.seen[n]]


@kernel
def add_plan(blocks: Blocks, vectors: Vectors, g: int, alpha: Floats, action: int, follow: Ints) -> None:
    """Add a vector to a block that has room for it, with its successors."""
    set_successors(blocks, vectors, g, add_vector(blocks, vectors, g, alpha, action), follow)


@kernel
def set_columns(blocks: Blocks, vectors: Vectors) -> None:
    """Copy the rows to the columns."""
    for g in range(vectors.held.shape[0]):
        rows, room = rows_of(blocks, vectors, g), vectors.first[g + 1] - vectors.first[g]
        for i in range(vectors.held[g]):
            for x in range(rows.shape[1]):
                vectors.columns[vectors.offset[g] + x * room + i] = rows[i, x] - vectors.base[blocks.first[g] + x]


@kernel
def best_vector(
    blocks: Blocks, vectors: Vectors, g: int, slots: Slots, weights: Floats, begin: int, end: int, since: int
) -> int:
    """Return the best vector of block g, from `since` on, at slots[begin:end]; the weights need not sum to one."""
    room, n = vectors.first[g + 1] - vectors.first[g], vectors.held[g] - since
    if n == 1:
        return since
    blocks.work[0] += AT_ONCE * n * (end - begin)
    scores = vectors.scores[:n]
    for i in range(n):
        scores[i] = 0.0
    for j in range(begin, end):
        at = vectors.offset[g] + (slots[j] - blocks.first[g]) * room + since
        column = vectors.columns[at : at + n]
        weight = np.float32(weights[j])
        for i in range(n):
            scores[i] += weight * column[i]
    best = 0
    for i in range(n):
        if scores[i] > scores[best]:
            best = i
    return since + best


@kernel
def height(
    blocks: Blocks, vectors: Vectors, g: int, vector: int, slots: Slots, weights: Floats, begin: int, end: int
) -> float:
    """Return the value of a vector of block g at slots[begin:end]. All comparisons use this sum."""
    first = vectors.offset[g] + vector * (blocks.first[g + 1] - blocks.first[g]) - blocks.first[g]
    total = 0.0
    for j in range(begin, end):
        total += weights[j] * vectors.rows[first + slots[j]]
    return total


@kernel
def needed(blocks: Blocks, vectors: Vectors) -> Bools:
    """Mark the vectors that are best somewhere, the fixed ones, and all of their successors that still exist.

    Vector i of block g is at first[g] + i.
    """
    A = (blocks.ways.shape[0] - 1) // vectors.held.shape[0]
    marked = vectors.wins > 0
    stack = np.empty((marked.shape[0], 2), np.int64)
    size = 0
    for g in range(vectors.held.shape[0]):
        for i in range(vectors.held[g]):
            if i < vectors.fixed[g] or marked[vectors.first[g] + i]:
                marked[vectors.first[g] + i] = True
                stack[size, 0], stack[size, 1] = g, i
                size += 1
    while size > 0:
        size -= 1
        g, i = stack[size, 0], stack[size, 1]
        way = g * A + vectors.actions[vectors.first[g] + i]
        at = vectors.counted[g] + i * vectors.wide[g] - blocks.ways[way]
        for n in range(blocks.ways[way], blocks.ways[way + 1]):
            h, j = blocks.into[n], vectors.follow[at + n]
            if j >= 0 and not marked[vectors.first[h] + j]:
                marked[vectors.first[h] + j] = True
                stack[size, 0], stack[size, 1] = h, j
                size += 1
    return marked


@kernel
def closed(blocks: Blocks, vectors: Vectors, marked: Bools) -> bool:
    """Return whether all successors of the marked vectors exist."""
    A = (blocks.ways.shape[0] - 1) // vectors.held.shape[0]
    for g in range(vectors.held.shape[0]):
        for i in range(vectors.held[g]):
            if marked[vectors.first[g] + i]:
                way = g * A + vectors.actions[vectors.first[g] + i]
                at = vectors.counted[g] + i * vectors.wide[g]
                for n in range(blocks.ways[way + 1] - blocks.ways[way]):
                    if vectors.follow[at + n] < 0:
                        return False
    return True


@kernel
def move(blocks: Blocks, old: Vectors, new: Vectors, stay: Bools) -> Ints:
    """Copy the vectors that stay to new arrays, but not their columns. Successors that do not stay become -1.

    Returns the new number of vector i of block g, at old.first[g] + i; -1 if it does not stay.
    """
    A = (blocks.ways.shape[0] - 1) // old.held.shape[0]
    moved = np.full(old.actions.shape[0], -1)
    for g in range(old.held.shape[0]):
        before, after = rows_of(blocks, old, g), rows_of(blocks, new, g)
        for i in range(old.held[g]):
            at = old.first[g] + i
            if stay[at]:
                n = new.held[g]
                new.held[g] = n + 1
                for x in range(before.shape[1]):
                    after[n, x] = before[i, x]
                new.actions[new.first[g] + n], new.wins[new.first[g] + n] = old.actions[at], old.wins[at]
                moved[at] = n
    for g in range(old.held.shape[0]):
        for i in range(old.held[g]):
            at = old.first[g] + i
            if stay[at]:
                way = g * A + old.actions[at]
                former, after = old.counted[g] + i * old.wide[g], new.counted[g] + moved[at] * new.wide[g]
                for n in range(blocks.ways[way + 1] - blocks.ways[way]):
                    h, j = blocks.into[blocks.ways[way] + n], old.follow[former + n]
                    new.follow[after + n] = moved[old.first[h] + j] if j >= 0 else -1
    return moved


@kernel
def undominated(blocks: Blocks, vectors: Vectors, marked: Bools) -> Bools:
    """Return which of the marked vectors are not dominated within their block; of equal ones, the first.

    Two vectors are compared in full only if the other one is not below, by the columns, at a few states where the
    vector is far above the average.
    """
    good = marked.copy()
    for g in range(vectors.held.shape[0]):
        held, rows, begin = vectors.held[g], rows_of(blocks, vectors, g), vectors.first[g]
        size, room = rows.shape[1], vectors.first[g + 1] - begin
        average, peaks = np.zeros(size), np.zeros(min(PEAKS, size), np.int64)
        for i in range(held):
            average += rows[i] / held
        for i in range(held):
            if not good[begin + i]:
                continue
            for x in range(size):
                peak = peaks[x % PEAKS]
                if x < PEAKS or rows[i, x] - average[x] > rows[i, peak] - average[peak]:
                    peaks[x % PEAKS] = x
            above = good[begin : begin + held].copy()
            above[i] = False
            for peak in peaks:
                at = vectors.offset[g] + peak * room
                column = vectors.columns[at : at + held]
                for j in range(held):
                    above[j] &= column[j] >= column[i]
            for j in range(held):
                if above[j] and _below(rows[i], rows[j], i < j):
                    good[begin + i] = False
                    break
    return good


@kernel
def _below(one: Floats, other: Floats, strictly: bool) -> bool:
    """Return whether a vector is nowhere above another and, if `strictly`, somewhere below it."""
    for x in range(one.shape[0]):
        if one[x] > other[x]:
            return False
        if one[x] < other[x]:
            strictly = False
    return not strictly
