"""The policy that a lower bound stands for, and why it earns at least what the bound says.

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
"""

import numpy as np

from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.lower_bound import LowerBound
from walkon.solvers.vector_kernels import needed, rows_of, undominated


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
