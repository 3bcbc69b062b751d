"""The end of a solve: the smallest closed set of vectors that keeps the lower bound.

Let V(b) = max_i alpha_i . b, and (H_a V)(b) = b . r_a + gamma sum_z rho(z|b, a) V(b after a and z). A policy that takes
at every belief b only actions a with V(b) <= (H_a V)(b) earns at least V(b) from b on: substitute the inequality into
itself repeatedly. That holds for every vector that is best at b, however ties are broken, if the set of vectors is
closed: for each vector i and observation z the set contains a vector s(i, z) such that, for all states x,

    alpha_i(x) <= r(x, a_i) + gamma sum_y P(y|x, a_i) sum_z O(z|y, a_i) alpha_s(i,z)(y).

A vector that was built by a backup satisfies this with equality, with the vectors it was built from: its successors. So
the policy consists of the vectors that are best at some point and of all their successors, direct and indirect. A
dominated vector can be removed: the vector that dominates it takes its place as a successor.

Two vectors tie if they differ by at most eps at the belief; a policy that mixes them loses at most eps in each step and
so eps/(1-gamma) in all. That and a bound on rounding errors are subtracted from every vector. The policy earns the
rest over an infinite horizon, if the model is true and beliefs are exact.

There are two candidates. One consists of the vectors that are best at some point and of all their successors, provided
that these still exist. The other is a controller of the best vectors only, which is smaller and often better. If its
value at the start is lower than the bound was, a few walks repair it, which adds vectors. It is taken if its value is
then at least that of the bound, except for an accepted loss, and if it is still the smaller one. If the solver ran out
of time, it is used only if the first candidate is not available.

The vectors that are best at some point become a controller if their successors are chosen among themselves: for vector
i and observation z, the one that is best on average over the beliefs that i is best at. The older vectors, which are no
longer the best anywhere, are then not needed. The values of this finite-state controller solve

    v_i(x) = r(x, a_i) + gamma sum_y P(y|x, a_i) sum_z O(z|y, a_i) v_s(i,z)(y).

They are approached from below: the first values are those of the worst plan, each sweep raises them, and after any
number of sweeps the set is closed. Vectors whose beliefs have the highest values come first, so that the values of a
goal spread far in one sweep. If there is little time, they start higher: let T be the operator on the right. If T u >=
u + m with m < 0, then w = T u + gamma/(1-gamma) m is nowhere above T w. T is first applied several times, starting from
the vectors as they are, which moves m towards zero. (Point-based policy iteration evaluates such controllers, Ji, Parr,
Li, Liao and Carin 2007.) A controller often has higher values than the vectors it was built from, because the newest
vectors are the successors of all. But it need not: a vector that is best at a sequence of beliefs, for example one that
waits, may become its own successor and wait for ever. So callers have to compare the values.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.vector_blocks import VectorBlocks
from walkon.solvers.points.controller_kernels import choose_successors, raise_all, replace_all, sum_beliefs
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.point_kernels import Points, count_wins
from walkon.solvers.points.storage import move_vectors, no_points, winners, with_columns, without_columns
from walkon.solvers.points.vector_kernels import Vectors, closed, needed, set_columns, undominated, vectors_of
from walkon.solvers.points.visible_kernels import Blocks
from walkon.solvers.solution import Budget

WALKS = 60  # at most, to repair a controller
SPARE = 1.1  # vectors for each one that is best at some point: a set that small is not reduced
FEW = 64  # the newest points of a vector that are averaged
FIRST = 1e3  # the weight of the start among them
HURRIED = 200  # sweeps from the vectors as they are, at most
STEADY = 0.01  # the discount of as many steps, above which they come to little
FADED = 1e-9  # the discount after which there are no more sweeps
LONGEST = (
    21_000  # sweeps, as many as fade with the discount 0.999; if the discount is closer to one, the values stay lower
)
COPIED = 64  # vectors at a time
SMALL = 2**21  # numbers, 16 MB: so many are written out, because decisions are then faster


def close(
    bound: LowerBound, precision: float, loss: float, walk: Callable[[], bool] | None = None, fewer: bool = True
) -> AlphaVectors:
    """Return a policy that earns the value of its vectors at every belief; the bound then has the same vectors.

    A controller is evaluated to `precision`, and `loss` is accepted at the start for fewer vectors, if there is time to
    look for `fewer`. `walk` makes one more walk, backs it up and returns whether there is time for another.
    """
    count_wins(bound.blocks, bound.vectors, bound.points)
    stay = needed(bound.blocks, bound.vectors)
    whole = closed(bound.blocks, bound.vectors, stay)
    if not whole or (fewer and stay.sum() > SPARE * winners(bound.vectors).sum()):
        before, wanted = bound.copy(), bound.value - loss
        make_controller(bound, precision, hurried=not fewer)
        for _ in range(WALKS):
            if bound.value >= wanted or walk is None or not walk():
                break
        count_wins(bound.blocks, bound.vectors, bound.points)
        now = needed(bound.blocks, bound.vectors)
        still = closed(bound.blocks, bound.vectors, now)
        if whole and not (still and bound.value >= wanted and now.sum() < stay.sum()):
            bound.restore(before)
        elif not still:
            make_controller(bound, precision, hurried=not fewer)
    return closed_policy(bound)


def slow(bound: LowerBound) -> bool:
    """Whether a controller would take too long: with a discount close to one, or very many states."""
    return bound.model.discount**HURRIED > STEADY or bound.large


def closed_policy(bound: LowerBound) -> AlphaVectors:
    """Return the vectors that are best somewhere, the simplest plans, and all their successors.

    Outside its block, a vector has the value of the worst plan. A vector that is nowhere above that is left out. The
    wins must have been counted, and the set has to be closed.
    """
    blocks, worst = bound.blocks, bound.worst
    good = undominated(blocks, bound.vectors, needed(blocks, bound.vectors))
    bound.vectors = vectors = without_columns(bound.vectors)
    states, stays = np.split(blocks.states, blocks.first[1:-1]), []
    for g, held in enumerate(vectors.held):
        begin = vectors.first[g]
        higher = (vectors_of(blocks, vectors, g)[:held] > worst[states[g]] + bound.tiny).any(axis=1)
        stays.append(np.flatnonzero(good[begin : begin + held] & (higher | (g == blocks.start))))
    rows = (
        vectors_of(blocks, vectors, g)[stay[i : i + COPIED]] - bound.margin
        for g, stay in enumerate(stays)
        for i in range(0, len(stay), COPIED)
    )
    kept = VectorBlocks.of(states, [len(stay) for stay in stays], rows, worst - bound.margin)
    actions = np.concatenate([vectors.actions[vectors.first[g] + stay] for g, stay in enumerate(stays)])
    small = kept.count * kept.state_count <= SMALL
    return AlphaVectors(kept.columns().T if small else kept, actions, bound.problem.R.shape[1])


def make_controller(bound: LowerBound, precision: float, *, hurried: bool = False, sweeps: int | None = None) -> None:
    """Reduce a bound to a controller of the vectors that are best at some point and of the fixed ones.

    The wins must have been counted, and are counted again. The values are within `precision` of the controller's where
    its vectors are used, unless the time is over before that, or the largest number of `sweeps` is reached.
    """
    blocks, points, model = bound.blocks, bound.points, bound.model
    none = np.zeros_like(bound.vectors.held)
    bound.vectors = without_columns(bound.vectors)
    bound.vectors = move_vectors(blocks, bound.vectors, points, winners(bound.vectors), none)
    bound.vectors = vectors = with_columns(blocks, bound.vectors)
    nodes, beliefs, values = _nodes(blocks, vectors, points)
    sums = (vectors_of(blocks, vectors, g)[:held].sum(axis=1) for g, held in enumerate(vectors.held))
    average = np.array([each.argmax() if len(each) else 0 for each in sums])  # the best of each block, on average
    choose_successors(model, blocks, vectors, beliefs, nodes, bound.branches, average)
    shift = -np.inf
    if hurried:
        new, ahead = np.empty(int(np.diff(blocks.first)[nodes[:, 0]].sum())), model.discount / (1 - model.discount)
        for _ in range(HURRIED if sweeps is None else min(HURRIED, sweeps // 2)):
            shift = min(0.0, ahead * replace_all(model, blocks, vectors, nodes, new))
            if -shift <= precision or bound.budget.finishing():
                break
    for g, held in enumerate(vectors.held):
        states, free = blocks.states[blocks.first[g] : blocks.first[g + 1]], slice(vectors.fixed[g], held)
        rows = vectors_of(blocks, vectors, g)
        rows[free] = np.maximum(bound.worst[states], rows[free] + shift)
    order = np.argsort(-values, kind="stable")
    most = math.ceil(math.log(FADED) / math.log(model.discount)) if model.discount else 1
    for _ in range(min(most, LONGEST if sweeps is None else sweeps // 2)):
        rise = raise_all(model, blocks, vectors, beliefs, nodes, order)
        if model.discount * rise <= precision * (1 - model.discount) or bound.budget.finishing():
            break
    set_columns(blocks, vectors)
    bound.replace(vectors)


def _nodes(blocks: Blocks, vectors: Vectors, points: Points) -> tuple[Ints, Points, Floats]:
    """Return the vectors that are best somewhere and not fixed, as nodes.

    They are given as the block and number of each, [nodes, 2]; the sum of the newest beliefs that it is best at,
    including the start; and the highest value among these, [nodes].
    """
    n = points.size[0]
    free = np.flatnonzero(points.winner[:n] >= vectors.fixed[points.block[:n]])
    places = vectors.first[points.block[free]] + points.winner[free]
    order = np.argsort(places, kind="stable")
    free, places = free[order], places[order]
    last = np.append(np.flatnonzero(np.diff(places)), len(places) - 1)[: len(places)]
    counts = np.diff(last, prepend=-1)
    newer = np.repeat(last, counts) - np.arange(len(places))
    few = (newer < FEW) | (free == 0)
    chosen, node = free[few], np.repeat(np.arange(len(last)), counts)[few]
    first, slots, sums = sum_beliefs(points, chosen, node, np.where(chosen == 0, FIRST, 1.0), len(blocks.states))
    values = np.full(len(last), -np.inf)
    np.maximum.at(values, node, points.value[chosen])
    nodes = np.stack([points.block[free[last]], points.winner[free[last]]], axis=1)
    return nodes, no_points()._replace(first=first, slots=slots, weights=sums), values


@cache
def warm_up(solver: Any, *, closes: bool = True) -> None:
    """Solve a tiny problem once in a process: it compiles the kernels of a solver, and those that close its vectors."""
    half, same = [[0.5, 0.5], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]
    tiny = POMDP(P=[half, same], O=[half, same], R=[[0, 1], [1, 0]], discount=0.5)
    solver.solve(tiny)
    if closes:  # by a controller, which it does not need for a tiny problem
        make_controller(LowerBound(tiny, Budget(None, None)), 1.0, hurried=True)
