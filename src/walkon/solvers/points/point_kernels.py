"""Kernels of the belief points of a solver.

A point is a belief without its zeros, with its value under the vectors of its block and the best of these. It is
compared with new vectors only when it is needed, because many at once cost less. Two beliefs that agree to about nine
digits are the same point.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.arrays import Bools, Floats, Ints
from walkon.compiled import kernel
from walkon.solvers.points.vector_kernels import Slots, Vectors, best_vector, height
from walkon.solvers.points.visible_kernels import Blocks

NEGLIGIBLE = 1e-9  # smaller probabilities are left out of a point
DIGITS = 1e9


class Points(NamedTuple):
    """Beliefs in the order in which they were added. The first is the start."""

    first: Ints  # [points + 1]: the first entry of each point in slots and weights
    slots: Slots
    weights: Floats
    block: Ints  # [points]
    value: Floats  # [points]
    winner: Ints  # [points]
    looked: Ints  # [points]: the number of its block's vectors that were compared
    keys: npt.NDArray[np.uint64]  # [points]
    table: Ints  # [a power of two]: a hash table of the points by key, -1 where it is empty
    size: Ints  # [1]: the number of points


@kernel
def key_of(slots: Slots, weights: Floats) -> np.uint64:
    """Hash a belief, to about nine digits and in any order of its slots."""
    key = np.uint64(slots.shape[0])
    for j in range(slots.shape[0]):
        mixed = np.uint64(slots[j]) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(np.int64(weights[j] * DIGITS + 0.5))
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        key += mixed ^ (mixed >> np.uint64(31))
    return key


@kernel
def place_of(points: Points, key: np.uint64) -> int:
    """Return the place in the table of the point with this key, or of a new one."""
    mask = np.uint64(points.table.shape[0] - 1)
    place = key & mask
    while points.table[place] >= 0 and points.keys[points.table[place]] != key:
        place = (place + np.uint64(1)) & mask
    return int(place)


@kernel
def enter_all(points: Points) -> None:
    """Enter all points into an empty table."""
    for i in range(points.size[0]):
        points.table[place_of(points, points.keys[i])] = i


@kernel
def find_or_add(blocks: Blocks, vectors: Vectors, points: Points, g: int, slots: Slots, weights: Floats) -> int:
    """Return the point of a belief, which is added if it is new, and bring its value up to date."""
    key = key_of(slots, weights)
    place = place_of(points, key)
    i = points.table[place]
    if i < 0:
        i = points.size[0]
        points.size[0] = i + 1
        points.table[place] = i
        points.keys[i] = key
        begin, end = points.first[i], points.first[i] + slots.shape[0]
        for j in range(slots.shape[0]):
            points.slots[begin + j], points.weights[begin + j] = slots[j], weights[j]
        points.first[i + 1] = end
        points.block[i] = g
        points.looked[i] = 0
        points.value[i] = -np.inf
    catch_up(blocks, vectors, points, i)
    return int(i)


@kernel
def catch_up(blocks: Blocks, vectors: Vectors, points: Points, i: int) -> None:
    """Compare a point with the vectors that were added since the last time, and update its value and best vector."""
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
    """Compare all points with all vectors, and count the points at which each vector is the best."""
    vectors.wins[:] = 0
    for i in range(points.size[0]):
        catch_up(blocks, vectors, points, i)
        vectors.wins[vectors.first[points.block[i]] + points.winner[i]] += 1


@kernel
def settle(blocks: Blocks, vectors: Vectors, points: Points, slots: Slots, weights: Floats) -> int:
    """Normalise weights after an action and an observation, in place, and return their point.

    Negligible weights are left out: any belief may be a point, and short ones cost less.
    """
    n, kept, total = 0, 0.0, 0.0
    for j in range(weights.shape[0]):
        total += weights[j]
    for j in range(slots.shape[0]):
        if weights[j] > NEGLIGIBLE * total:
            slots[n], weights[n] = slots[j], weights[j]
            kept += weights[j]
            n += 1
    for j in range(n):
        weights[j] /= kept
    return find_or_add(blocks, vectors, points, blocks.block[blocks.states[slots[0]]], slots[:n], weights[:n])


@kernel
def newest_of_each_winner(vectors: Vectors, points: Points, keep: int, always: Bools) -> Ints:
    """Return the newest points of each vector that is best there, the start, and those that must stay `always`."""
    seen = np.zeros(vectors.wins.shape[0], np.int64)
    kept = np.empty(points.size[0], np.int64)
    n = 0
    for i in range(points.size[0] - 1, -1, -1):
        at = vectors.first[points.block[i]] + points.winner[i]
        seen[at] += 1
        if seen[at] <= keep or i == 0 or always[i]:
            kept[n] = i
            n += 1
    return kept[:n][::-1].copy()
