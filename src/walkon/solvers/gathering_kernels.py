"""The kernel of the walks on which Perseus gathers its beliefs."""

import numpy as np

from walkon.arrays import Bools, Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import condition
from walkon.models.chance_kernels import draw
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import values

ENDED = 1e-9  # of a belief, at most, on states in which something is left to decide


@kernel
def walk(
    transitions: Stacked,
    sensor: Stacked,
    columns: Floats,  # [X, N]: the vectors of the guide
    actions: Ints,
    A: int,
    tolerance: float,  # of the guide's ties
    free: float,
    sighted: bool,
    finished: Bools,
    state: int,
    belief: Floats,
    exact: Floats,
    rng: np.random.Generator,
    found: Floats,
) -> tuple[int, int, Floats, Floats]:
    """Walk on, and put the belief after each step into a row of `found`, until that is full or nothing is left.

    A share `free` of the actions is random, the others are the guide's, the first of those that tie: at the belief or,
    on a walk that is `sighted`, in the state. Returns how many beliefs were found, and the state and the belief at the
    end, in the form of `condition`.
    """
    X = belief.shape[0]
    for step in range(found.shape[0]):
        guided = rng.random() >= free
        action = int(rng.integers(0, A))
        if guided:
            worth = columns[state].copy() if sighted else values(columns, belief)
            highest = worth.max()
            action = A
            for i in range(worth.shape[0]):
                if worth[i] >= highest - tolerance * abs(highest):
                    action = min(action, int(actions[i]))
        state = draw(transitions, action * X + state, rng.random())
        observation = draw(sensor, action * X + state, rng.random())
        belief, exact, _ = condition(transitions, sensor, belief, exact, action, observation)
        ended = 0.0
        for x in range(X):
            if finished[x]:
                ended += belief[x]
        if ended > 1 - ENDED:
            return step, state, belief, exact
        for x in range(X):
            found[step, x] = belief[x]
    return found.shape[0], state, belief, exact
