"""Figures 3a, 3b and 3c: the steps that each agent needs as one number of the world is varied."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.figures.lines import draw_lines, name_lines
from walkon.figures.rows import agents_of, lines_of, summary
from walkon.figures.style import sheet
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

HORIZON = 50
SIZES = "number of states |X|, and the room"


def data(table: Table) -> list[Row]:
    """For each agent and each point its steps."""
    return [
        {"agent": agent, "x": x, **summary(table.where(agent=agent, x=x)["steps"])}
        for agent in agents_of(table)
        for x in table.where(agent=agent).points()
    ]


def draw_size(table: Table, rows: list[Row]) -> Figure:
    """Steps against the number of states."""
    figure, axes = _axes("Steps against the size of the problem", SIZES, bottom=0.66)
    axes.set_xscale("log")
    mark_sizes(axes, table)
    return _drawn(figure, axes, rows)


def draw_noise(table: Table, rows: list[Row]) -> Figure:
    """Steps against the noise."""
    figure, axes = _axes("Steps against the noise", "noise ε: moves that fail, things that are missed")
    axes.set_xticks(table.points())
    return _drawn(figure, axes, rows)


def draw_tasks(table: Table, rows: list[Row]) -> Figure:
    """Steps against the number of tasks."""
    figure, axes = _axes("Steps against the size of the library", "number of tasks K in the library")
    axes.set_xticks(table.points())
    axes.xaxis.set_major_formatter("{x:.0f}")
    return _drawn(figure, axes, rows)


def mark_sizes(axes: Axes, table: Table) -> None:
    """Ticks at the numbers of states, with the rooms that have them."""
    sides = [round(x**0.25) for x in table.points()]
    axes.set_xticks(table.points(), [f"{side**4:,}\n{side} × {side}" for side in sides])
    axes.set_xticks([], minor=True)


def _axes(heading: str, x: str, bottom: float = 0.5) -> tuple[Figure, Axes]:
    figure, axes = sheet(heading, "until the task is solved, 50 if it never is; mean and 95 % interval", bottom=bottom)
    axes.set_xlabel(x)
    axes.grid(axis="y")
    return figure, axes


def _drawn(figure: Figure, axes: Axes, rows: list[Row]) -> Figure:
    lines = lines_of(rows)
    draw_lines(axes, lines)
    highest = max(float(line.y.max()) for line in lines)
    axes.set_ylim(0, HORIZON if highest > HORIZON / 2 else None)
    axes.spines["left"].set_visible(False)
    name_lines(axes, lines)
    return figure
