"""Scenes as pixels, drawn by matplotlib without a window."""

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Circle as RoundPatch
from matplotlib.patches import FancyBboxPatch, Patch, Rectangle
from matplotlib.patches import Polygon as CornerPatch
from matplotlib.text import Text

from walkon.pictures.drawing import draw
from walkon.pictures.scene import Circle, Label, Polygon, Rect, Scene

DPI = 100
POINTS = 72 / DPI  # matplotlib measures lines and letters in points


def pixels(scene: Scene) -> npt.NDArray[np.uint8]:
    """Draw a scene in red, green and blue, [height, width, 3]."""
    sheet = draw(scene)
    figure = Figure(figsize=(sheet.width / DPI, sheet.height / DPI), dpi=DPI)
    canvas: Any = FigureCanvasAgg(figure)  # matplotlib leaves it untyped
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0, sheet.width)
    axes.set_ylim(sheet.height, 0)
    for level, shape in enumerate(sheet.shapes):
        artist = _label(shape) if isinstance(shape, Label) else _patch(shape)
        artist.set_zorder(level)
        axes.add_artist(artist)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _label(label: Label) -> Text:
    side = {"start": "left", "middle": "center", "end": "right"}[label.anchor]
    font: dict[str, Any] = {"fontsize": label.size * POINTS, "weight": "bold" if label.bold else "normal"}
    return Text(label.x, label.y, label.text, color=label.fill, ha=side, va="center_baseline", parse_math=False, **font)


def _patch(shape: Rect | Circle | Polygon) -> Patch:
    paint: dict[str, Any] = {"facecolor": shape.fill, "edgecolor": shape.stroke, "linewidth": shape.line * POINTS}
    match shape:
        case Circle():
            return RoundPatch((shape.x, shape.y), shape.radius, **paint)
        case Polygon():
            return CornerPatch(shape.points, closed=True, joinstyle="round", **paint)
        case Rect(radius=0):
            dash = (0, (10 / shape.line, 6 / shape.line)) if shape.dashed else "solid"
            return Rectangle((shape.x, shape.y), shape.width, shape.height, linestyle=dash, **paint)
        case Rect():
            style = f"round,pad=0,rounding_size={shape.radius}"
            return FancyBboxPatch((shape.x, shape.y), shape.width, shape.height, boxstyle=style, **paint)
