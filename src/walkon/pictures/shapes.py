"""The few shapes that all pictures are made of. x grows to the right, y downwards, both in pixels."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class Rect:
    """A rectangle, by its top left corner."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    stroke: str = "none"
    line: float = 1.0
    radius: float = 0.0
    dashed: bool = False


@dataclass(frozen=True)
class Circle:
    """A circle, by its middle."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str = "none"
    line: float = 1.0


@dataclass(frozen=True)
class Polygon:
    """A closed shape, by its corners."""

    points: tuple[tuple[float, float], ...]
    fill: str
    stroke: str = "none"
    line: float = 1.0


@dataclass(frozen=True)
class Label:
    """A line of text; y is its middle."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


Shape: TypeAlias = Rect | Circle | Polygon | Label


@dataclass(frozen=True)
class Drawing:
    """Shapes on a sheet; later shapes cover earlier ones."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    title: str
