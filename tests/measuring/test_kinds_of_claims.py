"""Each kind of test that a claim may ask for: along a sweep, of times, of orders, of shares, of bounds, of gaps."""

import numpy as np
import pytest
import scipy.stats

from judging import BETTER, before, claims_of, one, paper
from made_up_results import PAPER, night, table_of, trials
from walkon.measuring.exact import Bounded
from walkon.measuring.statistics import Estimate, holm, mean_of
from walkon.measuring.verdicts import judge

NAN = float("nan")


def sweep(name, points, lines, n=32, seed=0):
    """Steps of agents at all points, each as a function of x."""
    return [
        row
        for i, x in enumerate(points)
        for row in night(name, {agent: line(x) for agent, line in lines.items()}, n=n, seed=seed + i, x=x)
    ]


def test_comparisons_along_a_sweep_are_averages_over_its_points():
    lines = {"atpo": lambda x: 10 + 4 * x, "bopa": lambda x: 12 + 4 * x}
    verdict = one(table_of(sweep("noise", [0.0, 0.25, 0.5], lines)), sweep="noise", **BETTER)
    assert verdict.outcome == "holds"
    assert verdict.decisive.estimate == pytest.approx(-2)
    assert verdict.decisive.n == 32
    assert "32 trials a point" in verdict.words


def test_rises_are_found_and_compared():
    lines = {"atpo": lambda x: 10 + 8 * x, "bopa": lambda x: 10 + 20 * x}
    table = table_of(sweep("noise", [0.0, 0.25, 0.5], lines))
    rise = one(table, sweep="noise", test="rise", agents=("atpo", "bopa"), must="be above")
    assert rise.outcome == "holds"
    assert [finding.estimate for finding in rise.findings] == pytest.approx([4, 10])
    assert rise.words.startswith("ATPO's rise in steps from noise 0 to 0.5 is 4.0 (95 % interval")
    more = one(table, sweep="noise", test="difference-of-rises", pairs=(("bopa", "atpo"),), must="be above")
    assert more.outcome == "holds"
    assert more.decisive.estimate == pytest.approx(6)
    assert one(table, sweep="noise", test="rise", agents=("atpo",), must="be below").outcome == "fails"


def timed(exponents, sweep="setup", column="seconds", repeats=3):
    chance = np.random.default_rng(0)
    return [
        row
        for agent, exponent in exponents.items()
        for x in (81, 256, 625, 1296)
        for row in trials(
            sweep,
            agent,
            column,
            [_shape(column, x**exponent * each) for each in chance.gamma(900, 1 / 900, repeats)],
            x=x,
        )
    ]


def _shape(column, seconds):
    return seconds if column == "seconds" else np.full(50, seconds)


def test_growth_is_linear_superlinear_or_neither():
    linear = {"value-iteration": 1.0, "bopa": 1.05}
    assert paper({"4a-linear"}, table_of(timed(linear))) == ["holds"]
    assert paper({"4a-linear"}, table_of(timed(linear | {"bopa": 1.5}))) == ["fails"]
    assert before({"4a-superlinear"}, table_of(timed({"atpo": 1.8, "perseus": 1.8}))) == ["holds"]
    assert before({"4a-superlinear"}, table_of(timed({"atpo": 0.7, "perseus": 1.8}))) == ["fails"]
    assert before({"4a-superlinear"}, table_of(timed({"atpo": 1.8, "perseus": 1.8}, repeats=1))) == ["not decided"]


def test_what_we_do_otherwise_than_the_paper_is_not_comparable_but_its_numbers_are_shown():
    (verdict,) = judge(table_of(timed({"atpo": 1.8, "perseus": 0.5})), claims_of({"4a-superlinear"}))
    assert verdict.outcome == "not comparable"
    assert verdict.before == "fails"
    assert "growth exponent of ATPO's set-up time is 1.79" in verdict.words
    assert verdict.needed == ""
    assert paper({"4a-superlinear"}, table_of(night("baseline", PAPER))) == ["no data"]


def test_decisions_grow_less_than_linearly_and_formerly_more_slowly_than_preparations():
    slow, fast = dict.fromkeys(PAPER, 0.2), dict.fromkeys(PAPER, 1.5)
    both = table_of(timed(fast) + timed(slow, "decision", "decision_seconds"))
    assert paper({"4b-graceful"}, both) == before({"4b-graceful"}, both) == ["holds"]
    both = table_of(timed(slow) + timed(fast, "decision", "decision_seconds"))
    assert paper({"4b-graceful"}, both) == before({"4b-graceful"}, both) == ["fails"]
    assert paper({"4b-graceful"}, table_of(timed(fast))) == ["no data"]


