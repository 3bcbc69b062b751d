"""Several worlds in one figure, a panel for each: scores, and beliefs over time, beside numbers that were published.

A world is a sweep in which nothing is varied; what follows a comma in its name is left out in the panel's heading.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from walkon.arrays import Floats
from walkon.figures.rows import (
    EndLabel,
    Line,
    Way,
    agents_of,
    along,
    by_point,
    draw_lines,
    draw_means,
    label_ends,
    lines_of,
    middle,
    number,
    summary,
)
from walkon.figures.style import FAINT, LETTERS, PAPER, SMALL, in_order, sheet, style_of
from walkon.measuring.statistics import mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Published = Mapping[tuple[str, str], tuple[float, float]]  # by world and agent: the mean, and half of its interval
COLUMNS = 3
WIDTH, TALL, HEAD = 10.0, 2.4, 0.62  # inches: the page, a row of panels, and the heading
AT = (1, 3, 5, 10, 20)  # the steps after which beliefs are published; the last one is the step before the horizon
BELIEVING = ("bayes", "atpo", "bopa-state")
THEIRS = "atpo"  # whose beliefs, and scores in growing libraries, are published
FAR = "random"  # so far below the others that it is written, not drawn


def _data(table: Table, published: Published) -> list[Row]:
    rows: list[Row] = []
    for world in _worlds(table):
        trials = table.where(sweep=world)
        for agent in agents_of(trials):
            own = trials.where(agent=agent)
            theirs, half = published.get((_name(world), agent), (math.nan, math.nan))
            row: Row = {"world": world, "agent": agent, **summary(own["score"]), "solved": float(own["solved"].mean())}
            rows.append(row | {"published": theirs, "published_half": half})
    return rows


def _draw_scores(table: Table, rows: list[Row]) -> "Figure":
    figure, panels = _panels(_worlds(table), "Scores", "100 - s for a task solved in s steps; mean and 95 % interval")
    for world, axes in panels.items():
        own = [row for row in rows if row["world"] == world]
        shown = [row for row in own if row["agent"] != FAR]
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.set_yticks(range(len(shown)), [style_of(str(row["agent"])).name for row in shown])
        axes.tick_params(axis="y", labelsize=SMALL, length=0)
        axes.grid(axis="x")
        for place, row in enumerate(shown):
            style = style_of(str(row["agent"]))
            values = (
                np.array([each]) for each in (number(row, "mean"), place, number(row, "low"), number(row, "high"))
            )
            draw_means(axes, Line(style, *values), sideways=True)
            axes.plot(number(row, "mean"), place, marker=style.marker, ms=style.size - 1, color=style.colour, zorder=6)
            theirs, half = number(row, "published"), number(row, "published_half")
            if not math.isnan(theirs):
                axes.hlines(place + 0.3, theirs - half, theirs + half, FAINT, lw=0.9)
                axes.plot(theirs, place + 0.3, "D", ms=3.5, mfc=PAPER, mec=FAINT, mew=0.9, zorder=5)
        lowest = np.nanmin([number(row, name) for row in shown for name in ("low", "published")])
        axes.set_xlim(min(math.floor(lowest) - 1, 95), 100)
        axes.locator_params(axis="x", nbins=6, integer=True)
        for row in own:
            if row["agent"] == FAR:
                printed = number(row, "published")
                beside = "" if math.isnan(printed) else f" (published {printed:.0f})"
                _note(axes, f"{style_of(FAR).name}: {number(row, 'mean'):.0f}{beside}")
    return figure


def _beliefs(table: Table, published: Mapping[str, Sequence[float]]) -> list[Row]:
    """For each world, agent and step the mean probability of the true task, the last one after a trial's end."""
    rows: list[Row] = []
    for world in _worlds(table):
        trials = table.where(sweep=world)
        horizon = int(trials["horizon"].max())
        places = dict(zip((*AT, horizon - 1), published.get(_name(world), ()), strict=False))
        for agent in (agent for agent in agents_of(trials) if agent in BELIEVING):
            curves = held(trials.where(agent=agent).curves["p_true"], horizon)
            for step in range(horizon + 1):
                found = mean_interval(curves[:, step])
                row: Row = {"world": world, "agent": agent, "x": step, **found._asdict()}
                rows.append(row | {"published": places.get(step, math.nan) if agent == THEIRS else math.nan})
    return rows


def held(curves: Floats, steps: int) -> Floats:
    """Continue curves [n, T], filled up with NaN, by their last values up to a step: [n, steps + 1].

    >>> held(np.array([[0.2, 0.5, np.nan]]), 3).tolist()
    [[0.2, 0.5, 0.5, 0.5]]
    """
    long = np.full((len(curves), steps + 1), np.nan)
    long[:, : min(curves.shape[1], steps + 1)] = curves[:, : steps + 1]
    lasts = np.where(np.isnan(long), 0, np.arange(steps + 1))
    found: Floats = np.take_along_axis(long, np.maximum.accumulate(lasts, axis=1), axis=1)
    return found


