"""The dots of figures 2a, 5a and 6a."""

import numpy as np
import pytest

from synthetic_results import results
from walkon.figures.by_agent import WIDE
from walkon.paper.run import FIGURES


def dots(name, table):
    """The dots of each agent, in the order of the rows."""
    axes = FIGURES[name].draw(table).axes[0]
    return [np.array(line.get_data()).T for line in axes.lines if line.get_alpha() is not None]


@pytest.mark.parametrize("trials", [1, 8, 60])
@pytest.mark.parametrize(("name", "outcome"), [("2a", "steps"), ("5a", "steps"), ("6a", "tally")])
def test_every_trial_is_a_dot_above_its_own_outcome(name, outcome, trials):
    figure, table = FIGURES[name], results(3, trials=trials)
    for row, points in zip(figure.rows(table), dots(name, table), strict=True):
        own = table.where(sweep=figure.sweep, agent=row["agent"])
        solved = own["solved"] != 0
        assert len(points) == len(own)
        assert len({tuple(np.round(point, 6)) for point in points}) == len(points), "dots hide each other"
        beside = np.abs(points[:, 0] - (50 + WIDE)) <= WIDE / 2
        if outcome == "steps":
            assert beside.sum() == (~solved).sum()
            points = points[~beside]
        assert sorted(np.round(points[:, 0])) == pytest.approx(sorted(own[outcome][solved]))


@pytest.mark.parametrize("name", ["2a", "5a", "6a"])
def test_dots_stay_on_their_own_line(name):
    for place, points in enumerate(dots(name, results(trials=40))):
        assert (points[:, 1] < place).all()
        assert (points[:, 1] > place - 1).all()
