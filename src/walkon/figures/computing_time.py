"""The time that agents compute before a trial and in it, against the number of states.

On logarithmic axes a power of the number of states is a straight line; times proportional to it have the slope of the
grey line. Means are geometric, so that a step in which the machine was busy changes them little; the rows also have
the arithmetic ones.
"""

from collections.abc import Callable

import numpy as np
from matplotlib.figure import Figure

from walkon.arrays import Floats
from walkon.figures.by_setting import SIZES, mark_sizes
from walkon.figures.lines import draw_lines, mark_decades, name_lines
from walkon.figures.rows import Way, by_point, lines_of, middle
from walkon.figures.style import LINE, sheet
from walkon.measuring.statistics import known, mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.saying import seconds

NOTE = "geometric mean and 95 % interval; grey: proportional to |X|"


def _times(values: Floats) -> Row:
    """The geometric mean of some times with its 95 % interval, and the arithmetic mean."""
    there = known(values)
    logs = mean_interval(np.log(there[there > 0]))
    middle, low, high = (float(np.exp(value)) for value in (logs.mean, logs.low, logs.high))
    return {"n": logs.n, "geometric_mean": middle, "low": low, "high": high, "mean": mean_interval(there).mean}


def _draw(table: Table, rows: list[Row], heading: str) -> Figure:
    lines = lines_of(rows)
    figure, axes = sheet(heading, NOTE, left=0.68, bottom=0.66)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(SIZES)
    draw_lines(axes, lines)
    mark_sizes(axes, table)
    mark_decades(axes, np.concatenate([np.r_[line.y, line.high] for line in lines]), seconds)
    x = np.array(axes.get_xlim())
    proportional = 1.2 * axes.get_ylim()[0] * x / x[0]
    axes.plot(x, proportional, color=LINE, linewidth=1.2, zorder=1, scalex=False, scaley=False)
    axes.grid(axis="y")
    name_lines(axes, lines)
    return figure


def _way(measure: str, times: Callable[[Table], Floats], heading: str) -> Way:
    return Way(
        measure=measure,
        data=lambda table: by_point(table, lambda own: _times(times(own))),
        draw=lambda table, rows: _draw(table, rows, heading),
        words=lambda row: seconds(float(f"{middle(row):.2g}")),
    )


SETUP = _way("seconds", lambda own: own["seconds"], "Time to prepare for one task")
DECISION = _way("decision_seconds", lambda own: own.curve("decision_seconds"), "Time for one decision")
