"""Kernels of whole episodes of an agent that mixes alpha vectors.

They use the same parts as a step of `play`, in the same order, so the episode is the same to the last bit.
"""

import numpy as np
import numpy.typing as npt

from walkon.agents.inference_kernels import Models, posterior, switch
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.chance_kernels import choose, draw
from walkon.models.faint_kernels import with_tasks
from walkon.models.stacked import Stacked
from walkon.policies.block_kernels import Levels
from walkon.policies.mixture_kernels import mixture


@kernel
def sharpen(probabilities: Floats, tolerance: float) -> Floats:
    """Distribute all probability equally among the most probable actions."""
    bar = probabilities.max() - tolerance * abs(probabilities.max())
    chosen = probabilities >= bar
    shares: Floats = chosen / chosen.sum()
    return shares


@kernel
def episode(
    luck: Floats,  # [T, 4]: the uniform numbers of each step, for world, sensor, teammates, agent
    first: int,  # the first state
    world: tuple[Stacked, Stacked, Stacked],  # joint transitions, teammates and sensor of the task that is played
    over: npt.NDArray[np.bool_],  # [X]: where the episode ends
    models: Models,  # the agent's `Inference.models`
    start: Floats,  # its packed beliefs at the start
    opening: Floats,  # [A]: the probabilities of its first action
    stacked: tuple[
        Ints, Ints | None, Levels, Floats, Floats, Ints, int, float
    ],  # its `Mixture.stacked`, as a plain tuple
    tolerance: float,  # for ties
    greedy: bool,  # whether it takes the most probable action
    frozen: bool,  # whether its task belief stays at the prior
    hazard: tuple[Floats, Ints, float, bool],  # its `Inference.switching`
) -> tuple[int, Ints, Ints, Ints, Ints, Floats, npt.NDArray[np.bool_]]:
    """Play an episode, until a state where it ends or for T steps.

    Returns the number of steps; states [T + 1], actions, teammates' actions and observations [T], task beliefs
    [T + 1, K], unexplained [T], which are not filled beyond it.
    """
    joint, teammates, sensor = world
    A = stacked[6]
    T, K = luck.shape[0], stacked[4].shape[0]
    X = teammates.indptr.shape[0] - 1
    B = (joint.indptr.shape[0] - 1) // (X * A)
    states, actions = np.empty(T + 1, np.int64), np.empty(T, np.int64)
    teammate_actions, observations = np.empty(T, np.int64), np.empty(T, np.int64)
    tasks, unexplained = np.empty((T + 1, K)), np.zeros(T, np.bool_)
    beliefs = start
    x = first
    states[0] = x
    for k in range(K):
        tasks[0, k] = beliefs[k]
    for t in range(T):
        chances = opening if t == 0 else mixture(beliefs, *stacked)
        if greedy:
            chances = sharpen(chances, tolerance)
        a = choose(chances, luck[t, 3])
        b = draw(teammates, x, luck[t, 2])
        x = draw(joint, (a * B + b) * X + x, luck[t, 0])
        z = draw(sensor, a * X + x, luck[t, 1])
        if hazard[2] > 0.0:
            beliefs = switch(beliefs, *hazard)
        beliefs, total = posterior(*models, beliefs, a, z)
        if frozen:
            beliefs = with_tasks(beliefs, start[:K])
        if not total > 0.0:
            unexplained[t] = True
            beliefs = start
        states[t + 1], actions[t], teammate_actions[t], observations[t] = x, a, b, z
        for k in range(K):
            tasks[t + 1, k] = beliefs[k]
        if over[x]:
            return t + 1, states, actions, teammate_actions, observations, tasks, unexplained
    return T, states, actions, teammate_actions, observations, tasks, unexplained