@pytest.mark.parametrize(("exponent", "outcome"), [(0.7, "holds"), (1.0, "holds"), (1.6, "fails")])
def test_a_decision_costs_at_most_in_proportion_to_the_number_of_tasks(exponent, outcome):
    rows = timed({"bopa": 0.9, "atpo": exponent}, "decision-tasks", "decision_seconds")
    (verdict,) = judge(table_of(rows), claims_of({"4b-linear-in-tasks"}))
    assert verdict.outcome == outcome
    assert "with a margin of 0.25 above 1" in verdict.words  # less than linear is no failure


def test_times_are_reported_as_ratios():
    table = table_of(timed({"atpo": 2.0, "bopa": 1.0}))
    verdict = one(table, sweep="setup", measure="log_seconds", points=(1296,), must="be above", limit=2.0, **BETTER)
    assert verdict.outcome == "holds"
    assert verdict.words.startswith("ATPO takes 1,")
    assert verdict.words.endswith("against a limit of 100")


def test_the_order_of_the_agents_is_kept_or_not():
    kept = {agent: lambda x, mean=mean: mean + 10 * x for agent, mean in PAPER.items()}
    turned = {agent: lambda x, mean=mean: mean if x < 0.3 else 50 - mean for agent, mean in PAPER.items()}
    points = [0.0, 0.1, 0.4, 0.5]
    for judged in (paper, before):
        assert judged({"3b-same-order"}, table_of(sweep("noise", points, kept))) == ["holds"]
        assert judged({"3b-same-order"}, table_of(sweep("noise", points, turned))) == ["fails"]


def test_an_order_that_one_pair_reverses_everywhere_is_not_mostly_the_same_though_kendalls_w_says_so():
    swapped = PAPER | {"perseus": PAPER["atpo"], "atpo": PAPER["perseus"]}
    lines = {agent: lambda x, mean=mean: mean + 10 * x for agent, mean in swapped.items()}
    table = table_of(sweep("noise", [0.0, 0.2, 0.5], lines))
    assert before({"3b-same-order"}, table) == ["holds"]
    (verdict,) = judge(table, claims_of({"3b-same-order"}))
    assert verdict.outcome == "not decided"
    assert (verdict.decisive.estimate, verdict.decisive.low, verdict.decisive.high) == (0.75, 0.75, 0.75)
    assert "9 of 12 are shown to be as stated and 3 to be reversed" in verdict.words
    assert "not shown: Perseus before ATPO at 0, Perseus before ATPO at 0.2" in verdict.words
    twice = {agent: lambda x, mean=mean: mean for agent, mean in (swapped | {"bopa": 50.0}).items()}
    assert paper({"3b-same-order"}, table_of(sweep("noise", [0.0, 0.2, 0.5], twice))) == ["fails"]


def identified(count, n=96):
    return [
        {"sweep": "pursuit", "agent": "atpo", "pair": i, "final_p_true": 0.99 if i < count else 0.9, "horizon": 50}
        | {"identified_at": 5 if i < count else NAN, "p_true": [0.3] * 10 + [0.96] + [0.99 if i < count else 0.9]}
        for i in range(n)
    ]


@pytest.mark.parametrize(("count", "outcome"), [(80, "holds"), (20, "fails"), (50, "not decided")])
def test_shares_are_judged_by_the_binomial_distribution(count, outcome):
    (verdict,) = judge(table_of(identified(count)), claims_of({"5b-identifies"}))
    assert verdict.outcome == outcome
    assert verdict.decisive.p == pytest.approx(
        min(1, 2 * scipy.stats.binomtest(count, 96, alternative=_side(count)).pvalue)
    )
    assert f"identified at the end is {count / 96:.3f}" in verdict.words
    assert "at step 10 1.000 (0.962 to 1.000)" in verdict.words
    middle = "5.0" if count >= 48 else "not reached"
    assert f"median time {middle}" in verdict.words
    assert "not reached to not reached" not in verdict.words
    assert f"mean capped at 50 steps {(count * 5 + (96 - count) * 50) / 96:.1f}" in verdict.words


@pytest.mark.parametrize(("count", "outcome"), [(80, "holds"), (20, "fails"), (50, "not decided")])
def test_a_median_time_is_judged_by_how_many_are_earlier(count, outcome):
    rows = [
        row | {"sweep": "overcooked", "agent": agent} for row in identified(count) for agent in ("atpo", "assistant")
    ]
    (verdict,) = judge(table_of(rows), claims_of({"6b-ten-steps-median"}))
    assert verdict.outcome == outcome
    assert verdict.before is None
    if outcome == "not decided":
        assert verdict.trials > 96
        assert " (at least " in verdict.needed
    (share,) = judge(table_of(rows), claims_of({"6b-ten-steps"}))
    assert share.outcome == "holds"  # all are sure at step 10, though not to the end


