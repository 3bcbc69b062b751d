"""The list of trials: filters, orders, and addresses that hold both."""

import math
import random

import pytest

from walkon.web.trial_list import FILTERS, ORDERS, Played, Wanted, offers, select_trials, trial_rows

NAN = float("nan")


@pytest.fixture
def played():
    """Trials of two experiments, in one of which soups are counted; one agent has no belief over tasks."""
    chance = random.Random(3)
    found = []
    for place, experiment in enumerate(["size", "kitchen <b>"]):
        for number, agent in enumerate(["random", "atpo"] * 5):
            score = float(chance.randrange(4) if place else chance.randrange(2))
            words = f"{score:.0f} soups" if place else ["not solved", "solved"][int(score)]
            belief = NAN if agent == "random" else chance.random()
            at, steps = (NAN, NAN) if place else (81.0, float(chance.randrange(50)))
            key, task = f"{place} {number}", f"task {number % 3}"
            found.append(Played(key, place, experiment, at, agent, task, steps, score, words, belief))
    return found


def test_filters_select_exactly_the_trials_that_have_their_values(played):
    assert select_trials(played, Wanted()) == played
    for name in FILTERS:
        values = offers(played)[name]
        parts = [select_trials(played, Wanted(**{name: value})) for value in values]
        assert all(getattr(each, name) == value for value, part in zip(values, parts, strict=True) for each in part)
        assert sorted(each.key for part in parts for each in part) == sorted(each.key for each in played)
    both = select_trials(played, Wanted(agent="atpo", outcome="solved"))
    assert both == [each for each in played if each.agent == "atpo" and each.outcome == "solved"]
    assert select_trials(played, Wanted(agent="nobody")) == []


@pytest.mark.parametrize("column", ORDERS)
def test_orders_rise_fall_and_keep_what_has_no_value_for_the_end(played, column):
    def known(trials):
        values = [ORDERS[column](each) for each in trials]
        there = [not (isinstance(value, float) and math.isnan(value)) for value in values]
        assert there == sorted(there, reverse=True)
        return values[: sum(there)]

    up, down = (select_trials(played, Wanted(sort=sign + column)) for sign in ("", "-"))
    assert known(up) == sorted(known(up))
    assert known(down) == sorted(known(up), reverse=True)
    for found in (up, down):
        assert sorted(each.key for each in found) == sorted(each.key for each in played)


def test_pressing_a_column_sorts_up_then_down_then_not_at_all():
    once = Wanted(agent="atpo").by("steps")
    assert [once.sort, once.by("steps").sort, once.by("steps").by("steps").sort] == ["steps", "-steps", ""]
    assert once.by("agent") == Wanted(agent="atpo", sort="agent")


def test_an_address_holds_what_is_wanted():
    wanted = Wanted(experiment="size & more", outcome="solved", sort="-belief")
    assert Wanted.of(wanted.query) == wanted
    assert Wanted.of({"sort": "nothing", "part": "beyond", "agent": "atpo"}) == Wanted(agent="atpo")
    assert Wanted().query == {}


def test_rows_lead_to_replays_and_names_stay_text(played):
    text = trial_rows(played[-1:])
    assert 'href="/trial?key=1+9"' in text
    assert "kitchen &lt;b&gt;" in text
    assert "soups" in text
