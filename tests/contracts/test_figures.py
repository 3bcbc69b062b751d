"""The contract of every figure."""

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from scipy.stats import gmean

from synthetic_results import results
from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.figures.by_agent import LOSSES
from walkon.figures.files import FORMATS, as_bytes, inline
from walkon.figures.over_time import FOOT, RATE
from walkon.figures.rows import middle
from walkon.figures.style import PAPER
from walkon.measuring.table import Table
from walkon.paper.run import BEYOND_FIGURES, FIGURES

ALL = FIGURES | BEYOND_FIGURES
TABLE = results(trials=8, beyond=True)
OTHER = results(7, trials=3, beyond=True)
MANY = results(1, trials=80).where(sweep="baseline")
MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(params=ALL)
def figure(request):
    return ALL[request.param]


def own(figure, table=TABLE):
    return table.where(sweep=figure.sweep)


def all_alike(table):
    """Every trial as good as the next: lines and labels that all want the same place."""
    flat = {"steps": 20.0, "tally": 3.0, "return": 50.0}
    columns = table.columns | {name: np.full(len(table), value) for name, value in flat.items()}
    columns["seconds"] = np.where(np.isnan(table["seconds"]), np.nan, 0.01)
    flat = {name: np.where(np.isnan(curve), np.nan, 0.5) for name, curve in table.curves.items()}
    return Table(columns, flat)


def unsolved(table):
    return Table(table.columns | {"steps": np.full(len(table), 50.0), "solved": np.zeros(len(table))}, table.curves)


TABLES = {
    "complete": lambda table: table,
    "of another seed": lambda table: OTHER,
    "of many trials": lambda table: MANY if "baseline" in table["sweep"] else table,
    "without atpo's betters": lambda table: table.rows(~np.isin(table["agent"], ["value-iteration", "perseus"])),
    "of one agent": lambda table: table.where(agent="atpo"),
    "with every other trial": lambda table: table.rows(np.arange(len(table)) % 2 == 0),
    "of one point": lambda table: table.rows(np.isnan(table["x"]) | np.isin(table["x"], [625, 0.3, 4])),
    "of one trial": lambda table: table.where(pair=0.0),
    "all alike": all_alike,
    "never solved": unsolved,
}


@pytest.fixture(params=TABLES)
def table(request, figure):
    return TABLES[request.param](own(figure))


def texts(drawn):
    """All text that can be seen, with its box in pixels."""
    FigureCanvasAgg(drawn)
    drawn.draw_without_rendering()
    beyond = {
        label
        for axis in (drawn.axes[0].xaxis, drawn.axes[0].yaxis)
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    }
    seen = [text for text in drawn.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), Text.get_window_extent(text)) for text in seen if text not in beyond]


def test_everyone_is_named_and_nothing_written_overlaps_or_is_cut_off(figure, table):
    if figure.way is LOSSES and not {"value-iteration", "bayes"} <= set(table["agent"]):
        assert figure.rows(table) == []  # nothing to compare with
        return
    drawn = figure.draw(table)
    found = texts(drawn)
    width, height = drawn.canvas.get_width_height()
    for text, box in found:
        assert box.x0 >= -0.5, text
        assert box.x1 <= width + 0.5, text
        assert box.y0 >= -0.5, text
        assert box.y1 <= height + 0.5, text
    for (one, a), (two, b) in combinations(found, 2):
        apart = max(a.x0, b.x0) >= min(a.x1, b.x1) - 1 or max(a.y0, b.y0) >= min(a.y1, b.y1) - 1
        assert apart, f"{one!r} touches {two!r}"
    rows = figure.rows(table)
    if figure.way.curves:
        names = {figure.way.curves[row["curve"]] for row in rows if np.isfinite(middle(row))}
    else:
        names = {AGENTS.title(str(row["agent"])) for row in rows}
    assert names <= {text.replace("\n", " ") for text, _ in found}


def test_a_table_with_nothing_for_it_says_what_to_run(figure):
    nothing = TABLE.rows(np.zeros(len(TABLE), dtype=bool))
    for table in (nothing, TABLE.rows(TABLE["sweep"] != figure.sweep)):
        assert figure.rows(table) == []
        with pytest.raises(
            InputError,
            match=f"cannot draw figure {figure.name}: .*walkon reproduce {figure.part or figure.name}",
        ):
            figure.draw(table)


def test_it_looks_at_its_own_sweep_only(figure):
    alone, among_others = figure.draw(own(figure)), figure.draw(TABLE)
    assert as_bytes(alone, "svg", "x") == as_bytes(among_others, "svg", "x")


def test_it_has_the_same_bytes_each_time_regardless_of_the_users_settings(figure):
    first = files(figure)
    with matplotlib.rc_context(
        {"font.size": 30, "axes.facecolor": "red", "lines.linewidth": 9, "svg.fonttype": "none"}
    ):
        second = files(figure)
    for form in FORMATS:
        assert first[form] == second[form], form
        assert first[form].startswith(MAGIC[form])
        assert b"matplotlib.org" not in first[form]


