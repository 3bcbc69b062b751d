"""Lower bounds to look at, and their packed parts written out."""

import numpy as np

from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.vector_kernels import rows_of
from walkon.solvers.points.walk_kernels import GUIDES
from walkon.solvers.solution import Budget


def lower_bound(pomdp):
    return LowerBound(pomdp, Budget(None, None, None))


def walked(pomdp, walks=12, seed=0, least=1e-9):
    """A lower bound after a few walks."""
    bound, rng = lower_bound(pomdp), np.random.default_rng(seed)
    for i in range(walks):
        bound.make_room()
        bound.back_up(bound.walk(i % GUIDES, least, rng), least, Budget(None, None, None))
    bound.make_room()
    return bound


def belief_of(bound, i):
    """A point, written out."""
    belief = np.zeros(bound.model.R.shape[0])
    at = slice(bound.points.first[i], bound.points.first[i + 1])
    belief[bound.blocks.states[bound.points.slots[at]]] = bound.points.weights[at]
    return belief


def vectors_of(bound, g):
    """The vectors of a block, written out; NaN outside the block."""
    whole = np.full((bound.vectors.held[g], bound.model.R.shape[0]), np.nan)
    states = bound.blocks.states[bound.blocks.first[g] : bound.blocks.first[g + 1]]
    whole[:, states] = rows_of(bound.blocks, bound.vectors, g)[: bound.vectors.held[g]]
    return whole


def dot(belief, vectors):
    """Beliefs lie within a block: what is not in it has no weight."""
    return np.where(belief > 0, belief * vectors, 0).sum(axis=-1)
