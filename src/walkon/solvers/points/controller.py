"""Vectors that count on one another only: a finite-state controller, evaluated from below.

A solver raises its bound by new vectors that count on older ones, and these on still older ones, which are no longer
the best anywhere. Instead of keeping them all, the vectors that are best at some point can be made to count on one
another: vector i, after observation z, on the one that is best on average over the beliefs that i is best at. That is a
finite-state controller, and its values solve

    v_i(x) = r(x, a_i) + gamma sum_y P(y|x, a_i) sum_z O(z|y, a_i) v_s(i,z)(y).

They are approached from below: starting from values that no plan can fall below, each sweep raises them, and after any
number of sweeps the set is closed (see `closing`). Vectors whose beliefs have the highest values come first, so
that what is gained at a goal reaches far in one sweep. (Point-based policy iteration evaluates such controllers, Ji,
Parr, Li, Liao and Carin 2007.) A controller often has higher values than the vectors that it was made from, because
every vector now counts on the newest. But it need not: a single vector that is best at a row of beliefs, as when one
waits, may come to count on itself and to wait for ever. Whoever asks for it has to compare.
"""

import math

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.solvers.points.belief_points import no_points
from walkon.solvers.points.controller_kernels import choose_successors, raise_all, sum_beliefs
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.point_kernels import Points, count_wins
from walkon.solvers.points.vector_kernels import Vectors, rows_of, set_columns
from walkon.solvers.points.vectors import moved, winners
from walkon.solvers.points.visible_kernels import Blocks

FEW = 64  # of a vector's points, the newest
FIRST = 1e3  # the weight of the start among them
FADED = 1e-9  # how little what follows counts when there are no more sweeps


def make_controller(bound: LowerBound, precision: float) -> None:
    """Keep of a bound the vectors that are best at some point, and those that stay in any case, as a controller.

    The wins must have been counted, and are counted again.

    Args:
        bound: The bound.
        precision: How far the values may stay below those of the controller where its vectors are used.
    """
    blocks, points, model = bound.blocks, bound.points, bound.model
    none = np.zeros_like(bound.vectors.held)
    bound.vectors = vectors = moved(blocks, bound.vectors, points, winners(bound.vectors), none)
    nodes, beliefs, values = _nodes(blocks, vectors, points)
    choose_successors(model, blocks, vectors, beliefs, nodes, bound.branches, _best_on_average(blocks, vectors))
    for g, held in enumerate(vectors.held):
        states = blocks.states[blocks.first[g] : blocks.first[g + 1]]
        rows_of(blocks, vectors, g)[vectors.fixed[g] : held] = bound.worst[states]
    order = np.argsort(-values, kind="stable")
    sweeps = math.ceil(math.log(FADED) / math.log(model.discount)) if model.discount else 1
    for _ in range(sweeps):
        rise = raise_all(model, blocks, vectors, beliefs, nodes, order)
        if model.discount * rise <= precision * (1 - model.discount):
            break
    set_columns(blocks, vectors)
    points.value[: points.size[0]], points.looked[: points.size[0]] = -np.inf, 0
    bound.forget()
    count_wins(blocks, vectors, points)


def _nodes(blocks: Blocks, vectors: Vectors, points: Points) -> tuple[Ints, Points, Floats]:
    """The vectors that win somewhere and are free to change, as nodes.

    Returns the block and the number of each, [nodes, 2]; the sum of the newest beliefs that it is best at, and of the
    start if that is one; and the highest value among these, [nodes].
    """
    n = points.size[0]
    free = np.flatnonzero(points.winner[:n] >= vectors.fixed[points.block[:n]])
    seats = vectors.seat[points.block[free]] + points.winner[free]
    order = np.argsort(seats, kind="stable")
    free, seats = free[order], seats[order]
    last = np.append(np.flatnonzero(np.diff(seats)), len(seats) - 1)[: len(seats)]
    counts = np.diff(last, prepend=-1)
    newer = np.repeat(last, counts) - np.arange(len(seats))
    few = (newer < FEW) | (free == 0)
    chosen, node = free[few], np.repeat(np.arange(len(last)), counts)[few]
    first, slots, sums = sum_beliefs(points, chosen, node, np.where(chosen == 0, FIRST, 1.0), len(blocks.states))
    values = np.full(len(last), -np.inf)
    np.maximum.at(values, node, points.value[chosen])
    nodes = np.stack([points.block[free[last]], points.winner[free[last]]], axis=1)
    return nodes, no_points()._replace(first=first, slots=slots, weights=sums), values


def _best_on_average(blocks: Blocks, vectors: Vectors) -> Ints:
    """In each block, the vector that is best on average over its states."""
    sums = (rows_of(blocks, vectors, g)[:held].sum(axis=1) for g, held in enumerate(vectors.held))
    return np.array([each.argmax() if len(each) else 0 for each in sums])
