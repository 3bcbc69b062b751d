"""The figure of prices: its numbers are plain means of what the trials did and paid."""

import numpy as np
import pytest

from synthetic_results import results
from walkon.figures.by_price import cost, taken
from walkon.paper.run import BEYOND_FIGURES

FIGURE = BEYOND_FIGURES["beyond-price"]
TABLE = results(trials=4, beyond=True)
ASK = 4


def test_uses_and_costs_are_counted_trial_by_trial():
    trials = TABLE.where(sweep="beyond-price")
    actions, rewards = trials.curves["taken"], trials.curves["paid"]
    for i, (uses, paid) in enumerate(zip(taken(trials, ASK), cost(trials), strict=True)):
        assert uses == sum(1 for action in actions[i] if action == ASK)
        assert paid == pytest.approx(-sum(reward for reward in rewards[i] if not np.isnan(reward)))


def test_a_row_is_the_mean_of_one_agent_at_one_price():
    rows = FIGURE.rows(TABLE)
    assert [row["measure"] for row in rows[::12]] == ["steps", "questions", "cost"]
    assert len(rows) == 3 * 3 * 4
    for row in rows:
        trials = TABLE.where(sweep="beyond-price", agent=row["agent"], x=row["x"])
        values = {"steps": trials["steps"], "questions": taken(trials, ASK), "cost": cost(trials)}[row["measure"]]
        half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
        assert (row["n"], row["mean"]) == (len(values), pytest.approx(values.mean()))
        assert (row["low"], row["high"]) == pytest.approx((values.mean() - half, values.mean() + half))


def test_trials_that_kept_nothing_have_no_numbers():
    others = TABLE.where(sweep="beyond-night")
    assert np.isnan(taken(others, ASK)).all()
    assert np.isnan(cost(others)).all()
