import dataclasses
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from judging import ALIKE, BETTER, claim, one
from made_up_results import PAPER, night, table_of, trials
from walkon import InputError
from walkon.measuring.claims import read_claims
from walkon.measuring.statistics import holm
from walkon.measuring.table import Table
from walkon.measuring.verdicts import by_sentence, judge

NAN = float("nan")


def test_a_difference_that_is_there_holds_and_its_opposite_fails():
    table = table_of(night("baseline", PAPER))
    assert one(table, **BETTER).outcome == "holds"
    assert one(table, pairs=(("bopa", "atpo"),)).outcome == "fails"
    assert one(table, pairs=(("bopa", "atpo"),), must="be above").outcome == "holds"


def test_a_difference_that_is_not_there_is_not_decided_and_says_what_would_decide():
    table = table_of(night("baseline", PAPER | {"bopa": 11.2}))
    verdict = one(table, **BETTER)
    assert verdict.outcome == "not decided"
    assert verdict.trials > 64
    few, many = verdict.decisive.reach
    assert few < verdict.trials
    assert many is None
    assert verdict.needed == f"about {verdict.trials:,} trials (at least {few:,}) would decide it"
    more = table_of(night("baseline", PAPER | {"bopa": 11.2}, n=2 * verdict.trials))
    assert one(more, **BETTER).outcome == "holds"


def test_the_margin_is_a_tenth_of_random_minus_value_iteration():
    table = table_of(night("baseline", PAPER | {"atpo": 8.5}))
    verdict = one(table, **ALIKE)
    assert verdict.margin == pytest.approx(4.0)
    assert verdict.outcome == "holds"
    assert one(table_of(night("baseline", PAPER | {"atpo": 20})), **ALIKE).outcome == "fails"
    assert one(table_of(night("baseline", PAPER | {"atpo": 11.9})), **ALIKE).outcome == "not decided"
    assert one(table_of(night("baseline", PAPER | {"atpo": 1.0})), **ALIKE).outcome == "fails"
    assert one(table_of(night("baseline", PAPER | {"atpo": 1.0})), **ALIKE | {"must": "be at most"}).outcome == "holds"


def test_without_random_there_is_no_margin_unless_another_sweep_has_it():
    means = {"atpo": 10.0, "perseus": 9.0}
    rows = night("tasks", means) + night("baseline", PAPER)
    alone = one(table_of(rows), sweep="tasks", **ALIKE)
    assert alone.outcome == "no data"
    assert "for want of Random and Value Iteration in sweep tasks" in alone.words
    assert one(table_of(rows), sweep="tasks", stake_sweep="baseline", **ALIKE).outcome == "holds"
    upside_down = night("tasks", means | {"random": 3.0, "value-iteration": 4.0})
    assert one(table_of(upside_down), sweep="tasks", **ALIKE).outcome == "no data"


def test_a_sentence_says_it_with_its_numbers():
    a, b = [10.0, 12.0, 11.0, 14.0], [13.0, 14.0, 14.0, 16.0]
    table = table_of([*trials("baseline", "atpo", "steps", a), *trials("baseline", "bopa", "steps", b)])
    theirs = scipy.stats.ttest_rel(b, a).confidence_interval()
    expected = (
        f"ATPO takes 2.5 steps fewer than BOPA (95 % interval {theirs.low:.1f} to {theirs.high:.1f}, paired, 4 trials)"
    )
    assert one(table, **BETTER).words == expected
    reverse = one(table, pairs=(("bopa", "atpo"),))
    assert reverse.words.startswith("BOPA takes 2.5 steps more than ATPO")
    assert reverse.decisive.estimate == 2.5


def test_an_equivalence_shows_the_interval_that_decides_it():
    """The 90 % interval, that of two one-sided tests at 5 %."""
    table = table_of(night("baseline", PAPER))
    steps = {agent: trial["steps"] for agent, trial in table.by_agent()}
    theirs = scipy.stats.ttest_rel(steps["atpo"], steps["perseus"]).confidence_interval(0.9)
    verdict = one(table, **ALIKE)
    assert (verdict.decisive.low, verdict.decisive.high) == pytest.approx((theirs.low, theirs.high))
    assert "90 % interval" in verdict.words
    assert verdict.words.endswith("with a margin of 4")


