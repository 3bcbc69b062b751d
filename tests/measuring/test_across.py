"""Claims about several worlds: tests in each of them, and of all of them together."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr

from made_up_results import table_of, trials
from walkon.errors import InputError
from walkon.measuring.across import compare, gap_closed_together, spearman
from walkon.measuring.claims import DARK, Claim, read_claims
from walkon.measuring.verdicts import judge

WORLDS = ("one", "two", "three")


def claim(test, **more):
    fields = {"id": "a", "figure": "f", "says": "", "sweep": "one", "sweeps": WORLDS, "measure": "score"}
    return Claim(**fields | {"test": test, "must": "be above"} | more)


def scores(means, n=200, seed=0):
    """Scores of agents in worlds, means[world][agent], with part of the luck shared."""
    chance = np.random.default_rng(seed)
    rows = []
    for world, own in means.items():
        luck = chance.standard_normal(n)
        for agent, mean in own.items():
            rows += trials(world, agent, "score", mean + luck + chance.standard_normal(n), states=100 * len(rows) + 1)
    return table_of(rows)


def test_a_difference_in_each_of_several_worlds_holds_if_it_does_in_all_and_fails_if_one_fails():
    better = {world: {"atpo": 5.0, "random": 1.0} for world in WORLDS}
    pairs = claim("difference", pairs=(("atpo", "random"),))
    (verdict,) = judge(scores(better), [pairs])
    assert verdict.outcome == "holds"
    assert [each.words.partition(":")[0] for each in verdict.findings] == list(WORLDS)
    (verdict,) = judge(scores(better | {"two": {"atpo": 1.0, "random": 5.0}}), [pairs])
    assert [each.outcome for each in verdict.findings] == ["holds", "fails", "holds"]
    assert verdict.outcome == "fails"


def test_a_world_that_was_not_run_leaves_the_claim_without_data():
    (verdict,) = judge(
        scores({"one": {"atpo": 5.0, "random": 1.0}}), [claim("difference", pairs=(("atpo", "random"),))]
    )
    assert verdict.outcome == "no data"


def test_one_world_is_compared_with_each_other_one_as_independent_samples():
    table = scores({"one": {"random": 5.0}, "two": {"random": 3.0}, "three": {"random": 9.0}})
    two, three = (each.found for each in compare(claim("difference-elsewhere", agents=("random",)), table))
    numbers = [table.where(sweep=world)["score"] for world in WORLDS]
    assert two.value == pytest.approx(numbers[0].mean() - numbers[1].mean())
    assert three.value == pytest.approx(numbers[0].mean() - numbers[2].mean())
    assert two.error == pytest.approx(np.sqrt(sum(each.var(ddof=1) / 200 for each in numbers[:2])))


def test_the_mean_of_worlds_weighs_them_equally():
    rows = trials("one", "atpo", "score", [0.0, 2.0]) + trials("two", "atpo", "score", [10.0] * 50 + [12.0] * 50)
    both = replace(claim("mean-of-worlds", agents=("atpo",)), sweeps=("one", "two"))
    (found,) = compare(both, table_of(rows))
    assert found.found.value == pytest.approx((1 + 11) / 2)
    assert found.found.error == pytest.approx(np.sqrt(1 + np.var([10.0, 12.0] * 50, ddof=1) / 100) / 2)


def test_the_rank_correlation_is_spearmans_and_its_interval_a_bootstrap_over_worlds():
    both = np.random.default_rng(1).standard_normal((2, 11))
    both[1] += both[0]
    found = spearman(both)
    assert found.value == pytest.approx(spearmanr(*both).statistic)
    assert found.interval()[0] < found.value < found.interval()[1]
    assert np.isnan(spearman(np.array([[1.0, np.nan], [1.0, 2.0]])).value)


def test_scores_that_fall_with_the_number_of_states_are_correlated_with_it():
    table = scores({"one": {"random": 9.0}, "two": {"random": 5.0}, "three": {"random": 1.0}})
    asked = claim("rank-correlation", agents=("random",), other_measure="states", must="be below")
    assert next(iter(compare(asked, table))).found.value == pytest.approx(-1)


def test_the_gap_closed_together_is_the_sum_of_gains_over_the_sum_of_gaps():
    table = scores({world: {"bayes": 8.0, "atpo": 4.0, "perseus": 10.0} for world in WORLDS}, n=2000)
    asked = claim("gap-closed-together", agents=("bayes", "atpo", "perseus"), measure="lost")
    (found,) = compare(asked, table)
    assert found.found.value == pytest.approx(4 / 6, abs=0.02)
    assert "closes a share of 0.6" in found.words


def test_the_error_of_the_gap_closed_is_that_of_repeated_runs():
    """The delta method against 400 repetitions."""
    chance = np.random.default_rng(3)
    means = np.array([[5.0, 9.0, 3.0], [20.0, 24.0, 19.0]])
    runs = [
        gap_closed_together([mean + chance.standard_normal((60, 3)) * [1, 2, 1] for mean in means]) for _ in range(400)
    ]
    errors = np.array([each.error for each in runs])
    assert errors.mean() == pytest.approx(np.std([each.value for each in runs]), rel=0.15)


def test_a_test_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(InputError, match="rank-correlation"):
        compare(claim("guess", agents=("atpo",)), table_of([]))


def test_the_claims_of_the_second_paper_cover_its_24_sentences():
    numbers = {each.id.split("-")[1] for each in read_claims(DARK)} - {"bayes"}
    assert numbers == {f"{number:02}" for number in range(1, 25)}
    for each in read_claims(DARK):
        assert each.sweep == (each.sweeps or (each.sweep,))[0]
