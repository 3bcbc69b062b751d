"""Kernels of the vectors to follow after each observation.

Vectors are columns, V[x, i], so that the inner loop reads contiguous memory and impossible states are skipped.
"""

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.stacked import Stacked
from walkon.policies.block_kernels import Levels, leading

FEW = 32  # numbers whose maximum is found one by one


@kernel
def highest(numbers: Floats) -> int:
    """Return the argmax of a few numbers. Numba's own takes longer to compile."""
    place = 0
    for i in range(1, numbers.shape[0]):
        if numbers[i] > numbers[place]:
            place = i
    return place


@kernel
def values(V: npt.NDArray[np.floating], belief: Floats) -> Floats:
    """Return the value b . V_i of each vector."""
    n = V.shape[1]
    total = np.zeros(n)
    for x in range(belief.shape[0]):
        weight = belief[x]
        if weight != 0.0:
            for i in range(n):
                total[i] += weight * V[x, i]
    return total


@kernel
def successors(
    sensor: Stacked, first_row: int, predicted: Floats, V: npt.NDArray[np.floating], Z: int
) -> tuple[npt.NDArray[np.int32], float]:
    """Return the best vector after each observation, and the value of continuing with these.

    For a belief `predicted` over the next states, maximises sum_y predicted(y) O(z|y) V[y, i] over i for each
    observation z. Observations that are impossible under the belief get the vector that is best without an
    observation: they add no value at this belief, but a plan has to continue after them.
    """
    n = V.shape[1]
    best = np.full(Z, -1, np.int32)
    scores = np.empty((Z + 1, n), V.dtype)  # the last row is without an observation
    scores[Z] = 0.0
    for y in range(predicted.shape[0]):
        if predicted[y] > 0.0:
            weight = V.dtype.type(predicted[y])
            for i in range(n):
                scores[Z, i] += weight * V[y, i]
            for k in range(sensor.indptr[first_row + y], sensor.indptr[first_row + y + 1]):
                z = sensor.indices[k]
                weight = V.dtype.type(predicted[y] * sensor.data[k])
                if best[z] < 0:
                    best[z] = 0
                    for i in range(n):
                        scores[z, i] = weight * V[y, i]
                else:
                    for i in range(n):
                        scores[z, i] += weight * V[y, i]
    room = np.empty(n, V.dtype)
    fallback = first_best(scores, Z, room)
    total = 0.0
    for z in range(Z):
        if best[z] < 0:
            best[z] = fallback
        else:
            best[z] = first_best(scores, z, room)
            total += scores[z, best[z]]
    return best, total


@kernel
def first_best(scores: npt.NDArray[np.floating], row: int, room: npt.NDArray[np.floating]) -> int:
    """Return the argmax of a row, with vectorised comparisons.

    The two halves of the row are merged by their maximum, in `room`, and so are those of what is left, until it is
    short; the maximum of that is then searched for. Loops over slices can be vectorised: their indices begin at 0.
    """
    numbers = scores[row]
    n = numbers.shape[0]
    left = (n + 1) // 2
    upper = numbers[left:]
    for i in range(left):
        room[i] = numbers[i]
    for i in range(upper.shape[0]):
        room[i] = upper[i] if upper[i] > room[i] else room[i]
    while left > FEW:
        half = (left + 1) // 2
        upper = room[half:left]
        for i in range(upper.shape[0]):
            room[i] = upper[i] if upper[i] > room[i] else room[i]
        left = half
    top, last = room[0], np.int32(n - 1)
    for i in range(1, left):
        top = room[i] if room[i] > top else top
    first = last
    for i in range(n):
        first = min(first, np.int32(i) if numbers[i] == top else last)
    return int(first)


@kernel
def value_after(
    sensor: Stacked,
    first_row: int,
    predicted: Floats,
    Z: int,
    places: Ints,
    layouts: Ints | None,
    levels: Levels,
    entries: Floats,
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
            _, values, best, _ = leading(layouts, places[0], levels, entries, own, 0.0)
            for value in values:
                best = max(best, value)
            total += best
    return total