def test_what_fails_is_adjusted_over_the_comparisons_of_a_figure_and_no_others_and_what_holds_is_not():
    means = PAPER | {"atpo": 9.2, "bopa": 10.5}
    table = table_of(night("baseline", means))
    pairs = (("atpo", "perseus"), ("bopa", "atpo"))
    claims = [claim(pairs=pairs), claim(id="two", pairs=(("random", "value-iteration"), ("value-iteration", "random")))]
    other = claim(id="other figure", figure="5a", pairs=(("bopa", "atpo"),))
    equivalence = claim(id="equivalence", **ALIKE)
    aside = claim(id="aside", differs="Another program.", pairs=(("bopa", "perseus"),))
    first, second, third, fourth, fifth = judge(table, [*claims, other, equivalence, aside])
    steps = {agent: trial["steps"] for agent, trial in table.by_agent()}
    raw = [scipy.stats.ttest_rel(steps[a], steps[b]).pvalue for a, b in [*pairs, ("value-iteration", "random")]]
    found = [finding.p for finding in (*first.findings, *second.findings[:1])]
    assert found == pytest.approx(holm([*raw, 1.0, 1.0])[:3])  # a comparison and an equivalence that do not fail
    assert second.findings[1].p == pytest.approx(raw[2])
    assert third.findings[0].p == pytest.approx(raw[1])
    assert fourth.findings[0].p == judge(table, [equivalence])[0].findings[0].p
    assert fifth.outcome == "not comparable"


def test_before_the_amendment_all_differences_of_a_figure_were_adjusted_and_no_equivalence():
    means = PAPER | {"atpo": 9.0, "bopa": 10.1, "perseus": 8.0}
    table = table_of(night("baseline", means))
    pairs = (("perseus", "atpo"), ("atpo", "bopa"), ("bopa", "perseus"), ("value-iteration", "perseus"))
    steps = {agent: trial["steps"] for agent, trial in table.by_agent()}
    raw = [scipy.stats.ttest_rel(steps[a], steps[b]).pvalue for a, b in pairs]
    former = claim(pairs=pairs, amended=False)
    (verdict,) = judge(table, [former])
    assert [finding.p for finding in verdict.findings] == pytest.approx(holm(raw))
    (now,) = judge(table, [claim(pairs=pairs, before=former)])
    assert now.before == verdict.outcome
    (alike,) = judge(table, [claim(**ALIKE | {"pairs": (("random", "atpo"),)}, amended=False)])
    border = scipy.stats.ttest_1samp(steps["random"] - steps["atpo"], 4.0, alternative="greater").pvalue
    assert alike.decisive.p == pytest.approx(border)


def test_a_sentence_holds_if_all_its_claims_do_and_fails_if_one_fails():
    table = table_of(night("baseline", PAPER))
    says = [
        claim(id="a", sentence="a", **BETTER),
        claim(id="b", sentence="a", pairs=(("bopa", "atpo"),)),
        claim(id="c", sentence="c", **BETTER),
        claim(id="d", sentence="c", differs="Another program.", **BETTER),
        claim(id="e", sentence="e", sweep="size", **BETTER),
        claim(id="f", **BETTER),
        claim(id="g", figure="bound", **BETTER),
    ]
    found = by_sentence({each.claim: each.outcome for each in judge(table, says)})
    assert found == {"a": "fails", "c": "not comparable", "e": "no data", "f": "holds"}


def test_of_several_comparisons_all_must_hold_and_one_that_fails_is_enough():
    clear = night("baseline", PAPER)
    pairs = (("value-iteration", "atpo"), ("atpo", "bopa"))
    assert one(table_of(clear), pairs=pairs).outcome == "holds"
    assert one(table_of(night("baseline", PAPER | {"bopa": 11.0})), pairs=pairs).outcome == "not decided"
    failing = one(table_of(night("baseline", PAPER | {"bopa": 5.0})), pairs=pairs)
    assert failing.outcome == "fails"
    assert failing.decisive is failing.findings[1]
    assert "[holds]" in failing.words
    assert "[fails]" in failing.words
    absent = table_of([row for row in clear if row["agent"] != "bopa"])
    assert one(absent, pairs=pairs).outcome == "no data"
    assert one(absent, pairs=(("atpo", "bopa"), ("atpo", "perseus"))).outcome == "fails"


def test_agents_are_only_names():
    """Claims and trials under other names have the same verdicts."""
    swapped = {"atpo": "perseus", "perseus": "bopa", "bopa": "atpo"}
    rows = night("baseline", PAPER | {"bopa": 12.0})
    renamed = [row | {"agent": swapped.get(row["agent"], row["agent"])} for row in rows]
    pairs = (("perseus", "atpo"), ("atpo", "bopa"), ("bopa", "random"))
    first = one(table_of(rows), pairs=pairs)
    second = one(table_of(renamed), pairs=tuple((swapped.get(a, a), swapped.get(b, b)) for a, b in pairs))
    assert [dataclasses.replace(each, words="") for each in first.findings] == [
        dataclasses.replace(each, words="") for each in second.findings
    ]


