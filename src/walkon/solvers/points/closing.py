"""The end of a solve: a closed set of vectors from a lower bound, and as few as possible.

Let V(b) = max_i alpha_i . b, and (H_a V)(b) = b . r_a + gamma sum_z rho(z|b, a) V(b after a and z). A policy that takes
at every belief b only actions a with V(b) <= (H_a V)(b) earns at least V(b) from b on: put the inequality into itself
again and again. That holds for every vector that is best at b, so ties may be broken in any way, if the set of vectors
is closed: for each vector i and observation z the set holds a vector s(i, z) such that, for all states x,

    alpha_i(x) <= r(x, a_i) + gamma sum_y P(y|x, a_i) sum_z O(z|y, a_i) alpha_s(i,z)(y).

A vector that was made by a backup fulfils this with equality, with the vectors that it was made from: it counts on
them. So the policy consists of the vectors that are best at some point and of all that these count on, directly or
not. A vector that another one is nowhere below may go: whoever counted on it counts on the other.

Two vectors tie if they differ by at most eps at the belief; a policy that mixes them loses at most eps in each step and
so eps/(1-gamma) in all. That, and what rounding may amount to, is subtracted from every vector. What is left is earned
for an infinite horizon, if the model is true and beliefs are exact.

Two closed sets are at hand. One consists of the vectors that are best at some point and of all that these count on, if
all of it is still there. The other is a controller of the best vectors alone (see `controller`). That one is smaller,
and often better. Where it is worth less at the start than the bound was, a few walks put that right, which adds
vectors. It is taken if it is then worth as much, up to a loss that is allowed, and is still the smaller one. Where the
clock has stopped the solver, there is no time for it, unless it is the only one.
"""

from collections.abc import Callable

import numpy as np

from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.points.controller import make_controller
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.point_kernels import count_wins
from walkon.solvers.points.vector_kernels import closed, needed, rows_of, undominated
from walkon.solvers.points.vectors import winners

WALKS = 60  # at most, to put right what is lost at the start
SPARE = 1.1  # vectors for each that is the best somewhere: so few need not be made fewer


def close(
    bound: LowerBound, precision: float, loss: float, walk: Callable[[], bool] | None = None, fewer: bool = True
) -> AlphaVectors:
    """A policy that earns at every belief what its vectors say; the bound then has the same vectors.

    Args:
        bound: The bound.
        precision: How far values may stay below those of a controller.
        loss: How much less the policy may be worth at the start than the bound, if it needs fewer vectors.
        walk: Makes one more walk and backs it up; says whether there is time for another. None for no walks.
        fewer: Whether there is time to look for fewer vectors.
    """
    count_wins(bound.blocks, bound.vectors, bound.points)
    stay = needed(bound.blocks, bound.vectors)
    whole = closed(bound.blocks, bound.vectors, stay)
    if not whole or (fewer and stay.sum() > SPARE * winners(bound.vectors).sum()):
        before, wanted = bound.copy(), bound.value - loss
        make_controller(bound, precision)
        for _ in range(WALKS):
            if bound.value >= wanted or walk is None or not walk():
                break
        count_wins(bound.blocks, bound.vectors, bound.points)
        now = needed(bound.blocks, bound.vectors)
        still = closed(bound.blocks, bound.vectors, now)
        if whole and not (still and bound.value >= wanted and now.sum() < stay.sum()):
            bound.vectors, bound.points = before
            bound.forget()
        elif not still:
            make_controller(bound, precision)
    return closed_policy(bound)


def closed_policy(bound: LowerBound) -> AlphaVectors:
    """The vectors that win somewhere, the simplest plans, and all that these count on, over all states.

    Outside its block, a vector has the value that no plan can fall below. What is nowhere above that value says nothing
    and is left out. The wins must have been counted, and the set has to be closed.
    """
    blocks, vectors, worst = bound.blocks, bound.vectors, bound.worst
    good = undominated(blocks, vectors, needed(blocks, vectors))
    chosen = []  # for each block its states, the vectors there, and their actions
    for g, held in enumerate(vectors.held):
        seat = vectors.seat[g]
        states = blocks.states[blocks.first[g] : blocks.first[g + 1]]
        parts = rows_of(blocks, vectors, g)[:held]
        stay = good[seat : seat + held] & ((parts > worst[states] + bound.tiny).any(axis=1) | (g == blocks.start))
        chosen.append((states, parts[stay], vectors.actions[seat : seat + held][stay]))
    whole = np.tile(worst, (sum(len(actions) for _, _, actions in chosen), 1))
    row = 0
    for states, parts, actions in chosen:
        whole[row : row + len(actions), states] = parts
        row += len(actions)
    whole -= bound.margin
    return AlphaVectors(whole, np.concatenate([actions for _, _, actions in chosen]), bound.problem.R.shape[1])
