"""The kernel of the fast informed bound."""

import numpy as np

from walkon.arrays import Floats
from walkon.compiled import kernel
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import highest


@kernel
def informed_sweep(transitions: Stacked, sensor: Stacked, R: Floats, discount: float, old: Floats, new: Floats) -> None:
    """Compute new[x, a] = r(x, a) + gamma sum_z max_c sum_y P_a(y|x) O_a(z|y) old[y, c] for every x and a."""
    X, A = R.shape
    Z = 0
    for k in range(sensor.indices.shape[0]):
        Z = max(Z, sensor.indices[k] + 1)
    scores = np.zeros((Z, A))
    touched = np.empty(Z, np.int64)
    seen = np.zeros(Z, np.bool_)
    for a in range(A):
        for x in range(X):
            count = 0
            for i in range(transitions.indptr[a * X + x], transitions.indptr[a * X + x + 1]):
                y = transitions.indices[i]
                for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
                    z = sensor.indices[k]
                    weight = transitions.data[i] * sensor.data[k]
                    if not seen[z]:
                        seen[z] = True
                        touched[count] = z
                        count += 1
                        for c in range(A):
                            scores[z, c] = 0.0
                    for c in range(A):
                        scores[z, c] += weight * old[y, c]
            total = 0.0
            for j in range(count):
                z = touched[j]
                seen[z] = False
                total += scores[z, highest(scores[z])]
            new[x, a] = R[x, a] + discount * total
