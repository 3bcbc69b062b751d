"""The parts of the loss, which add up to the whole."""

import math

import pytest

from synthetic_results import results, table_of
from walkon.figures.by_agent import PARTS, in_parts, losses
from walkon.paper.run import BEYOND_FIGURES as BEYOND

MEANS = {"value-iteration": 80.0, "perseus": 70.0, "bayes": 60.0, "atpo": 45.0}


def table(upper=64.0, **means):
    return table_of(
        [
            {
                "sweep": "beyond-night",
                "agent": agent,
                "pair": pair,
                "return": mean + luck,
                "lower": 58.0,
                "upper": upper,
            }
            for agent, mean in (MEANS | means).items()
            for pair, luck in enumerate((-3.0, 3.0))
        ]
    )


def parts(row):
    return [row[part] for part in PARTS]


def test_each_part_is_the_distance_from_one_agent_or_bound_to_the_next():
    rows = {row["agent"]: parts(row) for row in losses(table())}
    assert rows["value-iteration"] == pytest.approx([0, 0, 0, 0])
    assert rows["perseus"] == pytest.approx([10, 0, 0, 0])
    assert rows["bayes"] == pytest.approx([10, 6, 4, 0])
    assert rows["atpo"] == pytest.approx([10, 6, 4, 15])


@pytest.mark.parametrize(("upper", "expected"), [(math.nan, [10, 0, 10]), (75.0, [10, 0, 10]), (55.0, [10, 10, 0])])
def test_a_bound_that_says_nothing_or_that_chance_has_passed_leaves_the_sum(upper, expected):
    bayes = next(row for row in losses(table(upper)) if row["agent"] == "bayes")
    assert parts(bayes) == pytest.approx([*expected, 0])


def test_an_agent_that_does_better_than_planning_has_a_shorter_bar():
    better = table(**{"atpo-look": 62.0})
    figure = BEYOND["losses-night"]
    rows = figure.rows(better)
    drawn = figure.draw(better)
    ends = {}
    for bar in drawn.axes[0].patches:
        place = round(bar.get_y() + bar.get_height() / 2)
        ends[place] = max(ends.get(place, 0.0), bar.get_x() + bar.get_width())
    order = sorted(rows, key=lambda row: -row["mean"])
    assert [ends[place] for place in range(len(rows))] == pytest.approx([80 - row["mean"] for row in order])
    assert next(row for row in rows if row["agent"] == "atpo-look")["information"] == pytest.approx(-2)


def test_the_bars_end_where_the_agents_are():
    many = results(trials=4, beyond=True)
    for name in ("losses-night", "losses-pursuit", "losses-overcooked"):
        rows = BEYOND[name].rows(many)
        best = next(row["mean"] for row in rows if row["agent"] == "value-iteration")
        for row in rows:
            assert sum(parts(row)) == pytest.approx(best - row["mean"])


def test_in_words():
    atpo = next(row for row in losses(table()) if row["agent"] == "atpo")
    assert in_parts(atpo) == (
        "earns 45.0, loses 10.0 by not seeing the state, 6.0 by not knowing the task, proven, 4.0 by the task, or "
        "solving, 15.0 by not planning for information"
    )
