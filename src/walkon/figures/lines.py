"""Lines with their intervals as bands, and their names at their ends."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from walkon.arrays import Floats
from walkon.figures.labels import EndLabel, label_ends
from walkon.figures.style import LETTERS, Style


class Line(NamedTuple):
    """A measured line: at each x a value, and an interval where there is one."""

    style: Style
    x: Floats
    y: Floats
    low: Floats  # not a number where there is no interval
    high: Floats


def draw_lines(axes: Axes, lines: Sequence[Line], *, every: int = 1) -> None:
    """Draw lines, wide ones below thin ones, so that none hides another; a marker on every so many points."""
    for depth, line in enumerate(sorted(lines, key=lambda line: -line.style.width)):
        colour = line.style.colour
        banded = np.isfinite(line.low) & np.isfinite(line.high)
        axes.fill_between(
            line.x, line.low, line.high, where=banded, color=colour, alpha=0.16, linewidth=0, zorder=2 + depth / 100
        )
        axes.plot(
            line.x,
            line.y,
            color=colour,
            linestyle=line.style.dash,
            linewidth=line.style.width,
            marker=line.style.marker,
            markersize=line.style.size,
            markevery=every,
            zorder=3 + depth / 100,
            clip_on=False,
        )


def name_lines(axes: Axes, lines: Sequence[Line], *, size: float = LETTERS) -> None:
    """Write each line's name at its end."""
    ends = []
    for line in lines:
        there = np.flatnonzero(np.isfinite(line.y))
        if len(there):
            last = int(there[-1])
            ends.append(
                EndLabel(line.x[last], line.y[last], line.style.name, line.style.colour, bold=line.style.width > 2)
            )
    label_ends(axes, ends, size=size)


def decades(values: Floats) -> tuple[int, int]:
    """The powers of ten between which values lie with a little room, at least two apart.

    >>> decades(np.array([0.02, 0.4])), decades(np.array([1.0, 1e3]))
    ((-2, 0), (-1, 4))
    """
    logs = np.log10(values[np.isfinite(values) & (values > 0)])
    low, high = int(np.floor(logs.min(initial=np.inf) - 0.05)), int(np.ceil(logs.max(initial=-np.inf) + 0.05))
    return low, max(high, low + 2)
