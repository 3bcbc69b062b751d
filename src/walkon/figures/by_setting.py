"""The steps that each agent needs as one number of the world is varied."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.figures.lines import draw_lines, name_lines
from walkon.figures.rows import by_point, horizon_of, lines_of
from walkon.figures.style import sheet
from walkon.figures.way import Way
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

SIZES = "number of states |X|, and the room"


def data(table: Table) -> list[Row]:
    """For each agent and each point its steps."""
    return by_point(table, "steps")


def until_solved(table: Table) -> str:
    """What steps are, for the note of a figure."""
    horizon = horizon_of(table)
    return f"until the task is solved{f', {horizon} if it never is' if horizon else ''}; mean and 95 % interval"


def _draw_size(table: Table, rows: list[Row]) -> Figure:
    figure, axes = _axes(table, "Steps against the size of the problem", SIZES, bottom=0.66)
    axes.set_xscale("log")
    mark_sizes(axes, table)
    return _drawn(table, figure, axes, rows)


def _draw_noise(table: Table, rows: list[Row]) -> Figure:
    figure, axes = _axes(table, "Steps against the noise", "noise ε: moves that fail, things that are missed")
    axes.set_xticks(table.points())
    return _drawn(table, figure, axes, rows)


def _draw_tasks(table: Table, rows: list[Row]) -> Figure:
    figure, axes = _axes(table, "Steps against the size of the library", "number of tasks K in the library")
    axes.set_xticks(table.points())
    axes.xaxis.set_major_formatter("{x:.0f}")
    return _drawn(table, figure, axes, rows)


def mark_sizes(axes: Axes, table: Table) -> None:
    """Ticks at the numbers of states, with the rooms that have them."""
    sides = [round(x**0.25) for x in table.points()]
    axes.set_xticks(table.points(), [f"{side**4:,}\n{side} × {side}" for side in sides])
    axes.set_xticks([], minor=True)


def _axes(table: Table, heading: str, x: str, bottom: float = 0.5) -> tuple[Figure, Axes]:
    figure, axes = sheet(heading, until_solved(table), bottom=bottom)
    axes.set_xlabel(x)
    axes.grid(axis="y")
    return figure, axes


def _drawn(table: Table, figure: Figure, axes: Axes, rows: list[Row]) -> Figure:
    lines = lines_of(rows)
    draw_lines(axes, lines)
    highest = max(float(line.y.max()) for line in lines)
    horizon = horizon_of(table)
    axes.set_ylim(0, horizon if horizon and highest > horizon / 2 else None)
    name_lines(axes, lines)
    return figure


SIZE, NOISE, TASKS = (Way(measure="steps", data=data, draw=draw) for draw in (_draw_size, _draw_noise, _draw_tasks))
