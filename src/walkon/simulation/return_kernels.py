"""The kernel of one episode of a policy in a POMDP."""

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import condition
from walkon.models.chance_kernels import draw
from walkon.models.stacked import Stacked
from walkon.policies.block_kernels import Levels, first_best_vector


@kernel
def discounted_returns(
    transitions: Stacked,
    sensor: Stacked,
    R: Floats,
    start: Floats,
    discount: float,
    places: Ints,  # of the policy, as the next ones: see `vector_blocks.Stack`
    layouts: Ints | None,
    levels: Levels,
    entries: Floats,
    near: Floats,
    actions: Ints,
    over: npt.NDArray[np.bool_],
    luck: Floats,
) -> float:
    """Return the discounted return of one episode with the uniform random numbers `luck` [steps + 1, 2].

    The episode ends in states that are `over` [X].
    """
    X = start.shape[0]
    state = min(np.searchsorted(np.cumsum(start), luck[0, 0], side="right"), X - 1)
    belief, exact = start.copy(), np.empty((0, 2))
    earned, weight = 0.0, 1.0
    for t in range(1, luck.shape[0]):
        if over[state]:
            break
        action = actions[first_best_vector(belief, places, layouts, levels, entries, near, 0.0)[0]]
        earned += weight * R[state, action]
        weight *= discount
        state = draw(transitions, action * X + state, luck[t, 0])
        observation = draw(sensor, action * X + state, luck[t, 1])
        belief, exact, _ = condition(transitions, sensor, belief, exact, action, observation)
    return earned
