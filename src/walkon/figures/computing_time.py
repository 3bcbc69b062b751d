"""The time that the agents compute, before a trial and in it, against the number of states.

Both axes are logarithmic: a power of the number of states is a straight line there, and what is proportional to it has
the slope of the grey line. Means are geometric, as suits such an axis: they are little moved by a step in which the
machine was busy with something else. The arithmetic ones stand beside them in the rows.
"""

from collections.abc import Callable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.arrays import Floats
from walkon.figures.by_setting import SIZES, mark_sizes
from walkon.figures.lines import Line, decades, draw_lines, name_lines
from walkon.figures.rows import agents_of, lines_of, middle
from walkon.figures.style import LINE, sheet
from walkon.figures.way import Way
from walkon.measuring.statistics import known, mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.saying import seconds

NOTE = "geometric mean and 95 % interval; grey: proportional to |X|"


def _data(table: Table, seconds: Callable[[Table], Floats]) -> list[Row]:
    """For each agent and size its times."""
    return [
        {"agent": agent, "x": x, **_times(seconds(table.where(agent=agent, x=x)))}
        for agent in agents_of(table)
        for x in table.where(agent=agent).points()
    ]


def _times(seconds: Floats) -> Row:
    """The geometric mean of times with its 95 % interval, and the arithmetic mean."""
    there = known(seconds)
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
    _decades(axes, lines)
    _proportional(axes)
    axes.grid(axis="y")
    name_lines(axes, lines)
    return figure


def _decades(axes: Axes, lines: list[Line]) -> None:
    """Whole decades; bands may run off below."""
    low, high = decades(np.concatenate([np.r_[line.y, line.high] for line in lines]))
    powers = np.arange(low, high + 1)
    axes.set_ylim(10.0**low, 10.0**high)
    axes.set_yticks(10.0**powers, [seconds(10.0**power) for power in powers])
    axes.set_yticks([], minor=True)


def _proportional(axes: Axes) -> None:
    """A line from the lower left with the slope of what is proportional to |X|."""
    x = np.array(axes.get_xlim())
    y = 1.2 * axes.get_ylim()[0] * x / x[0]
    axes.plot(x, y, color=LINE, linewidth=1.2, zorder=1, scalex=False, scaley=False)


def _words(row: Row) -> str:
    return seconds(float(f"{middle(row):.2g}"))


SETUP = Way(
    measure="seconds",
    data=lambda table: _data(table, lambda own: own["seconds"]),
    draw=lambda table, rows: _draw(table, rows, "Time to prepare for one task"),
    words=_words,
)
DECISION = Way(
    measure="decision_seconds",
    data=lambda table: _data(table, lambda own: own.curve("decision_seconds")),
    draw=lambda table, rows: _draw(table, rows, "Time for one decision"),
    words=_words,
)
