"""Random models for the tests, as hypothesis strategies and from seeds."""

import numpy as np
from hypothesis import strategies as st

from walkon import MMDP
from walkon.testing.problems import puzzle, random_pomdp
from walkon.testing.problems import random_rows as rows

__all__ = ["histories", "pomdps", "puzzle", "random_mmdp", "random_pomdp", "rows", "seeds", "sizes"]


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
