"""Alpha vectors by block. Kernels: plain arrays in, plain arrays out.

A vector knows only the states of its block. Those of block g stand side by side: `rows` holds them one after the other
in float64, as they were built, and `columns` state by state in float32, so that a loop over vectors runs along memory.
The columns only serve to compare vectors with one another, so they hold the distance to a base that all share.

What is called for each observation takes whole arrays, with where to begin and to end, and makes no new ones: Numba
counts the references to arrays that come and go, and did so for a quarter of the time.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.solvers.points.visible_kernels import Blocks

PEAKS = 8  # states

Slots = npt.NDArray[np.int32]
Singles = npt.NDArray[np.float32]


class Vectors(NamedTuple):
    """The vectors of all blocks. Block g has room for seat[g + 1] - seat[g] of them and holds held[g]."""

    rows: Floats  # for each block [room, states]
    columns: Singles  # for each block [states, room]
    offset: Ints  # [blocks + 1]: where in rows and columns a block begins
    actions: Ints  # for each block [room]: what the vector's plan begins with
    wins: Ints  # for each block [room]: at how many points the vector is the best
    seat: Ints  # [blocks + 1]: where in actions and wins a block begins
    held: Ints  # [blocks]
    fixed: Ints  # [blocks]: how many of the first vectors stay in any case
    base: Floats  # [slots]
    scores: Singles  # [largest room]: filled again and again
    follow: npt.NDArray[np.int32]  # for each block [room, wide]: the vectors that a vector counts on; see `count_on`
    wide: Ints  # [blocks]: how many those are at most
    counted: Ints  # [blocks + 1]: where in `follow` a block begins


@kernel
def rows_of(blocks: Blocks, vectors: Vectors, g: int) -> Floats:
    """The vectors of a block, [room, states]."""
    size = blocks.first[g + 1] - blocks.first[g]
    room = vectors.seat[g + 1] - vectors.seat[g]
    return vectors.rows[vectors.offset[g] : vectors.offset[g + 1]].reshape(room, size)


@kernel
def add_vector(blocks: Blocks, vectors: Vectors, g: int, alpha: Floats, action: int) -> int:
    """Put a vector into a block that has room for it; returns its number there."""
    i = vectors.held[g]
    vectors.held[g] = i + 1
    rows_of(blocks, vectors, g)[i] = alpha
    first, room = vectors.offset[g] + i, vectors.seat[g + 1] - vectors.seat[g]
    for x in range(alpha.shape[0]):
        vectors.columns[first + x * room] = alpha[x] - vectors.base[blocks.first[g] + x]
    vectors.actions[vectors.seat[g] + i] = action
    vectors.wins[vectors.seat[g] + i] = 0
    return int(i)


@kernel
def count_on(blocks: Blocks, vectors: Vectors, g: int, i: int, follow: Ints) -> None:
    """Note what vector i of block g counts on: after observation z, vector follow[z] of the block that z leads to.

    The n-th number that is kept belongs to the n-th way on from the block by the vector's action.
    """
    way = g * ((blocks.ways.shape[0] - 1) // vectors.held.shape[0]) + vectors.actions[vectors.seat[g] + i]
    at = vectors.counted[g] + i * vectors.wide[g]
    for n in range(blocks.ways[way], blocks.ways[way + 1]):
        vectors.follow[at + n - blocks.ways[way]] = follow[blocks.seen[n]]


@kernel
def set_columns(blocks: Blocks, vectors: Vectors) -> None:
    """Bring the columns up to date with the rows."""
    for g in range(vectors.held.shape[0]):
        rows, room = rows_of(blocks, vectors, g), vectors.seat[g + 1] - vectors.seat[g]
        for i in range(vectors.held[g]):
            for x in range(rows.shape[1]):
                vectors.columns[vectors.offset[g] + x * room + i] = rows[i, x] - vectors.base[blocks.first[g] + x]


@kernel
def best_vector(
    blocks: Blocks, vectors: Vectors, g: int, slots: Slots, weights: Floats, begin: int, end: int, since: int
) -> int:
    """The vector of block g, of those from `since` on, that is best at slots[begin:end]; any weights will do."""
    room, n = vectors.seat[g + 1] - vectors.seat[g], vectors.held[g] - since
    if n == 1:
        return since
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
    """The value of a vector of block g at slots[begin:end]. All values are compared by this sum."""
    first = vectors.offset[g] + vector * (blocks.first[g + 1] - blocks.first[g]) - blocks.first[g]
    total = 0.0
    for j in range(begin, end):
        total += weights[j] * vectors.rows[first + slots[j]]
    return total


@kernel
def needed(blocks: Blocks, vectors: Vectors) -> npt.NDArray[np.bool_]:
    """The vectors that win somewhere, those that stay in any case, and all that is there of what these count on.

    Returns whether vector i of block g is one of them, at seat[g] + i.
    """
    A = (blocks.ways.shape[0] - 1) // vectors.held.shape[0]
    marked = vectors.wins > 0
    stack = np.empty((marked.shape[0], 2), np.int64)
    size = 0
    for g in range(vectors.held.shape[0]):
        for i in range(vectors.held[g]):
            if i < vectors.fixed[g] or marked[vectors.seat[g] + i]:
                marked[vectors.seat[g] + i] = True
                stack[size, 0], stack[size, 1] = g, i
                size += 1
    while size > 0:
        size -= 1
        g, i = stack[size, 0], stack[size, 1]
        way = g * A + vectors.actions[vectors.seat[g] + i]
        at = vectors.counted[g] + i * vectors.wide[g] - blocks.ways[way]
        for n in range(blocks.ways[way], blocks.ways[way + 1]):
            h, j = blocks.into[n], vectors.follow[at + n]
            if j >= 0 and not marked[vectors.seat[h] + j]:
                marked[vectors.seat[h] + j] = True
                stack[size, 0], stack[size, 1] = h, j
                size += 1
    return marked


@kernel
def closed(blocks: Blocks, vectors: Vectors, marked: npt.NDArray[np.bool_]) -> bool:
    """Whether all that the marked vectors count on is there."""
    A = (blocks.ways.shape[0] - 1) // vectors.held.shape[0]
    for g in range(vectors.held.shape[0]):
        for i in range(vectors.held[g]):
            if marked[vectors.seat[g] + i]:
                way = g * A + vectors.actions[vectors.seat[g] + i]
                at = vectors.counted[g] + i * vectors.wide[g]
                for n in range(blocks.ways[way + 1] - blocks.ways[way]):
                    if vectors.follow[at + n] < 0:
                        return False
    return True


@kernel
def move(blocks: Blocks, old: Vectors, new: Vectors, stay: npt.NDArray[np.bool_]) -> Ints:
    """Copy the vectors that stay to where there is other room. What they counted on and does not stay is now -1.

    Returns the new number of vector i of block g, at old.seat[g] + i; -1 if it does not stay.
    """
    A = (blocks.ways.shape[0] - 1) // old.held.shape[0]
    moved = np.full(old.actions.shape[0], -1)
    for g in range(old.held.shape[0]):
        before = rows_of(blocks, old, g)
        for i in range(old.held[g]):
            seat = old.seat[g] + i
            if stay[seat]:
                moved[seat] = add_vector(blocks, new, g, before[i], old.actions[seat])
                new.wins[new.seat[g] + moved[seat]] = old.wins[seat]
    for g in range(old.held.shape[0]):
        for i in range(old.held[g]):
            seat = old.seat[g] + i
            if stay[seat]:
                way = g * A + old.actions[seat]
                before_, after = old.counted[g] + i * old.wide[g], new.counted[g] + moved[seat] * new.wide[g]
                for n in range(blocks.ways[way + 1] - blocks.ways[way]):
                    h, j = blocks.into[blocks.ways[way] + n], old.follow[before_ + n]
                    new.follow[after + n] = moved[old.seat[h] + j] if j >= 0 else -1
    return moved


@kernel
def undominated(blocks: Blocks, vectors: Vectors, marked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Of the marked vectors, those that no other one of their block is nowhere below; of equal ones, the first.

    Two vectors are compared in full only if the other one is not below, by the columns, at a few states where a vector
    is far above the average.
    """
    good = marked.copy()
    for g in range(vectors.held.shape[0]):
        held, rows, seat = vectors.held[g], rows_of(blocks, vectors, g), vectors.seat[g]
        size, room = rows.shape[1], vectors.seat[g + 1] - seat
        average, peaks = np.zeros(size), np.zeros(min(PEAKS, size), np.int64)
        for i in range(held):
            average += rows[i] / held
        for i in range(held):
            if not good[seat + i]:
                continue
            for x in range(size):
                peak = peaks[x % PEAKS]
                if x < PEAKS or rows[i, x] - average[x] > rows[i, peak] - average[peak]:
                    peaks[x % PEAKS] = x
            above = good[seat : seat + held].copy()
            above[i] = False
            for peak in peaks:
                at = vectors.offset[g] + peak * room
                column = vectors.columns[at : at + held]
                for j in range(held):
                    above[j] &= column[j] >= column[i]
            for j in range(held):
                if above[j] and _below(rows[i], rows[j], i < j):
                    good[seat + i] = False
                    break
    return good


@kernel
def _below(one: Floats, other: Floats, strictly: bool) -> bool:
    """Whether a vector is nowhere above another; if strictly, it also has to be below it somewhere."""
    for x in range(one.shape[0]):
        if one[x] > other[x]:
            return False
        if one[x] < other[x]:
            strictly = False
    return not strictly
