"""Names at the ends of lines, in place of a legend: as near to the line's end as they can be without touching."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from scipy.optimize import isotonic_regression

from walkon.figures.style import LETTERS, POINT
from walkon.models.distributions import Floats


class EndLabel(NamedTuple):
    """A name for the end of a line at (x, y)."""

    x: float
    y: float
    text: str
    colour: str
    bold: bool = False


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> Floats:
    """The places nearest to the wanted ones (least squares) that keep their order, a gap, and within low and high.

    Less i times the gap, the places only have to rise: that is an isotonic regression.

    >>> spread([5.0, 5.0, 9.0], 2.0, 0.0, 10.0).tolist()
    [4.0, 6.0, 9.0]
    """
    n = len(wanted)
    gap = min(gap, (high - low) / max(n - 1, 1))
    order = np.argsort(wanted, kind="stable")
    steps = gap * np.arange(n)
    rising = isotonic_regression(np.asarray(wanted, dtype=float)[order] - steps).x
    places = np.empty(n)
    places[order] = np.clip(rising, low, high - gap * (n - 1)) + steps
    return places


def label_ends(axes: Axes, labels: Sequence[EndLabel], *, size: float = LETTERS) -> None:
    """Write the names to the right of the axes, each tied to the end of its line. Scales must be final."""
    if not labels:
        return
    figure = axes.figure
    to_points = axes.transData.transform([(label.x, label.y) for label in labels]) * POINT / figure.dpi  # [n, 2]
    box = axes.get_window_extent()
    right, bottom, top = (edge * POINT / figure.dpi for edge in (box.x1, box.y0, box.y1))
    heights = spread(np.clip(to_points[:, 1], bottom, top).tolist(), 1.35 * size, bottom - 2, top + 2)
    for label, (x, y), height in zip(labels, to_points, heights, strict=True):
        axes.annotate(
            label.text,
            xy=(x, y),
            xycoords="figure points",
            xytext=(right + 12, height),
            textcoords="figure points",
            color=label.colour,
            size=size,
            weight="bold" if label.bold else "normal",
            va="center_baseline",
            annotation_clip=False,
            parse_math=False,
            arrowprops={
                "arrowstyle": "-",
                "color": label.colour,
                "linewidth": 0.6,
                "relpos": (0, 0.5),
                "shrinkA": 1.5,
                "shrinkB": 4,
            },
        )
