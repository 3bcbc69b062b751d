"""The bound of Proposition 1 at a rate: drawn only where the tasks can be told apart at every recorded step."""

import numpy as np
import pytest

from synthetic_results import table_of
from walkon.figures.over_time import RATE, SIDES
from walkon.paper.run import FIGURES

BOUND = FIGURES["bound"]


def episode(number, affinity, **more):
    """Two of K = 3 tasks, w = 10, prior 1/3 each."""
    told, p = np.arange(1.0, 5.0), np.array([1 / 3, 0.5, 0.7, 0.9])
    sides = {side: told + 10.0 for side in SIDES if side != RATE}
    sides |= {"loss_of_truth": told, "bound_distance": told + 10 * np.cumsum(1 - p), "p_true": p}
    row = {"sweep": "bound", "agent": "atpo", "pair": number, "tasks": 3, "affinity": np.array(affinity)}
    return row | sides | more


def words(drawn):
    return " ".join(text.get_text() for text in drawn.findobj(lambda artist: hasattr(artist, "get_text")))


def test_the_rate_is_the_largest_affinity_of_all_trials():
    table = table_of([episode(0, [0.2, 0.3, 0.1, 0.2]), episode(1, [0.5, 0.3, 0.4, 0.2])])
    rows = [row for row in BOUND.rows(table) if row["curve"] == RATE]
    doubts = np.cumsum(np.minimum(2 * 0.5 ** np.arange(4), 1.0))
    assert [row["median"] for row in rows] == pytest.approx(np.arange(1.0, 5.0) + 10 * doubts)
    drawn = BOUND.draw(table)
    assert "1 - rho = 0.5, as recorded" in words(drawn)
    assert SIDES[RATE].name in words(drawn)


def test_where_two_tasks_predict_the_same_once_no_rate_is_drawn_and_it_is_said():
    table = table_of([episode(0, [0.2, 0.3, 0.1, 0.2]), episode(1, [0.5, 1.0, 0.4, 0.2])])
    assert RATE not in {row["curve"] for row in BOUND.rows(table)}
    drawn = BOUND.draw(table)
    assert "the affinity rho reaches 1, so no rate is drawn" in words(drawn)
    assert SIDES[RATE].name not in words(drawn)


def test_results_of_an_older_walkon_are_drawn_without_the_newer_sides():
    table = table_of([episode(0, [], bound_distance=np.zeros(0))])
    assert {row["curve"] for row in BOUND.rows(table)} == set(SIDES) - {RATE, "bound_distance"}
    drawn = BOUND.draw(table)
    assert "rho" not in words(drawn)
    assert SIDES["bound_distance"].name not in words(drawn)
