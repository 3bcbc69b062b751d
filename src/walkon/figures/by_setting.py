"""The steps that each agent needs and the time it computes, against a number of the world or library by library.

Times are drawn on logarithmic axes, where a power of the number of states is a straight line; those proportional to it
have the slope of the grey line. Their means are geometric, so that a step in which the machine was busy changes them
little; the rows also have the arithmetic ones.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from walkon.arrays import Floats
from walkon.figures.rows import (
    Way,
    by_point,
    draw_lines,
    draw_means,
    horizon_of,
    lines_of,
    mark_decades,
    middle,
    name_lines,
    number,
    summary,
)
from walkon.figures.style import LINE, in_order, looks, sheet
from walkon.measuring.compare import Comparison
from walkon.measuring.statistics import known, mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.saying import seconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZES = "number of states |X|, and the room"
SHOWN = ("perseus", "bayes", "atpo")  # the agents that are compared library by library


def _data(table: Table) -> list[Row]:
    """The steps of each agent at each point."""
    return by_point(table, lambda own: summary(own["steps"]))


def _sheet(table: Table, heading: str, x: str, bottom: float = 0.5) -> "tuple[Figure, Axes]":
    horizon = horizon_of(table)
    unsolved = f", {horizon} if it never is" if horizon else ""
    figure, axes = sheet(heading, f"until the task is solved{unsolved}; mean and 95 % interval", bottom=bottom)
    axes.set_xlabel(x)
    axes.grid(axis="y")
    return figure, axes


def _draw(table: Table, rows: list[Row], **words: Any) -> "Figure":
    """Draw a line for each agent."""
    figure, axes = _sheet(table, **words)
    if words["x"] == SIZES:
        axes.set_xscale("log")
        _mark_sizes(axes, table)
    else:
        axes.set_xticks(table.points(), [f"{x:g}" for x in table.points()])
    lines = lines_of(rows)
    draw_lines(axes, lines)
    highest = max(float(line.y.max()) for line in lines)
    horizon = horizon_of(table)
    axes.set_ylim(0, horizon if horizon and highest > horizon / 2 else None)
    name_lines(axes, lines)
    return figure


def _mark_sizes(axes: "Axes", table: Table) -> None:
    """Mark the numbers of states on the x axis, with the rooms that have them."""
    sides = [round(x**0.25) for x in table.points()]
    axes.set_xticks(table.points(), [f"{side**4:,}\n{side} × {side}" for side in sides])
    axes.set_xticks([], minor=True)


def _draw_libraries(table: Table, rows: list[Row]) -> "Figure":
    """Draw libraries from left to right, and agents as marks with their intervals."""
    from matplotlib.ticker import MultipleLocator

    figure, axes = _sheet(table, "Steps, library by library", "library")
    places = sorted({number(row, "x") for row in rows})
    for place in places:
        means = [number(row, "mean") for row in rows if number(row, "x") == place]
        axes.plot([place] * 2, [min(means), max(means)], color=LINE, linewidth=0.8, zorder=1)
    lines = [line for line in lines_of(rows) if len(line.x)]
    for line in lines:
        draw_means(axes, line)
    axes.set_xticks(places, ["2a" if place == 0 else f"{place:.0f}" for place in places])
    axes.set_xlim(places[0] - 0.5, places[-1] + 0.5)
    axes.set_ylim(0, None)
    axes.yaxis.set_major_locator(MultipleLocator(5))
    name_lines(axes, lines)
    return figure


def _times(values: Floats) -> Row:
    """The geometric mean of some times with its 95 % interval, and the arithmetic mean."""
    there = known(values)
    logs = mean_interval(np.log(there[there > 0]))
    mean, low, high = (float(np.exp(value)) for value in (logs.mean, logs.low, logs.high))
    return {"n": logs.n, "geometric_mean": mean, "low": low, "high": high, "mean": mean_interval(there).mean}


def _draw_times(table: Table, rows: list[Row], heading: str) -> "Figure":
    lines = lines_of(rows)
    figure, axes = sheet(heading, "geometric mean and 95 % interval; grey: proportional to |X|", left=0.68, bottom=0.66)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(SIZES)
    draw_lines(axes, lines)
    _mark_sizes(axes, table)
    mark_decades(axes, np.concatenate([np.r_[line.y, line.high] for line in lines]), seconds)
    x = np.array(axes.get_xlim())
    proportional = 1.2 * axes.get_ylim()[0] * x / x[0]
    axes.plot(x, proportional, color=LINE, linewidth=1.2, zorder=1, scalex=False, scaley=False)
    axes.grid(axis="y")
    name_lines(axes, lines)
    return figure


def _timed(measure: str, times: Callable[[Table], Floats], heading: str) -> Way:
    return Way(
        measure=measure,
        data=lambda table: by_point(table, lambda own: _times(times(own))),
        draw=lambda table, rows: _draw_times(table, rows, heading),
        words=lambda row: seconds(float(f"{middle(row):.2g}")),
    )


def draw_sweep(found: Mapping[Any, Comparison], name: str) -> "Figure":
    """Draw the mean of each agent at each value of an option, with 95 % intervals."""
    first = next(iter(found.values()))
    numeric = all(isinstance(value, int | float) for value in found)
    places = {value: float(value) if numeric else float(i) for i, value in enumerate(found)}
    rows: list[Row] = [
        {"agent": agent, "x": places[value], **each.mean(agent)._asdict()}
        for agent in in_order(first.rows)
        for value, each in sorted(found.items(), key=lambda point: places[point[0]])
        if not np.isnan(each.mean(agent).mean)
    ]
    unsolved = f"{first.horizon} if it never is; " if first.measure == "steps" else ""
    with looks():
        figure, axes = sheet(first.words.capitalize(), f"{unsolved}mean and 95 % interval")
        axes.set_xlabel(name)
        axes.grid(axis="y")
        axes.set_xticks(list(places.values()), [str(value) for value in places])
        lines = lines_of(rows)
        draw_lines(axes, lines)
        axes.autoscale_view()
        name_lines(axes, lines)
    return figure


SIZE, NOISE, TASKS = (
    Way(measure="steps", data=_data, draw=partial(_draw, **words))
    for words in (
        {"heading": "Steps against the size of the problem", "x": SIZES, "bottom": 0.66},
        {"heading": "Steps against the noise", "x": "noise ε: moves that fail, things that are missed"},
        {"heading": "Steps against the size of the library", "x": "number of tasks K in the library"},
    )
)
LIBRARIES = Way(
    measure="steps", data=lambda table: [row for row in _data(table) if row["agent"] in SHOWN], draw=_draw_libraries
)
SETUP = _timed("seconds", lambda own: own["seconds"], "Time to prepare for one task")
DECISION = _timed("decision_seconds", lambda own: own.curve("decision_seconds"), "Time for one decision")
