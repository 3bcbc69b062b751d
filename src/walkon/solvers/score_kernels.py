"""Kernels of the scores of all vectors after each observation, in float32, where a backup spends most of its time.

They do no more than the plain formula, sum_y (b P_a)(y) O_a(z|y) V_i(y), in the same order of y for each z and i, so
the bits are the same. But they go through the states observation by observation, so that the scores after one
observation stay in the processor's nearest memory; and highest scores are searched for as whole numbers, because
compilers vectorise a maximum of those, and of floats only if they may assume that there is no NaN.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.stacked import Stacked

Singles: TypeAlias = npt.NDArray[np.float32]
Bits: TypeAlias = npt.NDArray[np.int32]

LANES = 32  # the number of columns is a multiple of it, so that vectorised loops leave no rest


@kernel
def in_columns(vectors: Floats) -> Singles:
    """Return vectors [N, X] as columns, in float32. The first vector is repeated until their number is a multiple.

    A repeated vector is never the first of the best.
    """
    n, X = vectors.shape
    columns = np.empty((X, (n + LANES - 1) // LANES * LANES), np.float32)
    for begin in range(0, columns.shape[1], LANES):
        for x in range(X):
            for i in range(begin, begin + LANES):
                columns[x, i] = vectors[i if i < n else 0, x]
    return columns


@kernel
def futures(
    transitions: Stacked,
    sensor: Stacked,
    a: int,
    X: int,
    beliefs: Stacked,
    at: int,
    columns: Singles,
    scores: Singles,
    tops: Bits,
    rows: Bits,
) -> float:
    """Return the value of continuing with the best vectors after action a at one of the beliefs.

    The scores after observation z go to row rows[z] of `scores`, and their maximum to `tops`, as bits; rows[z] is 0 if
    z is impossible. Row 0 has the scores without an observation, without their maximum.
    """
    joint, low, high = arrivals(transitions, a * X, beliefs, at, X)
    Z, size = rows.shape[0], 0
    states, weights = np.empty(high - low, np.uint32), np.empty(high - low, np.float32)
    ends = np.zeros(Z + 1, np.int64)  # first the number of states after each observation, in the next place
    for y in range(low, high):
        if joint[y] > 0.0:
            states[size], weights[size] = y, joint[y]
            size += 1
            for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
                ends[sensor.indices[k] + 1] += 1
    add_up(columns, states, weights, 0, size, scores, 0)
    for z in range(Z):
        ends[z + 1] += ends[z]
    sources, shares = np.empty(ends[Z], np.uint32), np.empty(ends[Z], np.float32)
    for s in range(size):
        y = states[s]
        for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
            place = ends[sensor.indices[k]]
            sources[place], shares[place] = y, joint[y] * sensor.data[k]
            ends[sensor.indices[k]] += 1
    bits, highest = scores.view(np.int32), tops.view(np.float32)
    total, begin, row = 0.0, 0, 0
    for z in range(Z):
        rows[z] = 0
        if ends[z] > begin:
            row += 1
            add_up(columns, sources, shares, begin, ends[z], scores, row)
            tops[row] = top(bits, row)
            total += highest[row]
            rows[z] = row
        begin = ends[z]
    return total


@kernel
def arrivals(transitions: Stacked, first_row: int, beliefs: Stacked, at: int, X: int) -> tuple[Floats, int, int]:
    """Return the distribution over the next states, the first of them that is possible, and one after the last."""
    joint, low, high = np.zeros(X), X, 0
    for i in range(beliefs.indptr[at], beliefs.indptr[at + 1]):
        row = first_row + beliefs.indices[i]
        for j in range(transitions.indptr[row], transitions.indptr[row + 1]):
            y = int(np.int64(transitions.indices[j]))
            joint[y] += beliefs.data[i] * transitions.data[j]
            low, high = min(low, y), max(high, y + 1)
    return joint, low, high


@kernel
def add_up(
    columns: Singles, states: npt.NDArray[np.uint32], weights: Singles, begin: int, end: int, scores: Singles, row: int
) -> None:
    """Set a row of scores to the sum of the weighted rows of some states, in their order, up to four in one pass."""
    n, k = columns.shape[1], begin + 1
    y, v = states[begin], weights[begin]
    if end - begin < 4:
        for i in range(n):
            scores[row, i] = v * columns[y, i]
    else:
        k = begin + 4
        y1, y2, y3 = states[begin + 1], states[begin + 2], states[begin + 3]
        v1, v2, v3 = weights[begin + 1], weights[begin + 2], weights[begin + 3]
        for i in range(n):
            scores[row, i] = v * columns[y, i] + v1 * columns[y1, i] + v2 * columns[y2, i] + v3 * columns[y3, i]
    while k + 4 <= end:
        y, y1, y2, y3 = states[k], states[k + 1], states[k + 2], states[k + 3]
        v, v1, v2, v3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for i in range(n):
            part = scores[row, i] + v * columns[y, i] + v1 * columns[y1, i]
            scores[row, i] = part + v2 * columns[y2, i] + v3 * columns[y3, i]
        k += 4
    while k < end:
        y, v = states[k], weights[k]
        for i in range(n):
            scores[row, i] += v * columns[y, i]
        k += 1


@kernel
def top(bits: Bits, row: int) -> int:
    """Return the maximum of a row of float32 numbers; both are given as bits.

    With all bits but the sign's turned over where a number is negative, bits are in the order of the numbers.
    """
    highest = np.int32(-0x80000000)
    for i in range(bits.shape[1]):
        number = bits[row, i]
        highest = max(highest, np.int32(number ^ ((number >> 31) & 0x7FFFFFFF)))
    return int(np.int32(highest ^ ((highest >> 31) & 0x7FFFFFFF)))


@kernel
def first(scores: Singles, row: int, number: float) -> int:
    """Return the first place of a number in a row that has it."""
    last = np.int32(scores.shape[1] - 1)
    place = last
    for i in range(scores.shape[1]):
        place = min(place, np.int32(i) if scores[row, i] == number else last)
    return int(place)
