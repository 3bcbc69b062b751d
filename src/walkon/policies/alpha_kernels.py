"""Alpha vectors against beliefs. Kernels: plain arrays in, plain arrays out.

Vectors stand in columns, V[x, i], so that the inner loop runs over vectors in contiguous memory, and rows of
states without belief are skipped.
"""

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.distributions import Floats
from walkon.models.stacked import Stacked


@kernel
def values(V: npt.NDArray[np.floating], belief: Floats) -> Floats:
    """The value b . V_i of each vector."""
    n = V.shape[1]
    total = np.zeros(n)
    for x in range(belief.shape[0]):
        weight = belief[x]
        if weight != 0.0:
            row = V[x]
            for i in range(n):
                total[i] += weight * row[i]
    return total


@kernel
def successors(
    readings: Stacked, first_row: int, predicted: Floats, V: npt.NDArray[np.floating], Z: int
) -> tuple[npt.NDArray[np.int32], float]:
    """The best vector after each reading, and the value of following them.

    For a belief `predicted` over the states arrived in, maximises sum_y predicted(y) O(z|y) V[y, i] over i for each
    reading z. Readings that the belief cannot produce get the vector that is best when nothing is read: they add
    nothing at this belief, but the plan must say what to do after them.
    """
    n = V.shape[1]
    best = np.full(Z, -1, np.int32)
    scores = np.empty((Z, n), V.dtype)
    unread = np.zeros(n, V.dtype)
    for y in range(predicted.shape[0]):
        if predicted[y] > 0.0:
            row = V[y]
            weight = V.dtype.type(predicted[y])
            for i in range(n):
                unread[i] += weight * row[i]
            for k in range(readings.indptr[first_row + y], readings.indptr[first_row + y + 1]):
                z = readings.indices[k]
                weight = V.dtype.type(predicted[y] * readings.data[k])
                score = scores[z]
                if best[z] < 0:
                    best[z] = 0
                    for i in range(n):
                        score[i] = weight * row[i]
                else:
                    for i in range(n):
                        score[i] += weight * row[i]
    fallback = np.argmax(unread)
    total = 0.0
    for z in range(Z):
        if best[z] < 0:
            best[z] = fallback
        else:
            best[z] = np.argmax(scores[z])
            total += scores[z, best[z]]
    return best, total
