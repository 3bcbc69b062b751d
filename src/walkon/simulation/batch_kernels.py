"""A whole episode of an agent that mixes alpha vectors. Kernels: plain arrays in, plain arrays out.

The same pieces as one step of `play`, in the same order, so the episode is the same to the last bit.
"""

import numpy as np
import numpy.typing as npt

from walkon.agents.inference_kernels import Models, posterior, switch
from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.chance_kernels import choose, draw
from walkon.models.faint_kernels import with_tasks
from walkon.models.stacked import Stacked
from walkon.policies.mixture_kernels import mixture


@kernel
def sharpen(probabilities: Floats, tolerance: float) -> Floats:
    """All probability on the most probable actions, in equal shares."""
    bar = probabilities.max() - tolerance * abs(probabilities.max())
    chosen = probabilities >= bar
    shares: Floats = chosen / chosen.sum()
    return shares


@kernel
def episode(
    luck: Floats,
    first: int,
    world: tuple[Stacked, Stacked, Stacked],
    models: Models,
    start: Floats,
    opening: Floats,
    stacked: tuple[Ints, Ints, npt.NDArray[np.uint16], Floats, Floats, Ints, int, float],
    tolerance: float,
    greedy: bool,
    frozen: bool,
    hazard: tuple[Floats, Ints, float, bool],
) -> tuple[Ints, Ints, Ints, Ints, Floats, npt.NDArray[np.bool_]]:
    """States [T + 1], actions, teammates' actions and observations [T], task beliefs [T + 1, K], unexplained [T].

    Args:
        luck: The uniform numbers of each step [T, 4]: world, sensor, teammates, agent.
        first: The first state.
        world: The task that is played: joint transitions, teammates, observations.
        models: The agent's models, as `Inference.models` has them.
        start: Its packed beliefs at the start.
        opening: What it does there: the probability of each action.
        stacked: Its policies, as `Mixture.stacked` has them.
        tolerance: How close to the best counts as a tie.
        greedy: Whether the agent takes the most probable action.
        frozen: Whether its task belief stays at the prior.
        hazard: How its teammates may change their task, as `Inference.switching` has it.
    """
    joint, teammates, sensor = world
    A = stacked[6]
    T, K = luck.shape[0], stacked[0].shape[0] - 1
    X = teammates.indptr.shape[0] - 1
    B = (joint.indptr.shape[0] - 1) // (X * A)
    states, actions = np.empty(T + 1, np.int64), np.empty(T, np.int64)
    teammate_actions, observations = np.empty(T, np.int64), np.empty(T, np.int64)
    tasks, unexplained = np.empty((T + 1, K)), np.zeros(T, np.bool_)
    beliefs = start
    x = first
    states[0] = x
    tasks[0] = beliefs[:K]
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
        tasks[t + 1] = beliefs[:K]
    return states, actions, teammate_actions, observations, tasks, unexplained
