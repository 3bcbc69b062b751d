"""Figures 4a and 4b: the time that the agents compute, before a trial and in it, against the number of states.

Both axes are logarithmic: a power of the number of states is a straight line there, and what is proportional to it has
the slope of the grey line. Means are geometric, as suits such an axis: they are little moved by a step in which the
machine was busy with something else. The arithmetic ones stand beside them in the rows.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.arrays import Floats
from walkon.figures.by_setting import SIZES, mark_sizes
from walkon.figures.lines import Line, decades, draw_lines, name_lines
from walkon.figures.rows import agents_of, lines_of
from walkon.figures.style import LINE, sheet
from walkon.measuring.statistics import known, mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

NOTE = "geometric mean and 95 % interval; grey: proportional to |X|"
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def setup_data(table: Table) -> list[Row]:
    """For each agent and size the seconds of its preparation for one task."""
    return [
        {"agent": agent, "x": x, **_times(table.where(agent=agent, x=x)["seconds"])}
        for agent in agents_of(table)
        for x in table.where(agent=agent).points()
    ]


def decision_data(table: Table) -> list[Row]:
    """For each agent and size the seconds of one decision."""
    return [
        {"agent": agent, "x": x, **_times(table.where(agent=agent, x=x).curve("decision_seconds"))}
        for agent in agents_of(table)
        for x in table.where(agent=agent).points()
    ]


def _times(seconds: Floats) -> Row:
    """The geometric mean of times with its 95 % interval, and the arithmetic mean."""
    there = known(seconds)
    logs = mean_interval(np.log(there[there > 0]))
    middle, low, high = (float(np.exp(value)) for value in (logs.mean, logs.low, logs.high))
    return {"n": logs.n, "geometric_mean": middle, "low": low, "high": high, "mean": mean_interval(there).mean}


def draw_setup(table: Table, rows: list[Row]) -> Figure:
    """Time before the trial."""
    return _draw(table, rows, "Time to prepare for one task", NOTE)


def draw_decision(table: Table, rows: list[Row]) -> Figure:
    """Time for a decision."""
    return _draw(table, rows, "Time for one decision", NOTE)


def in_words(seconds: float) -> str:
    """A time in the unit that suits it.

    >>> in_words(0.00001), in_words(0.2), in_words(30.0)
    ('10 µs', '200 ms', '30 s')
    """
    size, unit = next(((size, unit) for size, unit in UNITS if seconds >= size * 0.9999), UNITS[-1])
    return f"{seconds / size:g} {unit}"


def _draw(table: Table, rows: list[Row], heading: str, note: str) -> Figure:
    lines = lines_of(rows)
    figure, axes = sheet(heading, note, left=0.68, bottom=0.66)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(SIZES)
    draw_lines(axes, lines)
    mark_sizes(axes, table)
    _decades(axes, lines)
    _proportional(axes)
    axes.grid(axis="y")
    axes.spines["left"].set_visible(False)
    name_lines(axes, lines)
    return figure


def _decades(axes: Axes, lines: list[Line]) -> None:
    """Whole decades; bands may run off below."""
    low, high = decades(np.concatenate([np.r_[line.y, line.high] for line in lines]))
    powers = np.arange(low, high + 1)
    axes.set_ylim(10.0**low, 10.0**high)
    axes.set_yticks(10.0**powers, [in_words(10.0**power) for power in powers])
    axes.set_yticks([], minor=True)


def _proportional(axes: Axes) -> None:
    """A line from the lower left with the slope of what is proportional to |X|."""
    x = np.array(axes.get_xlim())
    y = 1.2 * axes.get_ylim()[0] * x / x[0]
    axes.plot(x, y, color=LINE, linewidth=1.2, zorder=1, scalex=False, scaley=False)
