"""Labels at the ends of lines."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize

from walkon.figures.rows import spread

wanted = st.lists(st.floats(0, 100), min_size=1, max_size=6)


@given(wanted, st.integers(0, 2**32 - 1))
def test_labels_keep_their_order_do_not_overlap_and_fit(wanted, seed):
    heights = np.random.default_rng(seed).uniform(5, 15, len(wanted))
    places = spread(wanted, heights, 0, 100)
    order = np.argsort(wanted, kind="stable")
    middles, tall = places[order], heights[order]
    assert (np.diff(middles) >= (tall[1:] + tall[:-1]) / 2 - 1e-9).all()
    assert middles[0] >= tall[0] / 2 - 1e-9
    assert middles[-1] <= 100 - tall[-1] / 2 + 1e-9


@given(wanted)
def test_they_are_as_near_to_where_they_belong_as_any(wanted):
    """Against a general solver of the same least squares."""
    wanted, n = sorted(wanted), len(wanted)
    places = spread(wanted, [10.0] * n, 0, 100)
    apart = LinearConstraint(np.eye(n, k=1)[: n - 1] - np.eye(n)[: n - 1], 10) if n > 1 else ()
    start = np.linspace(5, 95, n)
    best = minimize(lambda x: ((x - wanted) ** 2).sum(), start, bounds=[(5, 95)] * n, constraints=apart, method="SLSQP")
    assert ((places - wanted) ** 2).sum() <= best.fun + 1e-4


def test_those_that_fit_where_they_are_stay_there():
    assert spread([80.0, 20.0, 50.0], [10.0] * 3, 0, 100).tolist() == [80.0, 20.0, 50.0]


def test_too_many_share_the_room():
    assert spread([50.0] * 4, [10.0] * 4, 0, 20).tolist() == [2.5, 7.5, 12.5, 17.5]
