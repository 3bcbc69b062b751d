"""Random models for the tests, as hypothesis strategies and from seeds."""

import numpy as np
from hypothesis import strategies as st

from walkon import MMDP, POMDP


def rows(rng, shape, sparsity=0.5):
    """Random distributions over the last axis, with zeros in them."""
    weights = rng.random(shape) * (rng.random(shape) > sparsity)
    weights[..., 0] += weights.sum(axis=-1) == 0
    return weights / weights.sum(axis=-1, keepdims=True)


def random_pomdp(seed, X=4, A=3, Z=3, discount=0.8, sparsity=0.5):
    rng = np.random.default_rng(seed)
    return POMDP(
        P=rows(rng, (A, X, X), sparsity),
        O=rows(rng, (A, X, Z), sparsity),
        R=rng.normal(size=(X, A)),
        start=rows(rng, (X,), sparsity),
        discount=discount,
    )


def puzzle(seed, X=8, A=3, Z=2, discount=0.9):
    """A problem without chance but for the start, in which one may wait: few beliefs, plans that count on plans."""
    rng = np.random.default_rng(seed)
    P = np.eye(X)[rng.integers(X, size=(A, X))]
    P[0] = np.eye(X)
    O = np.eye(Z)[rng.integers(Z, size=(A, X))]
    R = rng.normal(size=(X, A)).round(1) - 1
    R[rng.integers(X)] += 10
    start = np.zeros(X)
    start[rng.choice(X, 3, replace=False)] = 1 / 3
    return POMDP(P, O, R, start, discount)


def random_mmdp(seed, X=3, A=2, B=4, seats=(2, 2)):
    rng = np.random.default_rng(seed)
    return MMDP(P=rows(rng, (A, B, X, X)), R=rng.normal(size=(X, A, B)), discount=0.9, seats=seats)


seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 6)


@st.composite
def pomdps(draw):
    return random_pomdp(
        draw(seeds),
        draw(sizes),
        draw(sizes),
        draw(sizes),
        discount=draw(st.sampled_from([0.0, 0.5, 0.9, 0.99])),
        sparsity=draw(st.sampled_from([0.0, 0.5, 0.9])),
    )


@st.composite
def histories(draw, pomdp, longest=8):
    """Actions and observations, possible or not."""
    A, Z = len(pomdp.P), pomdp.O[0].shape[1]
    step = st.tuples(st.integers(0, A - 1), st.integers(0, Z - 1))
    return draw(st.lists(step, max_size=longest))
