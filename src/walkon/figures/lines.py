"""Lines with their intervals as bands, and their names at their ends in place of a legend."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from scipy.optimize import isotonic_regression

from walkon.arrays import Floats
from walkon.figures.style import LETTERS, OUTSIDE, POINT, Style

SPACING = 1.4  # the height of a line of text, in letters
ARROW = {"arrowstyle": "-", "linewidth": 0.6, "relpos": (0, 0.5), "shrinkA": 1.5, "shrinkB": 4}


class Line(NamedTuple):
    """A line: a value for each x, and an interval where there is one."""

    style: Style
    x: Floats
    y: Floats
    low: Floats  # NaN where there is no interval
    high: Floats


def draw_lines(axes: Axes, lines: Sequence[Line], *, every: int = 1) -> None:
    """Draw lines, wide ones below thin ones so that none is hidden, with a marker on every `every`-th point."""
    for depth, line in enumerate(sorted(lines, key=lambda line: -line.style.width)):
        colour = line.style.colour
        banded = np.isfinite(line.low) & np.isfinite(line.high)
        axes.fill_between(
            line.x, line.low, line.high, where=banded, color=colour, alpha=0.16, linewidth=0, zorder=2 + depth / 100
        )
        stroke: dict[str, Any] = {"color": colour, "linestyle": line.style.dash, "linewidth": line.style.width}
        marks: dict[str, Any] = {"marker": line.style.marker, "markersize": line.style.size, "markevery": every}
        axes.plot(line.x, line.y, **stroke, **marks, zorder=3 + depth / 100, clip_on=False)


def name_lines(axes: Axes, lines: Sequence[Line]) -> None:
    """Write each line's name at its end."""
    ends = []
    for line in lines:
        finite = np.flatnonzero(np.isfinite(line.y))
        if len(finite):
            x, y = line.x[finite[-1]], line.y[finite[-1]]
            ends.append(EndLabel(x, y, line.style.name, line.style.colour, bold=line.style.width > 2))
    label_ends(axes, ends)


def decades(values: Floats) -> tuple[int, int]:
    """The powers of ten that enclose some values with a little room, at least two apart.

    >>> decades(np.array([0.02, 0.4])), decades(np.array([1.0, 1e3]))
    ((-2, 0), (-1, 4))
    """
    logs = np.log10(values[np.isfinite(values) & (values > 0)])
    low, high = int(np.floor(logs.min(initial=np.inf) - 0.05)), int(np.ceil(logs.max(initial=-np.inf) + 0.05))
    return low, max(high, low + 2)


def mark_decades(axes: Axes, values: Floats, words: Callable[[float], str]) -> None:
    """Let a logarithmic y axis run over the whole decades of some values, with a tick at each."""
    low, high = decades(values)
    powers = 10.0 ** np.arange(low, high + 1)
    axes.set_ylim(powers[0], powers[-1])
    axes.set_yticks(powers, [words(power) for power in powers])
    axes.set_yticks([], minor=True)


class EndLabel(NamedTuple):
    """A name for the end of a line at (x, y)."""

    x: float
    y: float
    text: str
    colour: str
    bold: bool = False


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> Floats:
    """Place labels in order, without overlap and within bounds, as near as possible to where they belong.

    Nearness is by least squares. Without the room that the labels below need, the middles only have to rise, which is
    an isotonic regression.

    >>> spread([5.0, 5.0, 9.0], [2.0, 2.0, 2.0], 0.0, 10.0).tolist()
    [4.0, 6.0, 9.0]
    """
    order = np.argsort(wanted, kind="stable")
    tall = np.asarray(heights, dtype=float)[order]
    tall *= min(1.0, (high - low) / tall.sum())  # they share the room if they are too many
    below = np.cumsum(tall) - tall / 2  # the middles of a stack that stands on 0
    rising = isotonic_regression(np.asarray(wanted, dtype=float)[order] - below).x
    places = np.empty(len(order))
    places[order] = np.clip(rising, low, high - tall.sum()) + below
    return places


def label_ends(axes: Axes, labels: Sequence[EndLabel]) -> None:
    """Write names to the right of the axes, each tied to the end of its line. The scales must be final."""
    if not labels:
        return
    figure = axes.figure
    to_points = axes.transData.transform([(label.x, label.y) for label in labels]) * POINT / figure.dpi  # [n, 2]
    box = axes.get_window_extent()
    right, bottom, top = (edge * POINT / figure.dpi for edge in (box.x1, box.y0, box.y1))
    tall = [SPACING * LETTERS * (1 + label.text.count("\n")) for label in labels]
    middles = spread(np.clip(to_points[:, 1], bottom, top).tolist(), tall, bottom - 6, top + 6)
    for label, (x, y), middle in zip(labels, to_points, middles, strict=True):
        look = OUTSIDE | {"color": label.colour, "size": LETTERS, "weight": "bold" if label.bold else "normal"}
        arrow, unit = ARROW | {"color": label.colour}, "figure points"
        axes.annotate(label.text, (x, y), (right + 12, middle), unit, unit, arrowprops=arrow, **look)