def files(figure):
    """A figure in each format, drawn anew."""
    drawn = figure.draw(TABLE)
    return {form: as_bytes(drawn, form, figure.name) for form in FORMATS}


def test_its_caption_and_its_file_count_the_tasks_and_the_trials_and_have_its_letter(figure):
    drawn = [text for text, _ in texts(figure.draw(TABLE))]
    for name, values in (("K", own(figure)["tasks"]), ("n", [row["n"] for row in figure.rows(TABLE)])):
        low, high = int(min(values)), int(max(values))
        size = f"{name} = {low:,}" if low == high else f"{name} = {low:,} to {high:,}"
        assert size in figure.caption(TABLE)
        assert any(size in text for text in drawn)
    letters = [text[:4] for text in drawn if text.startswith("(")]
    assert letters == ([f"({figure.name[1]}) "] if figure.name[0].isdigit() else [])


def test_intervals_are_drawn_over_the_markers_with_caps_that_are_wider(figure):
    lines = figure.draw(TABLE).axes[0].lines
    caps = [line for line in lines if line.get_marker() in ("_", "|")]
    markers = [line for line in lines if line.get_markerfacecolor() == PAPER and line not in caps]
    if figure.way is LOSSES:  # which has its intervals in words
        assert not caps
        return
    assert 2 * len(markers) == len(caps)
    for n, marker in enumerate(markers):
        for cap in caps[2 * n : 2 * n + 2]:
            assert cap.get_zorder() >= marker.get_zorder()
            assert lines.index(cap) > lines.index(marker)
            assert cap.get_markersize() > marker.get_markersize()


def test_its_numbers_are_plain_means_of_what_the_table_holds(figure):
    measure, first = figure.way.measure, figure.rows(TABLE)[0].get("x")
    for row in figure.rows(TABLE):
        trials = own(figure)
        for name in ("agent", "x"):
            if name in row and name in trials.columns and "curve" not in row:
                trials = trials.where(**{name: row[name]})
        if row.get("curve") == RATE or row.get("measure", measure) != measure:
            continue  # which have tests of their own
        if "curve" in row:
            values = trials.where(agent=row.get("agent", "atpo")).curve(row["curve"])[:, int(row["x"] - first)]
        else:
            values = trials[measure] if measure in trials.columns else trials.curve(measure)
        values = values[~np.isnan(values)]
        assert row["n"] == values.size
        if "geometric_mean" in row:
            assert row["mean"] == pytest.approx(values.mean())
            spread = np.exp(1.96 * np.log(values).std(ddof=1) / np.sqrt(values.size))
            assert row["geometric_mean"] == pytest.approx(gmean(values, axis=None))
            assert row["high"] == pytest.approx(row["geometric_mean"] * spread)
            assert row["low"] == pytest.approx(row["geometric_mean"] / spread)
        elif "median" in row:
            assert (
                np.sort(values)[int(values.size / 2 - 1)] <= row["median"] <= np.sort(values)[int(values.size / 2 + 1)]
            )
        else:
            half = 1.96 * values.std(ddof=1) / np.sqrt(values.size)
            assert row["mean"] == pytest.approx(values.mean())
            assert (row["low"], row["high"]) == pytest.approx((values.mean() - half, values.mean() + half))


def test_what_is_drawn_is_what_its_rows_say(figure):
    drawn = figure.draw(TABLE)
    if figure.way is LOSSES:  # whose bars have a test of their own
        return
    lines = [line for axes in drawn.axes for line in axes.lines]
    points = {tuple(point) for line in lines for point in np.array(line.get_data(), float).T.tolist()}
    for row in figure.rows(TABLE):
        if "x" in row:
            wanted = (row["x"], middle(row))
        else:
            wanted = (row["mean"], [each["agent"] for each in figure.rows(TABLE)].index(row["agent"]))
        shown = "median" not in row or FOOT <= row["median"] < np.inf
        assert not shown or wanted in points


def test_it_fits_into_a_page_with_other_figures(figure):
    svg = as_bytes(figure.draw(TABLE), "svg", figure.name)
    part = inline(svg, f"figure-{figure.name}")
    assert part.startswith("<svg")
    assert part.rstrip().endswith("</svg>")
    assert "http" not in part
    assert "#000000" not in part  # every colour is one that the page can change
    assert part.count('id="') == part.count(f'id="figure-{figure.name}-')


def test_bytes_do_not_depend_on_the_process_and_no_window_is_opened():
    code = (
        "import sys, hashlib\n"
        "from synthetic_results import results\n"
        "from walkon.figures.files import FORMATS, as_bytes\n"
        "from walkon.paper.run import FIGURES\n"
        "table = results(trials=2)\n"
        "for name in ('2a', 'bound'):\n"
        "    drawn = FIGURES[name].draw(table)\n"
        "    print(*(hashlib.sha256(as_bytes(drawn, form, name)).hexdigest() for form in FORMATS))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parent.parent), *sys.path])
    found = [
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert found[0] == found[1]
    assert len(found[0].split()) == 2 * len(FORMATS)
