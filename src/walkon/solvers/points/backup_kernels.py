"""Kernels of the point-based backup over sparse beliefs."""

from typing import NamedTuple

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.stacked import Stacked
from walkon.policies.alpha_kernels import highest
from walkon.solvers.points.point_kernels import Points, catch_up
from walkon.solvers.points.vector_kernels import Slots, Vectors, add_plan, best_vector, height
from walkon.solvers.points.visible_kernels import Blocks

QUICK = 1 / 4  # the work of a number, where those of all actions are read together


class Model(NamedTuple):
    """A POMDP for these kernels."""

    transitions: Stacked
    sensor: Stacked
    R: Floats  # [X, A]
    discount: float
    above: Floats  # [X, A]: the fast informed bound


class Branches(NamedTuple):
    """The possible observations after an action, and the weights of the states after each. The arrays are reused."""

    observation: Ints  # [Z]
    first: Ints  # [Z + 1]: the first entry of each observation in slots and weights
    slots: Slots
    weights: Floats  # P(z, y): the belief after the observation, times the probability of the observation
    predicted: Floats  # [X], zero between calls
    reached: Ints  # [X]
    seen: Ints  # [Z], zero between calls


class Findings(NamedTuple):
    """The best vector for each point, action and observation so far: only newer ones have to be compared with it."""

    first: Ints  # [points, A]: the first entry of an action's observations in the others, -1 for none
    best: Ints
    worth: Floats  # the value of that vector, times the probability of the observation
    looked: Ints  # the number of vectors of the block that were compared
    size: Ints  # [1]: the used length of the others; room for all observations stays free at the end


class Search(NamedTuple):
    """A problem and the state of its lower bound."""

    model: Model
    blocks: Blocks
    vectors: Vectors
    points: Points
    findings: Findings
    branches: Branches


@kernel
def predict(model: Model, blocks: Blocks, points: Points, point: int, a: int, out: Branches) -> int:
    """Predict the belief after action a: out.predicted at the states out.reached, whose number is returned."""
    X = model.R.shape[0]
    P = model.transitions
    reached = 0
    for j in range(points.first[point], points.first[point + 1]):
        row = a * X + blocks.states[points.slots[j]]
        for i in range(P.indptr[row], P.indptr[row + 1]):
            y = P.indices[i]
            if out.predicted[y] == 0.0:
                out.reached[reached] = y
                reached += 1
            out.predicted[y] += points.weights[j] * P.data[i]
    blocks.work[0] += points.first[point + 1] - points.first[point] + reached
    return reached


@kernel
def branch(model: Model, blocks: Blocks, points: Points, point: int, a: int, out: Branches) -> int:
    """Fill `out` with the possible observations after action a at a point, and return their number."""
    X = model.R.shape[0]
    O = model.sensor
    reached = predict(model, blocks, points, point, a, out)
    count = 0
    for j in range(reached):
        row = a * X + out.reached[j]
        for k in range(O.indptr[row], O.indptr[row + 1]):
            z = O.indices[k]
            if out.seen[z] == 0:
                out.observation[count] = z
                count += 1
            out.seen[z] += 1
    total = 0
    for j in range(count):
        z = out.observation[j]
        out.first[j] = total
        total += out.seen[z]
        out.seen[z] = out.first[j]
    out.first[count] = total
    for j in range(reached):
        y = out.reached[j]
        row = a * X + y
        for k in range(O.indptr[row], O.indptr[row + 1]):
            z = O.indices[k]
            at = out.seen[z]
            out.seen[z] = at + 1
            out.slots[at] = blocks.slot[y]
            out.weights[at] = out.predicted[y] * O.data[k]
        out.predicted[y] = 0.0
    for j in range(count):
        out.seen[out.observation[j]] = 0
    blocks.work[0] += reached + total
    return count


