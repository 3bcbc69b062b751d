import math

import numpy as np
import pytest

from made_up_results import table_of, trials
from walkon.measuring.table import MEASURES, Options, Table, grid

NAN = float("nan")


def of(name, table, **options):
    return MEASURES[name].of(table, Options(**options)).tolist()


def test_a_curve_is_read_at_a_step_and_keeps_its_last_number_where_the_episode_ended():
    table = table_of([{"p_true": [0.1, 0.2, 0.3]}, {"p_true": [0.5]}, {}])
    assert of("p_true", table, at=1) == pytest.approx([0.2, 0.5, NAN], nan_ok=True)
    assert of("p_true", table, at=99) == pytest.approx([0.3, 0.5, NAN], nan_ok=True)


def test_the_change_of_entropy_is_last_minus_first():
    table = table_of([{"entropy": [1.0, 0.7, 0.2]}, {"entropy": [1.0]}, {}])
    assert of("entropy_change", table) == pytest.approx([-0.8, 0.0, NAN], nan_ok=True)


def test_a_task_that_was_never_identified_counts_as_the_horizon_and_agents_without_a_belief_do_not_count():
    table = table_of([{"final_p_true": 0.99, "identified_at": 4}, {"final_p_true": 0.3}, {}])
    assert of("identified", table) == pytest.approx([1, 0, NAN], nan_ok=True)
    assert of("identified_at", table, never=50) == pytest.approx([4, 50, NAN], nan_ok=True)


def test_times_are_averaged_within_a_trial_and_compared_as_ratios():
    table = table_of([{"seconds": 100.0, "decision_seconds": [0.01, 0.03]}, {"seconds": 0.0}, {}])
    assert of("log_seconds", table) == pytest.approx([2, NAN, NAN], nan_ok=True)
    assert of("decision_seconds", table) == pytest.approx([0.02, NAN, NAN], nan_ok=True)
    assert of("log_decision_seconds", table) == pytest.approx([math.log10(0.02), NAN, NAN], nan_ok=True)


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_is_not_a_number_where_a_table_says_nothing_of_it(name):
    nothing = Table({"agent": np.array(["atpo"])}, {})
    assert np.isnan(of(name, nothing, at=3, never=50)).all()
    assert of(name, Table({}, {}), at=3) == []


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [("steps", 2.44, "2.4"), ("steps", -0.04, "0.0"), ("log_seconds", 3.1, "1,259"), ("log_seconds", -1.0, "0.1")],
)
def test_numbers_are_shown_with_as_many_digits_as_matter(name, value, shown):
    assert MEASURES[name].shown(value) == shown


def rows():
    return [
        *trials("size", "atpo", "steps", [1, 2, 3], x=81),
        *trials("size", "atpo", "steps", [4, 5, 6], x=256),
        *trials("size", "bopa", "steps", [7, 8], x=81),
        *trials("size", "bopa", "steps", [9, 10, 11], x=256),
        *trials("baseline", "atpo", "steps", [12]),
    ]


def test_the_grid_has_the_trials_that_all_agents_played_at_all_points():
    points, numbers = grid(table_of(rows()), "size", ("atpo", "bopa"), "steps", Options())
    assert points == [81, 256]
    assert numbers.tolist() == [[[1, 4], [7, 9]], [[2, 5], [8, 10]]]


def test_the_grid_does_not_depend_on_the_order_of_the_table():
    table = table_of(rows())
    shuffled = table.rows(np.random.default_rng(0).permutation(len(table)))
    first, second = (grid(each, "size", ("bopa", "atpo"), "steps", Options()) for each in (table, shuffled))
    assert first[0] == second[0]
    assert np.array_equal(first[1], second[1])


def test_the_grid_of_a_sweep_without_points_has_one_that_is_not_a_number():
    points, numbers = grid(table_of(rows()), "baseline", ("atpo",), "steps", Options())
    assert np.isnan(points).tolist() == [True]
    assert numbers.tolist() == [[[12]]]


def test_if_a_point_that_is_asked_for_is_missing_there_is_nothing():
    table = table_of(rows())
    assert grid(table, "size", ("atpo",), "steps", Options(), (256,))[1].ravel().tolist() == [4, 5, 6]
    points, numbers = grid(table, "size", ("atpo",), "steps", Options(), (256, 625))
    assert points == []
    assert numbers.shape == (0, 1, 0)
