"""The point-based backup over sparse beliefs. Kernels: plain arrays in, plain arrays out."""

from typing import NamedTuple

import numpy as np

from walkon.compiled import kernel
from walkon.models.distributions import Floats, Ints
from walkon.models.stacked import Stacked
from walkon.solvers.point_kernels import Points, catch_up
from walkon.solvers.vector_kernels import Slots, Vectors, add_vector, best_vector, height, rows_of
from walkon.solvers.visible_kernels import Blocks


class Model(NamedTuple):
    """A POMDP as these kernels take it."""

    transitions: Stacked
    readings: Stacked
    R: Floats  # [X, A]
    discount: float
    above: Floats  # [X, A]: vectors of the fast informed bound


class Branches(NamedTuple):
    """What may be read after an action, and the weight that each state then has. Kept, and filled again and again."""

    reading: Ints  # [Z]
    first: Ints  # [Z + 1]: where in slots and weights a reading begins
    slots: Slots
    weights: Floats  # P(z, y): the belief after the reading, times the probability of the reading
    predicted: Floats  # [X], zero between calls
    reached: Ints  # [X]
    seen: Ints  # [Z], zero between calls


@kernel
def predict(model: Model, blocks: Blocks, points: Points, point: int, a: int, out: Branches) -> int:
    """Where action a leads from a point: out.predicted at the states out.reached, whose number is returned."""
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
    return reached


@kernel
def branch(model: Model, blocks: Blocks, points: Points, point: int, a: int, out: Branches) -> int:
    """What may be read after action a at a point; returns the number of readings."""
    X = model.R.shape[0]
    O = model.readings
    reached = predict(model, blocks, points, point, a, out)
    count = 0
    for j in range(reached):
        row = a * X + out.reached[j]
        for k in range(O.indptr[row], O.indptr[row + 1]):
            z = O.indices[k]
            if out.seen[z] == 0:
                out.reading[count] = z
                count += 1
            out.seen[z] += 1
    total = 0
    for j in range(count):
        z = out.reading[j]
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
        out.seen[out.reading[j]] = 0
    return count


@kernel
def follow_best(blocks: Blocks, vectors: Vectors, out: Branches, count: int, follow: Ints, worth: Floats) -> float:
    """After each reading z the best vector, follow[z], and its value times the reading's probability, worth[j].

    Returns the sum of the values.
    """
    total = 0.0
    for j in range(count):
        at = slice(out.first[j], out.first[j + 1])
        slots, weights = out.slots[at], out.weights[at]
        g = blocks.block[blocks.states[slots[0]]]
        best = best_vector(blocks, vectors, g, slots, weights, int(np.int64(0)))
        follow[out.reading[j]] = best
        worth[j] = height(slots, weights, rows_of(blocks, vectors, g)[best], blocks.first[g])
        total += worth[j]
    return total


@kernel
def plan(model: Model, blocks: Blocks, vectors: Vectors, g: int, a: int, follow: Ints) -> Floats:
    """The vector of a plan in block g: action a, and after reading z vector follow[z] of the block that it leads to."""
    X = model.R.shape[0]
    P, O = model.transitions, model.readings
    after = np.empty(X)
    known = np.zeros(X, np.bool_)
    alpha = np.empty(blocks.first[g + 1] - blocks.first[g])
    for j in range(alpha.shape[0]):
        x = blocks.states[blocks.first[g] + j]
        total = 0.0
        for i in range(P.indptr[a * X + x], P.indptr[a * X + x + 1]):
            y = P.indices[i]
            if not known[y]:
                known[y] = True
                h = blocks.block[y]
                rows = rows_of(blocks, vectors, h)
                place = blocks.slot[y] - blocks.first[h]
                worth = 0.0
                for k in range(O.indptr[a * X + y], O.indptr[a * X + y + 1]):
                    worth += O.data[k] * rows[follow[O.indices[k]], place]
                after[y] = worth
            total += P.data[i] * after[y]
        alpha[j] = model.R[x, a] + model.discount * total
    return alpha


@kernel
def averages(blocks: Blocks, points: Points, point: int, table: Floats) -> Floats:
    """The average of a table [X, A] over the belief of a point, [A]."""
    total = np.zeros(table.shape[1])
    for j in range(points.first[point], points.first[point + 1]):
        row = table[blocks.states[points.slots[j]]]
        for a in range(total.shape[0]):
            total[a] += points.weights[j] * row[a]
    return total


@kernel
def backup(
    model: Model,
    blocks: Blocks,
    vectors: Vectors,
    points: Points,
    point: int,
    above: Floats,
    out: Branches,
    least: float,
) -> float:
    """Add the best one-step plan at a point if it gains more than `least` there; returns the gain, or zero.

    Actions whose upper bound, above[a], is not higher than what is there already need not be looked at.
    """
    g = points.block[point]
    catch_up(blocks, vectors, points, point)
    rewards = averages(blocks, points, point, model.R)
    Z = out.reading.shape[0]
    follow, chosen, worth = np.zeros(Z, np.int64), np.zeros(Z, np.int64), np.empty(Z)
    action, value = int(np.int64(-1)), points.value[point] + least
    left = above.copy()
    for _ in range(above.shape[0]):
        a = int(np.argmax(left))
        if above[a] <= value:
            break
        left[a] = -np.inf
        follow[:] = 0  # after readings that cannot follow here, the first vector of the block
        count = branch(model, blocks, points, point, a, out)
        total = rewards[a] + model.discount * follow_best(blocks, vectors, out, count, follow, worth)
        if total > value:
            action, value = a, total
            chosen, follow = follow, chosen
    if action < 0:
        return 0.0
    alpha = plan(model, blocks, vectors, g, action, chosen)
    at = slice(points.first[point], points.first[point + 1])
    gain = height(points.slots[at], points.weights[at], alpha, blocks.first[g]) - points.value[point]
    if gain <= least:
        return 0.0
    add_vector(blocks, vectors, g, alpha, action)
    catch_up(blocks, vectors, points, point)
    return float(gain)