@kernel
def follow_best(
    blocks: Blocks, vectors: Vectors, out: Branches, count: int, findings: Findings, point: int, a: int, follow: Ints
) -> tuple[int, float]:
    """Find the best vector follow[z] after each of the observations in `out`, those of action a.

    Returns the index of their first value in findings.worth, and the sum of the values.
    """
    at = findings.first[point, a]
    fresh = at < 0
    if fresh:
        at = findings.size[0]
        spare = findings.worth.shape[0] - out.observation.shape[0]
        if at + count <= spare:
            findings.first[point, a] = at
            findings.size[0] = at + count
        else:
            at = spare  # no room to remember them
    total = 0.0
    for j in range(count):
        begin, end = out.first[j], out.first[j + 1]
        g = blocks.block[blocks.states[out.slots[begin]]]
        since = 0 if fresh else findings.looked[at + j]
        if since < vectors.held[g]:
            best = best_vector(blocks, vectors, g, out.slots, out.weights, begin, end, since)
            worth = height(blocks, vectors, g, best, out.slots, out.weights, begin, end)
            if fresh or worth > findings.worth[at + j]:
                findings.worth[at + j], findings.best[at + j] = worth, best
            findings.looked[at + j] = vectors.held[g]
        follow[out.observation[j]] = findings.best[at + j]
        total += findings.worth[at + j]
    return int(at), total


@kernel
def plan(model: Model, blocks: Blocks, vectors: Vectors, g: int, a: int, follow: Ints) -> Floats:
    """Return the vector of a plan in block g: action a, then after observation z vector follow[z] of the next block."""
    X = model.R.shape[0]
    P, O = model.transitions, model.sensor
    known, after, arrived = vectors.known, vectors.after, vectors.arrived
    reached = 0
    alpha = np.empty(blocks.first[g + 1] - blocks.first[g])
    for j in range(alpha.shape[0]):
        x = blocks.states[blocks.first[g] + j]
        total = 0.0
        for i in range(P.indptr[a * X + x], P.indptr[a * X + x + 1]):
            y = P.indices[i]
            if not known[y]:
                known[y] = True
                arrived[reached] = y
                reached += 1
                h = blocks.block[y]
                size = blocks.first[h + 1] - blocks.first[h]
                place = vectors.offset[h] + blocks.slot[y] - blocks.first[h]
                worth = 0.0
                for k in range(O.indptr[a * X + y], O.indptr[a * X + y + 1]):
                    worth += O.data[k] * vectors.rows[place + follow[O.indices[k]] * size]
                after[y] = worth
            total += P.data[i] * after[y]
        alpha[j] = model.R[x, a] + model.discount * total
    for j in range(reached):
        known[arrived[j]] = False
    return alpha


@kernel
def averages(blocks: Blocks, points: Points, point: int, table: Floats) -> Floats:
    """Average a table [X, A] over the belief of a point, [A]."""
    total = np.zeros(table.shape[1])
    for j in range(points.first[point], points.first[point + 1]):
        x = blocks.states[points.slots[j]]
        for a in range(total.shape[0]):
            total[a] += points.weights[j] * table[x, a]
    blocks.work[0] += QUICK * total.shape[0] * (points.first[point + 1] - points.first[point])
    return total


@kernel
def backup(search: Search, point: int, above: Floats, least: float) -> float:
    """Add the best one-step plan at a point if it gains more than `least` there; return the gain, or zero.

    Actions whose upper bound above[a] is not higher than the current value are skipped.
    """
    model, blocks, vectors, points, findings, out = search
    g = points.block[point]
    catch_up(blocks, vectors, points, point)
    rewards = averages(blocks, points, point, model.R)
    Z = out.observation.shape[0]
    follow, chosen = np.zeros(Z, np.int64), np.zeros(Z, np.int64)
    action, value = int(np.int64(-1)), points.value[point] + least
    left = above.copy()
    for _ in range(above.shape[0]):
        a = highest(left)
        if above[a] <= value:
            break
        left[a] = -np.inf
        for z in range(Z):
            follow[z] = 0  # impossible observations get the first vector of the block
        count = branch(model, blocks, points, point, a, out)
        _, future = follow_best(blocks, vectors, out, count, findings, point, a, follow)
        if rewards[a] + model.discount * future > value:
            action, value = a, rewards[a] + model.discount * future
            chosen, follow = follow, chosen
    if action < 0:
        return 0.0
    alpha = plan(model, blocks, vectors, g, action, chosen)
    worth = 0.0
    for j in range(points.first[point], points.first[point + 1]):
        worth += points.weights[j] * alpha[points.slots[j] - blocks.first[g]]
    gain = worth - points.value[point]
    if gain <= least:
        return 0.0
    add_plan(blocks, vectors, g, alpha, action, chosen)
    catch_up(blocks, vectors, points, point)
    return float(gain)
