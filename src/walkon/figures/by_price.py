"""What each agent does where an action has a price: its steps, how often it takes that action, and what it pays in all.

Prices lie on an axis of square roots, so that small ones are apart.
"""

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from walkon.arrays import Floats
from walkon.figures.rows import Way, by_point, draw_lines, lines_of, middle, name_lines, summary
from walkon.figures.style import FAINT, HEIGHT, INK, LETTERS, SMALL, WIDTH
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, RIGHT, BOTTOM, TOP, GAP = 0.4, 0.95, 0.5, 0.8, 0.42  # inches


def taken(table: Table, action: int) -> Floats:
    """How often each trial took an action, [n]; NaN where its actions were not kept."""
    actions = table.curve("taken")
    counts: Floats = np.where(np.isnan(actions).all(axis=1), np.nan, (actions == action).sum(axis=1))
    return counts


def cost(table: Table) -> Floats:
    """Minus the sum of each trial's rewards, [n]; NaN where they were not kept."""
    rewards = table.curve("paid")
    return np.where(np.isnan(rewards).all(axis=1), np.nan, -np.nansum(rewards, axis=1))


def _data(table: Table, action: int, name: str) -> list[Row]:
    """The means of each agent at each price, one measure after the other."""
    steps = by_point(table, lambda own: summary(own["steps"]))
    uses = by_point(table, lambda own: summary(taken(own, action)))
    costs = by_point(table, lambda own: summary(cost(own)))
    named = (("steps", steps), (name, uses), ("cost", costs))
    return [{**row, "measure": measure} for measure, rows in named for row in rows]


def _draw(table: Table, rows: list[Row], name: str) -> "Figure":
    """Draw the three measures side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT), dpi=200)
    margin = 0.12 / WIDTH
    one = name.removesuffix("s")
    figure.text(margin, 1 - 0.12 / HEIGHT, f"The price of a {one}", va="top", weight="bold", size=LETTERS + 0.5)
    note = "until the task is solved; mean and 95 % interval"
    figure.text(margin, 1 - 0.31 / HEIGHT, note, va="top", color=FAINT, size=SMALL)
    measures = ("steps", name, "cost")
    wide = (WIDTH - LEFT - RIGHT - GAP * (len(measures) - 1)) / len(measures)
    for i, measure in enumerate(measures):
        left, tall = LEFT + i * (wide + GAP), HEIGHT - BOTTOM - TOP
        axes = figure.add_axes((left / WIDTH, BOTTOM / HEIGHT, wide / WIDTH, tall / HEIGHT))
        axes.set_xscale("function", functions=(np.sqrt, np.square))
        lines = lines_of([row for row in rows if row["measure"] == measure])
        draw_lines(axes, lines)
        prices = table.points()
        axes.set_xticks(prices, [f"{x:g}" for x in prices])
        axes.set_xlim(0, max(prices) or 1)
        axes.set_ylim(0, None)
        axes.set_title(measure, size=SMALL, loc="left", color=INK)
        axes.grid(axis="y")
        if i == 1:
            axes.set_xlabel(f"price of a {one}")
    name_lines(axes, lines)
    return figure


def way(action: int, name: str) -> Way:
    """The way to draw a sweep over the price of an action, whose uses are called by a name in the plural."""
    return Way(
        measure="steps",
        data=partial(_data, action=action, name=name),
        draw=partial(_draw, name=name),
        words=lambda row: f"{middle(row):.3g} {row['measure']}",
    )
