"""Figures with a panel for each world."""

import numpy as np
import pytest

from made_up_results import table_of, trials
from walkon.figures import by_world


def some_results():
    rows = []
    for world in ("here, described", "there, described"):
        for agent, mean in (("perseus", 92.0), ("atpo", 85.0), ("random", -40.0)):
            curve = {} if agent != "atpo" else {"p_true": np.array([0.25, 0.5, 1.0])}
            rows += trials(world, agent, "score", [mean - 1, mean + 1], solved=1.0, horizon=5.0, tasks=4.0, **curve)
    return table_of(rows)


def test_scores_have_a_row_for_each_world_and_agent_and_a_panel_for_each_world():
    table = some_results()
    way = by_world.scores({("here", "atpo"): (84.0, 2.0)})
    rows = way.data(table)
    assert [(row["world"], row["agent"], row["mean"]) for row in rows[:2]] == [
        ("here, described", "perseus", 92.0),
        ("here, described", "atpo", 85.0),
    ]
    assert rows[1]["published"] == 84.0
    assert np.isnan(rows[0]["published"])
    drawn = way.draw(table, rows)
    assert [axes.get_title(loc="left") for axes in drawn.axes] == ["here", "there"]
    assert [label.get_text() for label in drawn.axes[0].get_yticklabels()] == ["Perseus", "ATPO"]
    assert any("Random: -40" in text.get_text() for text in drawn.axes[0].texts)
    assert way.words(rows[1]) == "85 in here"


def test_beliefs_go_on_at_their_last_value_after_the_end_of_a_trial():
    table = some_results()
    way = by_world.beliefs({"here": [0.3, 0.9]})
    rows = [row for row in way.data(table) if row["world"] == "here, described"]
    assert [row["mean"] for row in rows] == pytest.approx([0.25, 0.5, 1.0, 1.0, 1.0, 1.0])
    assert rows[1]["published"] == 0.3
    assert len(way.draw(table, way.data(table)).axes) == 2


def test_scores_against_the_size_of_the_library_stand_beside_the_published_ones():
    rows = [row for K in (2, 4) for row in trials("growing", "atpo", "score", [90.0 - K, 92.0 - K], x=float(K))]
    way = by_world.growing({2: 88.0, 3: 87.0})
    table = table_of(rows)
    found = way.data(table)
    assert [(row["x"], row["mean"]) for row in found] == [(2.0, 89.0), (4.0, 87.0)]
    assert found[0]["published"] == 88.0
    assert np.isnan(found[1]["published"])
    assert way.draw(table, found).axes
