"""The beliefs that a solver works at. Kernels: plain arrays in, plain arrays out.

A point is a belief without its zeros. It knows its value under the vectors of its block, and which of them is the best.
Two beliefs that agree to about nine digits count as one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.distributions import Floats, Ints
from walkon.solvers.vector_kernels import Slots, Vectors, best_vector, height, rows_of
from walkon.solvers.visible_kernels import Blocks

NEGLIGIBLE = 1e-9  # what of a belief is left out of a point
DIGITS = 1e9


class Points(NamedTuple):
    """Beliefs, numbered as they came. The first is the start."""

    first: Ints  # [points + 1]: where in slots and weights a point begins
    slots: Slots
    weights: Floats
    block: Ints  # [points]
    previous: Ints  # [points]: the point of the same block that came before it, -1 if there is none
    newest: Ints  # [blocks]: the newest point of the block, -1 if there is none
    value: Floats  # [points]
    winner: Ints  # [points]
    keys: npt.NDArray[np.uint64]  # [points]
    table: Ints  # [a power of two]: the numbers of the points by key, -1 where there is none
    size: Ints  # [1]: how many points there are


@kernel
def key_of(slots: Slots, weights: Floats) -> np.uint64:
    """A number that beliefs have in common if they agree to about nine digits, in whatever order their slots stand."""
    key = np.uint64(slots.shape[0])
    for j in range(slots.shape[0]):
        mixed = np.uint64(slots[j]) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(np.int64(weights[j] * DIGITS + 0.5))
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        key += mixed ^ (mixed >> np.uint64(31))
    return key


@kernel
def place_of(points: Points, key: np.uint64) -> int:
    """Where in the table the point with this key stands, or would stand."""
    mask = np.uint64(points.table.shape[0] - 1)
    place = key & mask
    while points.table[place] >= 0 and points.keys[points.table[place]] != key:
        place = (place + np.uint64(1)) & mask
    return int(place)


@kernel
def enter_all(points: Points) -> None:
    """Put all points into an empty table, and link those of each block."""
    for i in range(points.size[0]):
        points.table[place_of(points, points.keys[i])] = i
        points.previous[i] = points.newest[points.block[i]]
        points.newest[points.block[i]] = i


@kernel
def find_or_add(blocks: Blocks, vectors: Vectors, points: Points, g: int, slots: Slots, weights: Floats) -> int:
    """The number of a belief, which is added if it is new."""
    key = key_of(slots, weights)
    place = place_of(points, key)
    if points.table[place] >= 0:
        return int(points.table[place])
    i = points.size[0]
    points.size[0] = i + 1
    points.table[place] = i
    points.keys[i] = key
    begin, end = points.first[i], points.first[i] + slots.shape[0]
    points.slots[begin:end] = slots
    points.weights[begin:end] = weights
    points.first[i + 1] = end
    points.block[i] = g
    points.previous[i] = points.newest[g]
    points.newest[g] = i
    best = best_vector(blocks, vectors, g, slots, weights)
    points.winner[i] = best
    points.value[i] = height(slots, weights, rows_of(blocks, vectors, g)[best], blocks.first[g])
    vectors.wins[vectors.seat[g] + best] += 1
    return int(i)


@kernel
def settle(blocks: Blocks, vectors: Vectors, points: Points, slots: Slots, weights: Floats) -> int:
    """The point of weights that follow an action and a reading. They are changed: made to sum to one.

    What is negligible is left out: a point may be any belief, and small ones cost less.
    """
    total = weights.sum()
    n, kept = 0, 0.0
    for j in range(slots.shape[0]):
        if weights[j] > NEGLIGIBLE * total:
            slots[n], weights[n] = slots[j], weights[j]
            kept += weights[j]
            n += 1
    for j in range(n):
        weights[j] /= kept
    return find_or_add(blocks, vectors, points, blocks.block[blocks.states[slots[0]]], slots[:n], weights[:n])


@kernel
def raise_points(blocks: Blocks, vectors: Vectors, points: Points, g: int, vector: int) -> None:
    """Let a new vector of block g take over at the points where it is the best."""
    alpha = rows_of(blocks, vectors, g)[vector]
    seat, begin = vectors.seat[g], blocks.first[g]
    i = points.newest[g]
    while i >= 0:
        at = slice(points.first[i], points.first[i + 1])
        value = height(points.slots[at], points.weights[at], alpha, begin)
        if value > points.value[i]:
            vectors.wins[seat + points.winner[i]] -= 1
            vectors.wins[seat + vector] += 1
            points.value[i], points.winner[i] = value, vector
        i = points.previous[i]


@kernel
def newest_of_each_winner(vectors: Vectors, points: Points, keep: int, always: npt.NDArray[np.bool_]) -> Ints:
    """Of the points that a vector wins, the newest few; the start, and those that are to stay always, in any case."""
    seen = np.zeros(vectors.wins.shape[0], np.int64)
    kept = np.empty(points.size[0], np.int64)
    n = 0
    for i in range(points.size[0] - 1, -1, -1):
        seat = vectors.seat[points.block[i]] + points.winner[i]
        seen[seat] += 1
        if seen[seat] <= keep or i == 0 or always[i]:
            kept[n] = i
            n += 1
        else:
            vectors.wins[seat] -= 1
    return kept[:n][::-1].copy()