def test_the_order_of_the_rows_does_not_matter():
    table = table_of(night("baseline", PAPER) + night("size", PAPER, x=81) + night("size", PAPER, x=256, seed=1))
    shuffled = table.rows(np.random.default_rng(0).permutation(len(table)))
    assert [str(verdict) for verdict in judge(table)] == [str(verdict) for verdict in judge(shuffled)]


@given(st.floats(-6, 6), st.integers(0, 99))
def test_what_is_decided_stays_so_when_the_same_is_seen_again(difference, seed):
    """Twice the trials with the same numbers never turn a verdict that was reached."""
    rows = night("baseline", PAPER | {"bopa": 11 + difference}, n=16, seed=seed)
    again = [row | {"pair": row["pair"] + 16} for row in rows]
    for fields in (BETTER, ALIKE | {"pairs": (("atpo", "bopa"),)}):
        before, after = one(table_of(rows), **fields).outcome, one(table_of(rows + again), **fields).outcome
        assert before in (after, "not decided")


def everything(n):
    """All sweeps, with every column and curve that claims ask for."""
    chance = np.random.default_rng(3)
    believing = {"final_p_true": 0.99, "identified_at": 4.0, "mean_entropy": 0.2, "tally": 4.0}
    places = [("baseline", NAN), ("pursuit", NAN), ("overcooked", NAN), ("bound", NAN)]
    places += [(name, x) for name in ("size", "setup", "decision") for x in (81.0, 256.0, 625.0, 1296.0)]
    places += [("noise", e / 10) for e in range(6)] + [("tasks", float(K)) for K in range(1, 11)]
    places += [("decision-tasks", float(K)) for K in (1, 2, 4, 8)]
    curves = {name: np.linspace(0.9, 0.1, 51) for name in ("entropy", "p_true", "decision_seconds", "loss")}
    curves |= {f"bound_{name}": np.ones(51) for name in ("fixed", "best", "fixed_largest", "best_largest", "printed")}
    return [
        {"sweep": name, "x": x, "agent": agent, "pair": i, "task": f"task {i % 2}", "seconds": mean / 10}
        | {"steps": mean + chance.normal(), "solved": 1.0}
        | believing
        | curves
        for name, x in places
        for agent, mean in (PAPER | {"assistant": 9.0}).items()
        for i in range(n)
    ]


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_few_trials_or_trials_without_variance_never_break_anything(n):
    table = table_of(everything(n))
    verdicts = judge(table)
    assert len(verdicts) == len(read_claims())
    assert all(math.isfinite(verdict.decisive.estimate) for verdict in verdicts)
    if n == 1:
        told = [verdict for verdict in verdicts if verdict.claim.figure != "bound" and not verdict.claim.differs]
        assert {verdict.outcome for verdict in told} == {"not decided"}
    assert [str(verdict) for verdict in verdicts] == [str(verdict) for verdict in judge(table)]


@pytest.mark.parametrize("name", ["baseline", "size", "tasks", "setup", "overcooked", "nothing"])
def test_the_claims_of_figures_that_were_not_run_have_no_data(name):
    table = table_of([row for row in everything(3) if row["sweep"] == name])
    for verdict in judge(table):
        other = verdict.claim.sweep != name
        assert (verdict.outcome == "no data") == (other or verdict.claim.id == "3c-slight"), verdict.claim.id


def test_an_empty_table_has_no_data():
    assert {verdict.outcome for verdict in judge(Table({}, {}))} == {"no data"}
    assert all(verdict.trials is None and verdict.words for verdict in judge(Table({}, {})))


def test_fewer_points_than_the_paper_are_no_obstacle():
    """As in a quick run, which has two sizes and two libraries."""
    few = [row for row in everything(4) if row["x"] in (1, 4) or (row["sweep"] != "tasks" and not row["x"] > 256)]
    outcomes = {verdict.claim.id: verdict.outcome for verdict in judge(table_of(few))}
    assert outcomes["4a-orders-of-magnitude"] == "no data"
    assert outcomes["3a-same-order"] != "no data"


def test_an_unknown_test_is_refused():
    with pytest.raises(InputError, match="claim one: test is 'magic', expected one of difference"):
        judge(Table({}, {}), [claim(test="magic")])
