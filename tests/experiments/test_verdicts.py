import dataclasses
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from made_up_results import PAPER, night, table_of, trials
from walkon import InputError
from walkon.experiments.claims import Claim, read_claims
from walkon.experiments.statistics import holm
from walkon.experiments.table import Table
from walkon.experiments.verdicts import judge

NAN = float("nan")


def claim(**fields):
    common = {"id": "one", "figure": "2a", "says": "", "sweep": "baseline", "test": "difference", "measure": "steps"}
    return Claim(**common | {"must": "be below"} | fields)


def one(table, **fields):
    (verdict,) = judge(table, [claim(**fields)])
    return verdict


def paper(ids, table):
    return [verdict.outcome for verdict in judge(table, [claim for claim in read_claims() if claim.id in ids])]


BETTER = {"pairs": (("atpo", "bopa"),)}
ALIKE = {"pairs": (("atpo", "perseus"),), "must": "stay within", "stake": 0.1}


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


def test_p_values_are_adjusted_over_the_comparisons_of_a_figure_and_no_others():
    means = PAPER | {"atpo": 9.2, "bopa": 10.5}
    table = table_of(night("baseline", means))
    pairs = (("perseus", "atpo"), ("atpo", "bopa"))
    claims = [claim(pairs=pairs), claim(id="two", pairs=(("value-iteration", "random"),))]
    other = claim(id="other figure", figure="5a", **BETTER)
    equivalence = claim(id="equivalence", **ALIKE)
    first, second, third, fourth = judge(table, [*claims, other, equivalence])
    steps = {agent: trial["steps"] for agent, trial in table.by_agent()}
    raw = [scipy.stats.ttest_rel(steps[a], steps[b]).pvalue for a, b in [*pairs, ("value-iteration", "random")]]
    found = [finding.p for finding in (*first.findings, *second.findings)]
    assert found == pytest.approx(holm(raw))
    assert third.findings[0].p == pytest.approx(raw[1])
    assert fourth.findings[0].p == judge(table, [equivalence])[0].findings[0].p


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
    assert paper({"4a-superlinear"}, table_of(timed({"atpo": 1.8, "perseus": 1.8}))) == ["holds"]
    assert paper({"4a-superlinear"}, table_of(timed({"atpo": 0.7, "perseus": 1.8}))) == ["fails"]
    assert paper({"4a-superlinear"}, table_of(timed({"atpo": 1.8, "perseus": 1.8}, repeats=1))) == ["not decided"]


def test_decisions_grow_more_slowly_than_preparations():
    slow, fast = dict.fromkeys(PAPER, 0.2), dict.fromkeys(PAPER, 1.5)
    rows = timed(fast) + timed(slow, "decision", "decision_seconds")
    assert paper({"4b-graceful"}, table_of(rows)) == ["holds"]
    assert paper({"4b-graceful"}, table_of(timed(slow) + timed(fast, "decision", "decision_seconds"))) == ["fails"]
    assert paper({"4b-graceful"}, table_of(timed(fast))) == ["no data"]


def test_times_are_said_as_ratios():
    table = table_of(timed({"atpo": 2.0, "bopa": 1.0}))
    verdict = one(table, sweep="setup", measure="log_seconds", points=(1296,), must="be above", limit=2.0, **BETTER)
    assert verdict.outcome == "holds"
    assert verdict.words.startswith("ATPO takes 1,")
    assert verdict.words.endswith("against a limit of 100")


def test_the_order_of_the_agents_is_kept_or_not():
    kept = {agent: lambda x, mean=mean: mean + 10 * x for agent, mean in PAPER.items()}
    turned = {agent: lambda x, mean=mean: mean if x < 0.3 else 50 - mean for agent, mean in PAPER.items()}
    points = [0.0, 0.1, 0.4, 0.5]
    assert paper({"3b-same-order"}, table_of(sweep("noise", points, kept))) == ["holds"]
    assert paper({"3b-same-order"}, table_of(sweep("noise", points, turned))) == ["fails"]


def identified(count, n=96):
    return [
        {"sweep": "pursuit", "agent": "atpo", "pair": i, "final_p_true": 0.99, "identified_at": 5 if i < count else NAN}
        for i in range(n)
    ]


@pytest.mark.parametrize(("count", "outcome"), [(80, "holds"), (20, "fails"), (50, "not decided")])
def test_shares_are_judged_by_the_binomial_distribution(count, outcome):
    (verdict,) = judge(table_of(identified(count)), [each for each in read_claims() if each.id == "5b-identifies"])
    assert verdict.outcome == outcome
    assert verdict.decisive.p == pytest.approx(
        min(1, 2 * scipy.stats.binomtest(count, 96, alternative=_side(count)).pvalue)
    )


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
    (verdict,) = judge(
        bounds([1.0, 3.0, 4.0], [5.0, 2.5, 3.9]), [each for each in read_claims() if each.id == "bound-printed"]
    )
    assert verdict.words == "ATPO's sum of losses exceeds bound_printed at 2 of 3 steps of 1 episodes, by up to 0.5"


def everything(n):
    """All sweeps, with every column and curve that claims ask for."""
    chance = np.random.default_rng(3)
    believing = {"final_p_true": 0.99, "identified_at": 4.0, "mean_entropy": 0.2, "soups": 4.0}
    places = [("baseline", NAN), ("pursuit", NAN), ("overcooked", NAN), ("bound", NAN)]
    places += [(name, x) for name in ("size", "setup", "decision") for x in (81.0, 256.0, 625.0, 1296.0)]
    places += [("noise", e / 10) for e in range(6)] + [("tasks", float(K)) for K in range(1, 11)]
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
        assert {verdict.outcome for verdict in verdicts if verdict.claim.figure != "bound"} == {"not decided"}
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


def test_a_difference_can_be_asked_for_at_each_point_apart_with_holm_over_all_of_them():
    rows = []
    for x, bopa in enumerate((14.0, 14.0, 11.4)):
        rows += night("baseline", PAPER | {"bopa": bopa}, seed=x, x=float(x))
    verdict = one(table_of(rows), **BETTER, by="x")
    assert [finding.outcome for finding in verdict.findings] == ["holds", "holds", "not decided"]
    assert [f"at {x}" in finding.words for x, finding in enumerate(verdict.findings)] == [True] * 3
    alone = [one(table_of(rows), **BETTER, points=(x,)).findings[0].p for x in (0.0, 1.0, 2.0)]
    assert [finding.p for finding in verdict.findings] == pytest.approx(holm(alone))


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
