"""The beliefs that a solver works at. Kernels: plain arrays in, plain arrays out.

A point is a belief without its zeros. It knows its value under the vectors of its block, and which of them is the best;
but it looks at new vectors only when it is needed, because many at a time cost less. Two beliefs that agree to about
nine digits count as one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.solvers.points.vector_kernels import Slots, Vectors, best_vector, height
from walkon.solvers.points.visible_kernels import Blocks

NEGLIGIBLE = 1e-9  # what of a belief is left out of a point
DIGITS = 1e9


class Points(NamedTuple):
    """Beliefs, numbered as they came. The first is the start."""

    first: Ints  # [points + 1]: where in slots and weights a point begins
    slots: Slots
    weights: Floats
    block: Ints  # [points]
    value: Floats  # [points]
    winner: Ints  # [points]
    looked: Ints  # [points]: at how many of its block's vectors the point has looked
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
    """Put all points into an empty table."""
    for i in range(points.size[0]):
        points.table[place_of(points, points.keys[i])] = i


@kernel
def find_or_add(blocks: Blocks, vectors: Vectors, points: Points, g: int, slots: Slots, weights: Floats) -> int:
    """The number of a belief, which is added if it is new. It has looked at all vectors."""
    key = key_of(slots, weights)
    place = place_of(points, key)
    i = points.table[place]
    if i < 0:
        i = points.size[0]
        points.size[0] = i + 1
        points.table[place] = i
        points.keys[i] = key
        begin, end = points.first[i], points.first[i] + slots.shape[0]
        points.slots[begin:end] = slots
        points.weights[begin:end] = weights
        points.first[i + 1] = end
        points.block[i] = g
        points.looked[i] = 0
        points.value[i] = -np.inf
    catch_up(blocks, vectors, points, i)
    return int(i)


@kernel
def catch_up(blocks: Blocks, vectors: Vectors, points: Points, i: int) -> None:
    """Let a point look at the vectors that came since it last did; the best takes over if it is better."""
    g, since = points.block[i], points.looked[i]
    if since == vectors.held[g]:
        return
    begin, end = points.first[i], points.first[i + 1]
    best = best_vector(blocks, vectors, g, points.slots, points.weights, begin, end, since)
    value = height(blocks, vectors, g, best, points.slots, points.weights, begin, end)
    if value > points.value[i]:
        points.value[i], points.winner[i] = value, best
    points.looked[i] = vectors.held[g]


@kernel
def count_wins(blocks: Blocks, vectors: Vectors, points: Points) -> None:
    """Let all points look at all vectors, and count at how many points each is the best."""
    vectors.wins[:] = 0
    for i in range(points.size[0]):
        catch_up(blocks, vectors, points, i)
        vectors.wins[vectors.seat[points.block[i]] + points.winner[i]] += 1


@kernel
def settle(blocks: Blocks, vectors: Vectors, points: Points, slots: Slots, weights: Floats) -> int:
    """The point of weights that follow an action and an observation. They are changed: made to sum to one.

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
    return kept[:n][::-1].copy()
