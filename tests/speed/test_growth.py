import numpy as np
import pytest

from walkon.domains.registry import make
from walkon.speed.deciding import _split, exponent, exponents


def test_the_exponent_of_a_power_is_found_whatever_its_factor():
    x = np.array([3.0, 10.0, 40.0, 500.0])
    found = exponent(x, 7.0 * x**1.5)
    assert found.value == pytest.approx(1.5)
    assert found.interval() == pytest.approx((1.5, 1.5))


def test_the_interval_of_an_exponent_covers_the_truth_as_often_as_it_says():
    chance, x = np.random.default_rng(0), np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    covered = []
    for _ in range(2000):
        low, high = exponent(x, x**0.7 * np.exp(chance.normal(0.0, 0.2, 5))).interval()
        covered.append(low <= 0.7 <= high)
    assert 0.935 < np.mean(covered) < 0.965


def test_two_points_have_a_slope_and_no_interval():
    found = exponent([1, 10], [1, 100])
    assert found.value == pytest.approx(2)
    assert np.isnan(found.interval()).all()


def test_exponents_are_told_for_what_was_measured_at_more_than_one_point():
    rows = [{"axis": "tasks", "x": K, "measure": "decision", "value": 1e-6 * K} for K in (1, 2, 4)]
    rows.append({"axis": "states", "x": 81, "measure": "build", "value": 1.0})
    (found,) = exponents(rows)
    assert (found["axis"], found["measure"]) == ("tasks", "decision")
    assert found["exponent"] == pytest.approx(1)


def test_observations_that_are_split_mean_the_same():
    task = make("night-pursuit", size=3, tasks=1)[0]
    finer = _split(task, 3)
    for old, new in zip(task.pomdp.O, finer.pomdp.O, strict=True):
        assert new.shape == (81, 243)
        for i in range(3):
            np.testing.assert_allclose(new.toarray()[:, i::3], old.toarray() / 3)
