"""A problem that ends after N steps, as one without a horizon: its states also say which step it is.

    v_n(b) = max_a r(b, a) + gamma sum_z P(z|b, a) v_{n-1}(b')      v_0 = 0

Solvers know neither a horizon nor a discount of 1. So state (t, x) leads to states (t + 1, y) as x leads to y, and
those of step N are kept and pay nothing. Where gamma is 1, the discount becomes g = N / (N + 1), and what step t pays
is multiplied by g^-t, which is at most e: what an episode earns stays the same, and so does the value at the start.
"""

from typing import Any

import numpy as np
from scipy.sparse import block_diag, csr_array, eye_array, kron

from walkon.arrays import Floats, Names
from walkon.checks import whole
from walkon.memory import check_memory

ENTRY = 12  # bytes of a number in a matrix of the problem


def with_steps(
    steps: int, P: tuple[csr_array, ...], R: Floats, start: Floats, discount: float, states: Names | None
) -> dict[str, Any]:
    """Return these parts of a problem for as many steps, [steps + 1 times X] states."""
    N = whole("horizon", steps, 1, None)
    layers = N + 1
    check_memory(ENTRY * layers * sum(p.nnz for p in P), f"a horizon of {N:,} steps", "take a shorter one")
    X = len(start)
    then, last = eye_array(layers, k=1), np.arange(layers) == N
    stays = block_diag([csr_array((N * X, N * X)), eye_array(X)])
    g = discount if discount < 1 else N / layers
    scale = np.where(last, 0.0, (discount / g if g else 1.0) ** np.arange(layers))  # [layers]
    names = states or tuple(map(str, range(X)))
    return {
        "P": [csr_array(kron(then, p) + stays) for p in P],
        "R": np.kron(scale[:, None], R),
        "start": np.kron(np.arange(layers) == 0, start),
        "discount": g,
        "states": [f"step {t}: {name}" for t in range(layers) for name in names],
    }


def at_every_step(steps: int, O: tuple[csr_array, ...]) -> tuple[csr_array, ...]:
    """Return the sensor of a problem for as many steps; a matrix that several actions share stays shared."""
    made = {id(o): csr_array(kron(np.ones((steps + 1, 1)), o)) for o in O}
    return tuple(made[id(o)] for o in O)
