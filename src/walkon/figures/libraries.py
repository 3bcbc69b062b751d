"""Library by library: how far planning goes from ATPO towards the agent that knows the task."""

from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from walkon.figures.by_setting import data as by_point
from walkon.figures.by_setting import until_solved
from walkon.figures.labels import EndLabel, label_ends
from walkon.figures.rows import number
from walkon.figures.style import LINE, sheet, style_of
from walkon.figures.way import Way
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

AGENTS = ("perseus", "bayes", "atpo")


def _data(table: Table) -> list[Row]:
    """For each of the three agents and each library its steps."""
    return [row for row in by_point(table) if row["agent"] in AGENTS]


def _draw(table: Table, rows: list[Row]) -> Figure:
    """Libraries from left to right, agents as marks with their intervals."""
    figure, axes = sheet("Steps, library by library", until_solved(table))
    places = sorted({number(row, "x") for row in rows})
    for place in places:
        means = [number(row, "mean") for row in rows if number(row, "x") == place]
        axes.plot([place] * 2, [min(means), max(means)], color=LINE, linewidth=0.8, zorder=1)
    names = []
    for agent in AGENTS:
        style, own = style_of(agent), [row for row in rows if row["agent"] == agent]
        if not own:
            continue
        x, y = [number(row, "x") for row in own], [number(row, "mean") for row in own]
        axes.vlines(x, [number(row, "low") for row in own], [number(row, "high") for row in own], style.colour, lw=1.2)
        axes.plot(x, y, color=style.colour, marker=style.marker, markersize=style.size - 1, linestyle="none", zorder=3)
        names.append(EndLabel(x[-1], y[-1], style.name, style.colour, bold=style.width > 2))
    axes.set_xticks(places, ["2a" if place == 0 else f"{place:.0f}" for place in places])
    axes.set_xlim(places[0] - 0.5, places[-1] + 0.5)
    axes.set_ylim(0, None)
    axes.yaxis.set_major_locator(MultipleLocator(5))
    axes.set_xlabel("library")
    axes.grid(axis="y")
    label_ends(axes, names)
    return figure


LIBRARIES = Way(measure="steps", data=_data, draw=_draw)
