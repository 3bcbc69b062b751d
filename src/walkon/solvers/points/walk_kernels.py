"""Kernels of simulated walks and of their backups in reverse."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import entry
from walkon.models.chance_kernels import draw
from walkon.policies.alpha_kernels import highest
from walkon.solvers.points.backup_kernels import Branches, Model, Search, averages, backup, predict
from walkon.solvers.points.point_kernels import Points, catch_up, settle
from walkon.solvers.points.vector_kernels import Vectors
from walkon.solvers.points.visible_kernels import Blocks

GUIDES = 3
BY_STATE, BY_HOPE, BY_VECTORS = range(GUIDES)
SURPRISE = 0.1  # the share of random actions, with any guide


@kernel
def arrive(
    model: Model, blocks: Blocks, vectors: Vectors, points: Points, point: int, a: int, z: int, out: Branches
) -> int:
    """Return the point after action a and observation z; -1 if the states that may show z were negligible."""
    X = model.R.shape[0]
    reached = predict(model, blocks, points, point, a, out)
    n = 0
    for j in range(reached):
        y = out.reached[j]
        weight = out.predicted[y] * entry(model.sensor, a * X + y, z)
        out.predicted[y] = 0.0
        if weight > 0.0:
            out.slots[n], out.weights[n] = blocks.slot[y], weight
            n += 1
    return settle(blocks, vectors, points, out.slots[:n], out.weights[:n]) if n > 0 else -1


@kernel
def plausible(hope: Floats, value: float, uniform: float) -> int:
    """Choose one of the actions whose upper bound is above `value`, or any if there is none."""
    hopeful, count = np.empty(hope.shape[0], np.int64), 0
    for a in range(hope.shape[0]):
        if hope[a] > value:
            hopeful[count] = a
            count += 1
    return int(hopeful[int(uniform * count)]) if count > 0 else int(uniform * hope.shape[0])


@kernel
def walk(search: Search, at: int, guide: int, least: float, luck: Floats, path: Ints) -> int:
    """Simulate an episode from a point and write its points to `path`; return their number.

    The guide chooses the action that is best in the simulated state, or best on average over the belief, or that of the
    best vector; some actions are random. The walk ends where no more than `least` can be gained. luck [steps, 4] holds
    uniform random numbers.
    """
    model, blocks, vectors, points, _, out = search
    X = model.R.shape[0]
    length = 0
    catch_up(blocks, vectors, points, at)
    begin, end = points.first[at], points.first[at + 1]
    j, total = begin, points.weights[begin]
    while total <= luck[0, 3] and j < end - 1:
        j += 1
        total += points.weights[j]
    state = blocks.states[points.slots[j]]
    for t in range(luck.shape[0]):
        hope = averages(blocks, points, at, model.above)
        if t > 0 and hope[highest(hope)] - points.value[at] <= least:
            break
        path[length] = at
        length += 1
        if luck[t, 0] < SURPRISE:
            a = plausible(hope, points.value[at], luck[t, 3])
        elif guide == BY_STATE:
            a = highest(model.above[state])
        elif guide == BY_HOPE:
            a = highest(hope)
        else:
            a = int(vectors.actions[vectors.first[points.block[at]] + points.winner[at]])
        state = draw(model.transitions, a * X + state, luck[t, 1])
        z = draw(model.sensor, a * X + state, luck[t, 2])
        at = arrive(model, blocks, vectors, points, at, a, z, out)
        if at < 0:
            break
    return length


@kernel
def back_up_in_reverse(search: Search, path: Ints, least: float) -> float:
    """Back up the points of a path from its end to its beginning; return the sum of the gains."""
    gains = 0.0
    for t in range(path.shape[0] - 1, -1, -1):
        above = averages(search.blocks, search.points, path[t], search.model.above)
        gains += backup(search, path[t], above, least)
    return gains
