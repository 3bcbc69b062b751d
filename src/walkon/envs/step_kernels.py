"""A kernel of one step in many environments: the same draws, in the same order, as in a step of `simulation`."""

import numpy as np

from walkon.arrays import Bools, Floats, Ints
from walkon.compiled import kernel
from walkon.models.chance_kernels import draw, place
from walkon.models.stacked import Stacked


@kernel
def step_all(
    tables: tuple[Stacked, Stacked, Stacked],  # joint transitions, teammates and sensors, one task below the other
    paid: Floats,  # the reward of each entry of the joint transitions
    over: Bools,  # where an episode ends, for the states of all tasks
    layout: Ints,  # [K, 4]: numbers of states and joint actions, rows of the first state and of its transitions
    horizon: int,
    tasks: Ints,  # [N]: of the environments
    states: Ints,  # [N], and times and observations: they are overwritten
    times: Ints,
    observations: Ints,
    resting: Bools,  # [N]: these environments do not move
    actions: Ints,  # [N]
    luck: Floats,  # [N, C, 4]: of each environment, for some consecutive steps: world, sensor, teammates, agent
) -> tuple[Floats, Ints, Bools, Bools]:
    """Play a step; return rewards, teammates' actions (-1 where there was no step), terminations and truncations."""
    joint, teammates, sensor = tables
    N, A = len(tasks), (len(sensor.indptr) - 1) // len(over)
    rewards, teammate_actions = np.zeros(N), np.full(N, -1)
    terminated, truncated = np.zeros(N, np.bool_), np.zeros(N, np.bool_)
    for i in range(N):
        if resting[i]:
            continue
        X, B, first, base = layout[tasks[i]]
        x, a, t = states[i], actions[i], times[i] % luck.shape[1]
        b = draw(teammates, first + x, luck[i, t, 2])
        entry = place(joint, base + (a * B + b) * X + x, luck[i, t, 0])
        y = int(joint.indices[entry])
        states[i], rewards[i], teammate_actions[i] = y, paid[entry], b
        observations[i] = draw(sensor, first * A + a * X + y, luck[i, t, 1])
        times[i] += 1
        terminated[i] = over[first + y]
        truncated[i] = times[i] == horizon and not terminated[i]
    return rewards, teammate_actions, terminated, truncated
