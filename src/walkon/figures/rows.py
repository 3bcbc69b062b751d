"""The numbers behind a figure, as rows: what is drawn is what stands in its CSV file."""

from collections.abc import Iterable

import numpy as np

from walkon.arrays import Floats
from walkon.figures.lines import Line
from walkon.figures.style import Style, in_order, style_of
from walkon.measuring.statistics import mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

MIDDLES = ("median", "geometric_mean", "mean")  # what a row may be drawn at, the first that it has


def summary(values: Floats) -> Row:
    """A mean with its 95 % interval, and how many values it is of."""
    interval = mean_interval(values)
    return {"n": interval.n, "mean": interval.mean, "low": interval.low, "high": interval.high}


def number(row: Row, name: str) -> float:
    """A number of a row."""
    value = row[name]
    assert isinstance(value, int | float), f"{name} is {value!r}"
    return float(value)


def middle(row: Row) -> float:
    """What a row is drawn at."""
    return number(row, next(name for name in MIDDLES if name in row))


def horizon_of(table: Table) -> int | None:
    """Within how many steps a trial has to be solved; None where the table does not say."""
    known = table["horizon"][~np.isnan(table["horizon"])]
    return int(known.max()) if len(known) else None


def by_point(table: Table, measure: str) -> list[Row]:
    """For each agent and each point the mean of a column."""
    return [
        {"agent": agent, "x": x, **summary(table.where(agent=agent, x=x)[measure])}
        for agent in agents_of(table)
        for x in table.where(agent=agent).points()
    ]


def agents_of(table: Table) -> list[str]:
    """The agents that have trials in a table, in the order in which figures show them."""
    return in_order(table["agent"].tolist())


def lines_of(rows: list[Row]) -> list[Line]:
    """A line for each agent."""
    return [along(rows, style_of(agent), agent=agent) for agent in in_order([str(row["agent"]) for row in rows])]


def along(rows: Iterable[Row], style: Style, **wanted: str) -> Line:
    """Of the rows with x, a middle, low and high, the wanted ones, as a line."""
    chosen = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    x, low, high = (np.array([number(row, name) for row in chosen], dtype=np.float64) for name in ("x", "low", "high"))
    return Line(style, x, np.array([middle(row) for row in chosen], dtype=np.float64), low, high)