def _draw_beliefs(table: Table, rows: list[Row]) -> "Figure":
    note = "p(true task) before each step; mean and 95 % interval; dots: ATPO as published"
    figure, panels = _panels(_worlds(table), "Which task is it?", note, right=1.15)
    for world, axes in panels.items():
        own = [row for row in rows if row["world"] == world]
        agents = in_order([str(row["agent"]) for row in own])
        lines = [along(own, style_of(agent), agent=agent) for agent in agents]
        draw_lines(axes, lines, every=max(1, len(lines[0].x)) if lines else 1)
        for row in own:
            if not math.isnan(number(row, "published")):
                axes.plot(
                    number(row, "x"), number(row, "published"), "o", ms=4, mfc=PAPER, mec=FAINT, mew=1.2, zorder=7
                )
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.5, 1])
        axes.grid(axis="y")
        axes.set_xlim(0, max((number(row, "x") for row in own), default=1))
        names = [line.style._replace(name=line.style.name.replace(", ", ",\n")) for line in lines]
        ends = zip(lines, names, strict=True)
        label_ends(axes, [EndLabel(line.x[-1], line.y[-1], style) for line, style in ends])
    return figure


def _draw_growing(table: Table, rows: list[Row], published: Mapping[int, float]) -> "Figure":
    figure, axes = sheet("Score against the size of the library", "mean and 95 % interval; dots: ATPO as published")
    axes.set_xlabel("number of tasks K in the library")
    axes.grid(axis="y")
    lines = [line for line in lines_of(rows) if line.style.name != style_of(FAR).name]
    draw_lines(axes, lines, every=4)
    theirs = {K: score for K, score in published.items() if K in table.points()}
    axes.plot(list(theirs), list(theirs.values()), "o", ms=4, mfc=PAPER, mec=FAINT, mew=1.2, zorder=7)
    axes.set_ylim(None, 100)
    label_ends(axes, [EndLabel(line.x[-1], line.y[-1], line.style) for line in lines if len(line.x)])
    return figure


def _panels(worlds: list[str], heading: str, note: str, *, right: float = 0.0) -> "tuple[Figure, dict[str, Axes]]":
    """Make a figure with a panel for each world; `right` inches beside each are left free."""
    from matplotlib.figure import Figure

    deep = math.ceil(len(worlds) / COLUMNS)
    height = HEAD + TALL * deep
    figure = Figure(figsize=(WIDTH, height), dpi=150)
    figure.text(0.012, 1 - 0.1 / height, heading, va="top", weight="bold", size=LETTERS + 1.5)
    figure.text(0.012, 1 - 0.32 / height, note, va="top", color=FAINT, size=SMALL + 0.5)
    panels = {}
    for i, world in enumerate(worlds):
        line, column = divmod(i, COLUMNS)
        left = 1.42 if not right else 0.42
        wide = WIDTH / COLUMNS - left - 0.18 - right
        bottom = height - HEAD - (line + 1) * TALL + 0.42
        box = ((column * WIDTH / COLUMNS + left) / WIDTH, bottom / height, wide / WIDTH, (TALL - 0.84) / height)
        axes = figure.add_axes(box)
        axes.set_title(_name(world), loc="left", size=LETTERS, weight="bold", pad=17 if not right else 5)
        panels[world] = axes
    return figure, panels


def _note(axes: "Axes", text: str) -> None:
    """Write below the heading of a panel."""
    axes.annotate(text, (0, 1), (0, 6), "axes fraction", "offset points", color=FAINT, size=SMALL)


def _worlds(table: Table) -> list[str]:
    return list(dict.fromkeys(table["sweep"].tolist()))


def _name(world: str) -> str:
    """The name of a world without what follows a comma."""
    return world.partition(",")[0]


def _in_world(row: Row) -> str:
    return f"{middle(row):.3g} in {_name(str(row['world']))}"


def scores(published: Published) -> Way:
    """Draw the scores of all agents in each world."""
    return Way(measure="score", data=partial(_data, published=published), draw=_draw_scores, words=_in_world)


def beliefs(published: Mapping[str, Sequence[float]]) -> Way:
    """Draw the probability of the true task in each world."""
    return Way(measure="p_true", data=partial(_beliefs, published=published), draw=_draw_beliefs, words=_in_world)


def growing(published: Mapping[int, float]) -> Way:
    """Draw the score against the number of tasks."""

    def data(table: Table) -> list[Row]:
        rows = by_point(table, lambda own: summary(own["score"]))
        return [
            row | {"published": published.get(int(number(row, "x")), math.nan) if row["agent"] == THEIRS else math.nan}
            for row in rows
        ]

    return Way(measure="score", data=data, draw=partial(_draw_growing, published=published))
