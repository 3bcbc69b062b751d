"""From a table of results to the rows of a figure, which are those of its CSV file, and to the lines drawn from them.

Lines have their intervals as bands, and their names at their ends in place of a legend.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkon.arrays import Floats
from walkon.figures.style import LETTERS, OUTSIDE, PAPER, POINT, Style, in_order, style_of
from walkon.measuring.statistics import mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MIDDLES = ("median", "geometric_mean", "mean")  # a row is drawn at the first of these that it has
SPACING = 1.4  # the height of a line of text, in letters
ARROW = {"arrowstyle": "-", "linewidth": 0.6, "relpos": (0, 0.5), "shrinkA": 1.5, "shrinkB": 4}


class Line(NamedTuple):
    """A line: a value for each x, and an interval where there is one."""

    style: Style
    x: Floats
    y: Floats
    low: Floats  # NaN where there is no interval
    high: Floats


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
    draw: "Callable[[Table, list[Row]], Figure]"
    curves: Mapping[str, str] = field(default_factory=dict)  # the names that people read for the curves of the rows
    words: Callable[[Row], str] = lambda row: f"{middle(row):.3g}"  # writes the value of a row


def draw_lines(axes: "Axes", lines: Sequence[Line], *, every: int = 1) -> None:
    """Draw lines, wide ones below thin ones so that none is hidden, with a marker on every `every`-th point."""
    for depth, line in enumerate(sorted(lines, key=lambda line: -line.style.width)):
        colour = line.style.colour
        banded = np.isfinite(line.low) & np.isfinite(line.high)
        axes.fill_between(
            line.x, line.low, line.high, where=banded, color=colour, alpha=0.16, linewidth=0, zorder=2 + depth / 100
        )
        stroke: dict[str, Any] = {"color": colour, "linestyle": line.style.dash, "linewidth": line.style.width}
        axes.plot(line.x, line.y, **stroke, zorder=3 + depth / 100, clip_on=False)
        first = depth * every // len(lines)  # no marker on another's
        draw_means(axes, Line(line.style, *(each[first::every] for each in line[1:])), depth=depth)


def draw_means(axes: "Axes", line: Line, *, sideways: bool = False, depth: int = 0) -> None:
    """Draw hollow markers, and on them the intervals with caps wider than the markers, so that none is hidden."""
    style = line.style
    look: dict[str, Any] = {"ls": "none", "mec": style.colour, "mew": 1.1, "zorder": 4 + depth / 100, "clip_on": False}
    axes.plot(line.x, line.y, marker=style.marker, ms=style.size - 1, mfc=PAPER, **look)
    there = np.isfinite(line.low) & np.isfinite(line.high)
    low, high, place = (each[there] for each in (line.low, line.high, line.y if sideways else line.x))
    draw, cap = (axes.hlines, "|") if sideways else (axes.vlines, "_")
    look["clip_on"] = axes.get_yscale() == "log"  # where an interval may be infinite
    draw(place, low, high, style.colour, lw=1.1, zorder=look["zorder"], clip_on=look["clip_on"])
    for end in (low, high):
        axes.plot(*((end, place) if sideways else (place, end)), marker=cap, ms=style.size + 1.5, **look)


def name_lines(axes: "Axes", lines: Sequence[Line]) -> None:
    """Write each line's name at its end."""
    ends = []
    for line in lines:
        finite = np.flatnonzero(np.isfinite(line.y))
        if len(finite):
            ends.append(EndLabel(line.x[finite[-1]], line.y[finite[-1]], line.style))
    label_ends(axes, ends)


def decades(values: Floats) -> tuple[int, int]:
    """The powers of ten that enclose some values with a little room, at least two apart.

    >>> decades(np.array([0.02, 0.4])), decades(np.array([1.0, 1e3]))
    ((-2, 0), (-1, 4))
    """
    logs = np.log10(values[np.isfinite(values) & (values > 0)])
    low, high = int(np.floor(logs.min(initial=np.inf) - 0.05)), int(np.ceil(logs.max(initial=-np.inf) + 0.05))
    return low, max(high, low + 2)


def mark_decades(axes: "Axes", values: Floats, words: Callable[[float], str]) -> None:
    """Let a logarithmic y axis run over the whole decades of some values, with a tick at each."""
    low, high = decades(values)
    powers = 10.0 ** np.arange(low, high + 1)
    axes.set_ylim(powers[0], powers[-1])
    axes.set_yticks(powers, [words(power) for power in powers])
    axes.set_yticks([], minor=True)


class EndLabel(NamedTuple):
    """The end of a line at (x, y), where its name is written."""

    x: float
    y: float
    style: Style


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> Floats:
    """Place labels in order, without overlap and within bounds, as near as possible to where they belong.

    Nearness is by least squares. Without the room that the labels below need, the middles only have to rise, which is
    an isotonic regression.

    >>> spread([5.0, 5.0, 9.0], [2.0, 2.0, 2.0], 0.0, 10.0).tolist()
    [4.0, 6.0, 9.0]
    """
    from scipy.optimize import isotonic_regression

    order = np.argsort(wanted, kind="stable")
    tall = np.asarray(heights, dtype=float)[order]
    tall *= min(1.0, (high - low) / tall.sum())  # they share the room if they are too many
    below = np.cumsum(tall) - tall / 2  # the middles of a stack that stands on 0
    rising = isotonic_regression(np.asarray(wanted, dtype=float)[order] - below).x
    places = np.empty(len(order))
    places[order] = np.clip(rising, low, high - tall.sum()) + below
    return places


def label_ends(axes: "Axes", labels: Sequence[EndLabel]) -> None:
    """Write names to the right of the axes, each tied to the end of its line. The scales must be final."""
    if not labels:
        return
    figure = axes.figure
    to_points = axes.transData.transform([(label.x, label.y) for label in labels]) * POINT / figure.dpi  # [n, 2]
    box = axes.get_window_extent()
    right, bottom, top = (edge * POINT / figure.dpi for edge in (box.x1, box.y0, box.y1))
    tall = [SPACING * LETTERS * (1 + label.style.name.count("\n")) for label in labels]
    middles = spread(np.clip(to_points[:, 1], bottom, top).tolist(), tall, bottom - 6, top + 6)
    for label, (x, y), middle in zip(labels, to_points, middles, strict=True):
        style, unit = label.style, "figure points"
        look = OUTSIDE | {"color": style.colour, "size": LETTERS, "weight": style.weight}
        arrow = ARROW | {"color": style.colour}
        axes.annotate(style.name, (x, y), (right + 12, middle), unit, unit, arrowprops=arrow, **look)
