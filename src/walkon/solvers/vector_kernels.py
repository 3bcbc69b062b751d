"""Alpha vectors by block. Kernels: plain arrays in, plain arrays out.

A vector knows only the states of its block. Those of block g stand side by side: `rows` holds them one after the other
in float64, as they were built, and `columns` state by state in float32, so that a loop over vectors runs along memory.
The columns only serve to compare vectors with one another, so they hold the distance to a base that all share.

What is called for each reading takes whole arrays, with where to begin and to end, and makes no new ones: Numba counts
the references to arrays that come and go, and did so for a quarter of the time.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.distributions import Floats, Ints
from walkon.solvers.visible_kernels import Blocks

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
def move_winners(blocks: Blocks, old: Vectors, new: Vectors) -> Ints:
    """Copy the vectors that win somewhere, and those that stay in any case, to where there is other room.

    Returns the new number of vector i of block g, at old.seat[g] + i.
    """
    moved = np.zeros(old.actions.shape[0], np.int64)
    for g in range(old.held.shape[0]):
        before = rows_of(blocks, old, g)
        for i in range(old.held[g]):
            seat = old.seat[g] + i
            if i < old.fixed[g] or old.wins[seat] > 0:
                moved[seat] = add_vector(blocks, new, g, before[i], old.actions[seat])
                new.wins[new.seat[g] + moved[seat]] = old.wins[seat]
    return moved