def test_few_differences_of_soups_that_are_not_zero_are_judged_by_what_soups_can_be():
    """Student's interval for 189 zeros and three losses of a soup ends at a third of what can be said."""
    soups = np.full(192, 4.0)
    less = soups.copy()
    less[[3, 77, 150]] -= 1
    kitchen = [*trials("overcooked", "value-iteration", "tally", soups), *trials("overcooked", "atpo", "tally", less)]
    (verdict,) = judge(table_of(kitchen), claims_of({"6a-atpo-optimal"}))
    exact = Bounded.of(less - soups, -5, 5)
    assert (verdict.decisive.low, verdict.decisive.high) == pytest.approx(exact.interval(0.9))
    assert verdict.outcome == "holds"
    assert verdict.before == "holds"
    less[::8] -= 1
    kitchen[192:] = trials("overcooked", "atpo", "tally", less)
    (verdict,) = judge(table_of(kitchen), claims_of({"6a-atpo-optimal"}))
    assert (verdict.decisive.low, verdict.decisive.high) == pytest.approx(mean_of(less - soups, -5, 5).interval(0.9))
    assert isinstance(mean_of(less - soups, -5, 5), Estimate)


def _side(count):
    return "greater" if count > 48 else "less"


def bounds(left, right):
    return table_of([{"sweep": "bound", "agent": "atpo", "pair": 0, "loss": left, "bound_printed": right}])


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [
        ([1.0, 2.0], [1.0, 3.0], "holds"),
        ([1.0, 2.0 + 1e-12], [1.0, 2.0], "holds"),
        ([1.0, 2.0], [np.inf, np.inf], "holds"),
        ([1.0, 3.0, 1.0], [5.0, 2.9, 5.0], "fails"),
        ([1.0, NAN], [2.0, 0.0], "holds"),
        ([NAN], [NAN], "no data"),
    ],
)
def test_a_bound_is_broken_by_a_single_step(left, right, outcome):
    assert paper({"bound-printed"}, bounds(left, right)) == [outcome]


def test_a_broken_bound_says_where_and_by_how_much():
    (verdict,) = judge(bounds([1.0, 3.0, 4.0], [5.0, 2.5, 3.9]), claims_of({"bound-printed"}))
    assert verdict.words == "ATPO's sum of losses exceeds bound_printed at 2 of 3 steps of 1 episodes, by up to 0.5"


def test_a_difference_can_be_asked_for_at_each_point_apart_with_holm_over_all_that_may_fail():
    rows = []
    for x, bopa in enumerate((14.0, 14.0, 11.4)):
        rows += night("baseline", PAPER | {"bopa": bopa}, seed=x, x=float(x))
    verdict = one(table_of(rows), **BETTER, by="x")
    assert [finding.outcome for finding in verdict.findings] == ["holds", "holds", "not decided"]
    assert [f"at {x}" in finding.words for x, finding in enumerate(verdict.findings)] == [True] * 3
    alone = [one(table_of(rows), **BETTER, points=(x,)).findings[0].p for x in (0.0, 1.0, 2.0)]
    assert [finding.p for finding in verdict.findings] == pytest.approx(alone)
    fails = one(table_of(rows), **BETTER | {"must": "be above"}, by="x")
    assert [finding.p for finding in fails.findings] == pytest.approx(holm(alone))


def test_and_with_each_teammate_apart():
    rows = night("baseline", PAPER, n=40)
    verdict = one(table_of(rows), **BETTER, by="task")
    assert sorted(finding.n for finding in verdict.findings) == [10] * 4
    assert all("with task" in finding.words for finding in verdict.findings)
    assert one(table_of([]), **BETTER, by="task").outcome == "no data"


def test_a_share_of_a_gap_is_judged_like_any_other_number():
    table = table_of(night("baseline", {"bayes": 9.0, "atpo": 17.0, "perseus": 7.0}, n=200))
    asked = {"test": "gap-closed", "agents": ("bayes", "atpo", "perseus"), "must": "be above"}
    verdict = one(table, **asked, limit=0.5)
    assert verdict.outcome == "holds"
    assert verdict.findings[0].estimate == pytest.approx(0.8, abs=0.01)
    assert verdict.words.startswith("Bayes closes a share of 0.80 of the gap between ATPO and Perseus")
    assert one(table, **asked, limit=0.95).outcome == "fails"
