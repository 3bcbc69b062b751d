"""Counts of a log against what the model expects: a real robot's questions, and logs of the model itself."""

import csv
from pathlib import Path

import numpy as np
import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon.domains.hotspot.sensor import ANSWERS, NOTHING
from walkon.measuring.replay_check import EXACT, distribution, outcomes

RUNS = Path(__file__).parents[2] / "examples" / "hotspot_runs.csv"
SLIPS = {("7", 8): 1, ("9", 7): 3, ("9", 8): 3, ("9", 9): 3}  # where the person was, which was written down wrongly


def slow_distribution(p):
    """All outcomes of a few trials, one by one."""
    chances = np.zeros(len(p) + 1)
    for outcome in np.ndindex(*[2] * len(p)):
        chances[sum(outcome)] += np.prod(np.where(outcome, p, 1 - np.array(p)))
    return chances


def test_a_count_is_a_sum_of_trials_with_different_chances():
    p = np.array([0.1, 0.9, 0.5, 0.33, 0.02, 0.7])
    chances = slow_distribution(p)
    for seen in range(7):
        low, high, below, above = distribution(p, seen)
        assert below == pytest.approx(chances[: seen + 1].sum(), abs=1e-12)
        assert above == pytest.approx(chances[seen:].sum(), abs=1e-12)
        assert chances[: low + 1].sum() >= 0.025 > chances[:low].sum()
        assert chances[: high + 1].sum() >= 0.975 > chances[:high].sum()


def test_beyond_the_exact_range_the_normal_distribution_takes_over():
    p = np.tile([0.1, 0.4], EXACT // 2)
    mean, spread = p.sum(), np.sqrt(p @ (1 - p))
    for seen in (round(mean), round(mean + 2 * spread)):
        exact, rough = distribution(p, seen), distribution(np.append(p, 1e-9), seen)
        assert rough == pytest.approx(exact, rel=0.06, abs=1.1)


def test_the_robot_hears_nothing_more_often_than_its_model_expects():
    library = walkon.make("hotspot")
    checked = walkon.check_replay(RUNS, quick_agent("atpo", library))
    worst = checked.findings[0]
    assert checked.steps == 111
    assert (worst.what, worst.where, worst.n, worst.observed) == ("hears nothing", "after Ask", 62, 39)
    assert 20 < worst.expected < 21.5
    assert worst.tail < 1e-5
    assert worst.low <= worst.expected <= worst.high < 39
    assert str(worst).startswith(
        '"hears nothing" after Ask: 39 of 62 steps where 20.8 are expected (14 to 28); P of so '
    )


def test_where_the_person_was_written_down_the_model_expects_even_less():
    with RUNS.open(newline="") as file:
        asked = [row for row in csv.DictReader(file) if row["action"] == "4"]
    places = [SLIPS.get((row["episode"], int(row["step"])), int(row["human_place"])) for row in asked]
    silent = np.array([row["human_read"] == "-1" for row in asked])
    assert [(int(silent[np.array(places) == x].sum()), places.count(x)) for x in range(4)] == [
        (6, 10), (16, 22), (14, 21), (3, 9)
    ]  # fmt: skip
    p = np.array([ANSWERS[place][NOTHING] for place in places])
    assert p.sum() == pytest.approx(20.3, abs=0.05)
    assert distribution(p, int(silent.sum()))[3] == pytest.approx(1e-7, rel=0.5)


def test_a_log_of_the_model_itself_is_rarely_found_to_contradict_it():
    """The promise: no more than one such log in twenty has any finding. Steps and probabilities depend on the past."""
    library = random_library(5, K=2, sizes=(3,), sparsity=0.0)
    agent, found, smallest = quick_agent("atpo", library), 0, []
    for i in range(40):
        episodes = walkon.play_many(library[i % 2], agent, range(100 * i, 100 * i + 6), horizon=12)
        checked = walkon.check_replay(walkon.logged(episodes, library[i % 2]), agent)
        found += bool(checked.findings)
        smallest.append(min(each.p for each in checked.counts))
    assert found <= 6  # of 40 with 5 % each, more than 6 have a chance of 0.3 %
    assert min(smallest) < 0.5  # the adjustment leaves something to find


def test_a_wrong_model_is_found():
    """The same episodes, weighed by a library whose sensor says the opposite."""
    library = random_library(5, K=2, sizes=(3,), sparsity=0.0)
    agent = quick_agent("atpo", library)
    episodes = walkon.play_many(library[0], agent, range(30), horizon=12)
    log = walkon.logged(episodes, library[0])
    other = walkon.TaskLibrary(
        [
            walkon.Task.from_pomdp(
                walkon.POMDP([*task.pomdp.P], [O[:, ::-1] for O in task.pomdp.O], task.pomdp.R, task.start, 0.95),
                name=task.name,
            )
            for task in library
        ]
    )
    assert walkon.check_replay(log, quick_agent("atpo", other)).findings


def test_observations_of_several_parts_are_also_counted_part_by_part():
    names, member = outcomes(walkon.make("hotspot"))
    assert member.shape == (36, 36 + 6 + 6)
    assert names[36:42] == ["own place unread", "at door", "at middle", "at station", "at bench 3", "at bench 4"]
    assert names[42] == "hears nothing"
    np.testing.assert_array_equal(member[:, 42], np.arange(36) % 6 == 0)


def test_an_agent_that_predicts_nothing_is_refused():
    library = random_library(5, K=2, sizes=(3,))
    with pytest.raises(walkon.InputError, match="random predicts no observations"):
        walkon.check_replay(RUNS, walkon.agent("random", library))
