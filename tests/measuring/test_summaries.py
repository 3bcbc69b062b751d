import csv
import io
import math

import numpy as np
import pytest
import scipy.stats

from made_up_results import PAPER, night, table_of, trials
from walkon.measuring.statistics import bootstrap_interval, mean_interval
from walkon.measuring.summaries import claims, csv_text, differences, headline, timings
from walkon.measuring.table import Table
from walkon.measuring.verdicts import judge

NAN = float("nan")


def played():
    rows = [row | {"solved": float(row["steps"] < 20)} for row in night("baseline", PAPER)]
    for row in rows:
        if row["agent"] in ("atpo", "bopa"):
            sure = 0.96 if row["pair"] % 4 else 0.9
            row |= {"final_p_true": sure, "identified_at": 6.0 if sure > 0.95 else NAN, "mean_brier": 0.25}
            row |= {"p_true": [0.3] * 10 + [0.5, sure]}
    return rows + night("size", PAPER, x=256, n=8) + night("size", PAPER, x=81, n=8)


def test_the_headline_has_a_row_for_each_agent_at_each_point_in_order():
    rows = headline(table_of(played()))
    places = [(row["sweep"], row["x"], row["agent"]) for row in rows]
    assert places == [(sweep, x, a) for sweep, x in (("baseline", None), ("size", 81), ("size", 256)) for a in PAPER]
    assert len({tuple(row) for row in rows}) == 1


def test_the_numbers_of_a_row_are_those_of_its_trials():
    table = table_of(played())
    row = next(row for row in headline(table) if row["agent"] == "atpo")
    mine = table.where(sweep="baseline", agent="atpo")
    assert (row["steps"], row["steps_low"], row["steps_high"], row["n"]) == mean_interval(mine["steps"])
    drawn = bootstrap_interval(mine["steps"], mine["task"])
    assert (row["steps_boot_low"], row["steps_boot_high"]) == (drawn.low, drawn.high)
    exact = scipy.stats.binomtest(int(mine["solved"].sum()), 64).proportion_ci(method="exact")
    assert (row["solved_low"], row["solved_high"]) == pytest.approx((exact.low, exact.high))
    assert (row["identified"], row["identified_10"], row["mean_brier"]) == (0.75, 0.0, 0.25)
    assert (row["identified_at_median"], row["identified_at_median_low"]) == (6.0, 6.0)
    assert math.isinf(row["identified_at_median_high"]) is False
    assert math.isnan(row["tally"])
    assert math.isnan(row["dead_end"])


def test_a_kitchen_is_summarised_in_soups_and_a_hunt_in_steps():
    """An episode counts both, but only one of them means anything."""
    kitchen = {"dead_end": 0.0}
    rows = [row | kitchen for agent in ("atpo", "random") for row in trials("overcooked", agent, "tally", [3.0, 5.0])]
    rows += [row | {"solved": 1.0} for row in night("pursuit", PAPER, n=8)]
    soups, steps = (headline(table_of(rows), "soups")[i] for i in (0, -1))
    assert (soups["soups"], soups["dead_end"]) == (4.0, 0.0)
    assert np.isnan([soups["steps"], soups["solved"], soups["steps_boot_low"]]).all()
    assert (steps["solved"], steps["n"]) == (1.0, 8)
    assert np.isnan([steps["soups"], steps["dead_end"]]).all()
    assert {(row["sweep"], row["measure"]) for row in differences(table_of(rows), tally="soups")} == {
        ("overcooked", "soups"),
        ("pursuit", "steps"),
    }


def test_where_tasks_are_drawn_the_bootstrap_does_not_take_them_as_strata():
    """Else a task that was drawn once would leave the interval unknown."""
    rows = [row | {"task": f"task {row['pair']}"} for row in night("size", PAPER, x=81, n=8)]
    assert all(math.isfinite(row["steps_boot_low"]) for row in headline(table_of(rows)))


def test_differences_to_atpo_are_shown_paired_and_unpaired():
    table = table_of(played())
    rows = differences(table)
    assert "atpo" not in {row["agent"] for row in rows}
    bopa = next(row for row in rows if row["agent"] == "bopa" and row["x"] is None)
    a, b = table.where(sweep="baseline", agent="atpo")["steps"], table.where(sweep="baseline", agent="bopa")["steps"]
    assert bopa["difference"] == pytest.approx(5.0)
    assert (bopa["paired_low"], bopa["paired_high"]) == pytest.approx(mean_interval(b - a)[1:3])
    half = 1.96 * math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 64)
    assert (bopa["unpaired_low"], bopa["unpaired_high"]) == pytest.approx((5 - half, 5 + half))
    assert [row["agent"] for row in differences(table, to="random") if row["x"] is None] == list(PAPER)[:-1]


def test_times_have_a_table_of_their_own():
    rows = trials("setup", "atpo", "seconds", [1.0, 2.0, 6.0], x=81)
    rows += [
        {"sweep": "decision", "agent": "atpo", "x": 81, "pair": i, "decision_seconds": [0.1, 0.3]} for i in range(2)
    ]
    prepared, decided = timings(table_of(rows))
    assert (prepared["timed"], prepared["n"], prepared["seconds"], prepared["seconds_median"]) == (
        "preparation",
        3,
        3,
        2,
    )
    assert (decided["timed"], decided["n"], decided["seconds"]) == ("decision", 4, pytest.approx(0.2))
    assert headline(table_of(rows)) == []


def test_the_order_of_the_trials_does_not_change_a_byte():
    table = table_of(played())
    order = np.random.default_rng(0).permutation(64)
    parts = [np.flatnonzero((table["sweep"] == "baseline") & (table["agent"] == agent))[order] for agent in PAPER]
    mixed = table.rows(np.concatenate([*parts, np.flatnonzero(table["sweep"] == "size")]))
    assert csv_text(headline(table)) == csv_text(headline(mixed))
    assert csv_text(differences(table)) == csv_text(differences(mixed))


def test_claims_become_rows():
    table = table_of(played())
    verdicts = judge(table)
    rows = list(csv.DictReader(io.StringIO(csv_text(claims(verdicts)))))
    assert [row["id"] for row in rows] == [verdict.claim.id for verdict in verdicts]
    assert [row["verdict"] for row in rows] == [verdict.outcome for verdict in verdicts]
    assert [row["before"] for row in rows] == [verdict.before or "" for verdict in verdicts]
    assert [row["sentence"] for row in rows] == [verdict.claim.sentence for verdict in verdicts]
    assert [row["words"] for row in rows] == [verdict.words for verdict in verdicts]


def test_no_rows_make_no_text():
    assert csv_text([]) == csv_text(headline(Table({"sweep": np.array([], str)}, {}))) == ""


def test_text_with_commas_quotes_and_lines_survives():
    row = {"words": 'a, "b"\nc', "n": 1, "p": None, "x": 1e-9}
    text = csv_text([row])
    assert list(csv.reader(io.StringIO(text))) == [["words", "n", "p", "x"], ['a, "b"\nc', "1", "", "1e-09"]]
