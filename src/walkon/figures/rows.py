"""From a table of results to the rows that a figure is drawn from, which are also those of its CSV file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from matplotlib.figure import Figure

from walkon.arrays import Floats
from walkon.figures.lines import Line
from walkon.figures.style import Style, in_order, style_of
from walkon.measuring.statistics import mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

MIDDLES = ("median", "geometric_mean", "mean")  # a row is drawn at the first of these that it has


def summary(values: Floats) -> Row:
    """The mean of some values with its 95 % interval, and how many there are."""
    interval = mean_interval(values)
    return {"n": interval.n, "mean": interval.mean, "low": interval.low, "high": interval.high}


def number(row: Row, name: str) -> float:
    """Return a value of a row that has to be a number."""
    value = row[name]
    assert isinstance(value, int | float), f"{name} is {value!r}"
    return float(value)


def middle(row: Row) -> float:
    """The value at which a row is drawn."""
    return number(row, next(name for name in MIDDLES if name in row))


def horizon_of(table: Table) -> int | None:
    """The number of steps after which trials end; None if the table does not have it."""
    known = table["horizon"][~np.isnan(table["horizon"])]
    return int(known.max()) if len(known) else None


def by_point(table: Table, summarise: Callable[[Table], Row]) -> list[Row]:
    """A row for each agent and each point of a sweep, from its trials there."""
    return [
        {"agent": agent, "x": x, **summarise(table.where(agent=agent, x=x))}
        for agent in agents_of(table)
        for x in table.where(agent=agent).points()
    ]


def agents_of(table: Table) -> list[str]:
    """The agents that have trials in a table, in the order of the figures."""
    return in_order(table["agent"].tolist())


def lines_of(rows: list[Row]) -> list[Line]:
    """Return a line for each agent."""
    return [along(rows, style_of(agent), agent=agent) for agent in in_order([str(row["agent"]) for row in rows])]


def along(rows: Iterable[Row], style: Style, **wanted: str) -> Line:
    """Return the rows that have the wanted values as a line."""
    chosen = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
    x, low, high = (np.array([number(row, name) for row in chosen], dtype=np.float64) for name in ("x", "low", "high"))
    return Line(style, x, np.array([middle(row) for row in chosen], dtype=np.float64), low, high)


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way to draw a table of results."""

    measure: str  # the column or curve of the table that is drawn; rows that name a curve are of that one
    data: Callable[[Table], list[Row]]  # `n` of a row is the number of values behind it
    draw: Callable[[Table, list[Row]], Figure]
    curves: Mapping[str, str] = field(default_factory=dict)  # the names that people read for the curves of the rows
    words: Callable[[Row], str] = lambda row: f"{middle(row):.3g}"  # writes the value of a row
