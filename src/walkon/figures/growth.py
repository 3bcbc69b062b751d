"""How time and memory grow with the problem: a panel for each number that grows, on logarithmic axes.

A power is a straight line there. Dots are measured, lines are fitted, and their slopes are written above with 95 %
intervals. Where a fixed cost dominates, the slope is smaller than it will be for larger problems.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.figures.rows import mark_decades
from walkon.figures.style import FAINT, LETTERS, SMALL, STYLES, looks
from walkon.saying import mean, seconds
from walkon.speed.bench import Row
from walkon.speed.deciding import AXES, MEMORIES, NOTE, TIMES, exponent

WIDTH, HEIGHT = 10.0, 5.2  # inches
MEGABYTE = 1e6
MARKS = {  # the name, colour and marker of a measure
    "build": ("build the library", STYLES["bopa"].colour, "s"),
    "decision": ("one decision", STYLES["atpo"].colour, "o"),
    "backup": ("one backup", STYLES["perseus"].colour, "^"),
    "agent": ("hold library and agent", STYLES["atpo"].colour, "o"),
    "solving": ("solve one task, at most", STYLES["perseus"].colour, "^"),
}


def draw(rows: Sequence[Row]) -> Figure:
    """Draw time above and memory below, against each number that grew."""
    grown = [axis for axis in AXES if any(row["axis"] == axis for row in rows)]
    with looks():
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=150)
        figure.text(0.012, 0.985, "How time and memory grow", va="top", weight="bold", size=LETTERS + 1.5)
        figure.text(0.012, 0.945, NOTE, va="top", color=FAINT, size=SMALL + 0.5)
        panels = figure.subplots(2, len(grown), sharex="col", sharey="row", squeeze=False)
        figure.subplots_adjust(left=0.065, right=0.985, top=0.81, bottom=0.085, wspace=0.1, hspace=0.3)
        for column, axis in enumerate(grown):
            for line, measures in enumerate((TIMES, MEMORIES)):
                axes = panels[line, column]
                _panel(axes, [row for row in rows if row["axis"] == axis], measures)
                letter = f"({chr(ord('a') + line * len(grown) + column)})"
                axes.annotate(letter, (1, 0), (-3, 4), "axes fraction", "offset points", ha="right", weight="bold")
            _numbers(panels[1, column], AXES[axis], [row["x"] for row in rows if row["axis"] == axis])
        for line, (measures, words) in enumerate(((TIMES, seconds), (MEMORIES, _megabytes))):
            values = np.array([row["value"] for row in rows if row["measure"] in measures])
            mark_decades(panels[line, 0], values, words)
    return figure


def _panel(axes: Axes, rows: Sequence[Row], measures: Sequence[str]) -> None:
    """Draw what was measured, the fitted lines, and their exponents above in the same colours."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.grid(axis="y")
    there = [measure for measure in measures if any(row["measure"] == measure for row in rows)]
    for place, measure in enumerate(reversed(there)):
        name, colour, marker = MARKS[measure]
        own = [row for row in rows if row["measure"] == measure]
        x, y = np.array([row["x"] for row in own], dtype=float), np.array([row["value"] for row in own])
        p = exponent(x, y)
        middle = np.exp(np.log(y).mean() + p.value * (np.log(x) - np.log(x).mean()))
        axes.plot(x, middle, color=colour, linewidth=1.2, alpha=0.7)
        axes.plot(x, y, color=colour, linestyle="", marker=marker, markersize=5.5, clip_on=False)
        label = f"{name}: p = {mean(p.value, p.interval()[1] - p.value)}"
        height = 4 + place * 1.35 * SMALL
        axes.annotate(label, (0, 1), (0, height), "axes fraction", "offset points", color=colour, size=SMALL)


def _numbers(axes: Axes, name: str, x: Sequence[int]) -> None:
    """Label the first, the middle and the last point; more labels would touch."""
    points = sorted(set(x))
    shown = sorted({points[0], points[len(points) // 2], points[-1]})
    axes.set_xticks(shown, [f"{point:,}" for point in shown])
    axes.set_xlabel(name)


def _megabytes(size: float) -> str:
    """Write bytes as megabytes.

    >>> _megabytes(1e5), _megabytes(1e7), _megabytes(1e9)
    ('0.1 MB', '10 MB', '1000 MB')
    """
    return f"{size / MEGABYTE:g} MB"
