"""Names at the ends of lines, in place of a legend: as near to the line's end as they can be without touching."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from scipy.optimize import isotonic_regression

from walkon.arrays import Floats
from walkon.figures.style import LETTERS, POINT

SPACING = 1.4  # height of a line of text, in letters


class EndLabel(NamedTuple):
    """A name for the end of a line at (x, y)."""

    x: float
    y: float
    text: str
    colour: str
    bold: bool = False


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> Floats:
    """The middles nearest to the wanted ones (least squares) that keep their order, do not overlap, and fit.

    Less the room that those below need, the middles only have to rise: that is an isotonic regression.

    >>> spread([5.0, 5.0, 9.0], [2.0, 2.0, 2.0], 0.0, 10.0).tolist()
    [4.0, 6.0, 9.0]
    """
    order = np.argsort(wanted, kind="stable")
    tall = np.asarray(heights, dtype=float)[order]
    tall *= min(1.0, (high - low) / tall.sum())  # too many for the room: they share it
    below = np.cumsum(tall) - tall / 2  # middles of a stack that stands on 0
    rising = isotonic_regression(np.asarray(wanted, dtype=float)[order] - below).x
    places = np.empty(len(order))
    places[order] = np.clip(rising, low, high - tall.sum()) + below
    return places


def label_ends(axes: Axes, labels: Sequence[EndLabel], *, size: float = LETTERS) -> None:
    """Write the names to the right of the axes, each tied to the end of its line. Scales must be final."""
    if not labels:
        return
    figure = axes.figure
    to_points = axes.transData.transform([(label.x, label.y) for label in labels]) * POINT / figure.dpi  # [n, 2]
    box = axes.get_window_extent()
    right, bottom, top = (edge * POINT / figure.dpi for edge in (box.x1, box.y0, box.y1))
    tall = [SPACING * size * (1 + label.text.count("\n")) for label in labels]
    middles = spread(np.clip(to_points[:, 1], bottom, top).tolist(), tall, bottom - 6, top + 6)
    for label, (x, y), middle in zip(labels, to_points, middles, strict=True):
        axes.annotate(
            label.text,
            xy=(x, y),
            xycoords="figure points",
            xytext=(right + 12, middle),
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
