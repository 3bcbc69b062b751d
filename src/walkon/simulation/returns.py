"""Estimate what a policy earns: its discounted return, played out many times."""

import math

import numpy as np

from walkon.arrays import Floats
from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.simulation.return_kernels import discounted_returns


def simulate(
    problem: POMDP, policy: AlphaVectors, *, episodes: int = 1000, steps: int | None = None, seed: int = 0
) -> Floats:
    """Return the discounted return of each episode, [episodes].

    Args:
        problem: The problem that is played; also the model with which the belief is updated.
        policy: The policy. Where several vectors are best, the first of them decides.
        episodes: How many episodes to play.
        steps: The length of each; if not given, until later rewards count for less than 1e-4 of the first step.
        seed: Fixes all chance.
    """
    if episodes < 1:
        raise InputError(f"episodes is {episodes}, expected at least 1")
    if policy.vectors.shape[1] != len(problem.start) or policy.action_count != problem.R.shape[1]:
        raise InputError(f"{policy!r} was not made for {problem!r}: the numbers of states or actions differ")
    if steps is None:
        steps = math.ceil(math.log(1e-4) / math.log(problem.discount)) if problem.discount else 1
    over = (problem.R == 0).all(axis=1) & np.all([p.diagonal() == 1 for p in problem.P], axis=0)
    rng = np.random.default_rng(seed)
    world = (problem.transitions, problem.sensor_rows, problem.R, problem.start, problem.discount)
    lucks = (rng.random((steps + 1, 2)) for _ in range(episodes))
    return np.array([discounted_returns(*world, policy.columns, policy.actions, over, luck) for luck in lucks])
