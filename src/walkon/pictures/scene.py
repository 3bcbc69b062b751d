"""The description of a scene, from which every kind of picture is drawn.

A scene is a board of cells with pieces on it. It holds the true state, the cells that the ad hoc agent can see, what it
observed in them, and where it believes things to be. Every picture of it is made of a few shapes; x grows to the right,
y downwards, both in pixels.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from walkon.arrays import Floats


class Rect(NamedTuple):
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


class Circle(NamedTuple):
    """A circle, by its middle."""

    x: float
    y: float
    radius: float
    fill: str
    stroke: str = "none"
    line: float = 1.0


class Polygon(NamedTuple):
    """A closed shape, by its corners."""

    points: tuple[tuple[float, float], ...]
    fill: str
    stroke: str = "none"
    line: float = 1.0


class Label(NamedTuple):
    """A line of text; y is its middle."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False


Shape: TypeAlias = Rect | Circle | Polygon | Label


class Drawing(NamedTuple):
    """Shapes on a sheet; later shapes cover earlier ones."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    title: str


Cell: TypeAlias = tuple[int, int]  # column, row; column 0 is left, row 0 the top
Sketch: TypeAlias = Callable[[str, float, float, float], list[Shape]]
"""Draws a thing from what it holds, the x and y of its middle, and the size of what it stands on."""
AGENT, TEAMMATE, WALL, NOTHING = "agent", "teammate", "wall", "nothing"


class Piece(NamedTuple):
    """A player or a thing on the board."""

    kind: str  # "agent", "teammate" or any other word; decides shape, colour and letter
    cell: Cell
    holds: str = ""  # what it carries, in a word
    label: str = ""  # the text below it, if it carries nothing


class Tile(NamedTuple):
    """A cell that is not plain floor."""

    ground: str  # "wall" or any other word
    cell: Cell
    holds: str = ""  # what lies on it, in a word
    label: str = ""  # the text on it in a drawing
    fill: str = "#e9dfd0"


class Observation(NamedTuple):
    """What the ad hoc agent observed in a cell: a kind of piece, or "nothing". It may be wrong."""

    what: str
    cell: Cell


@dataclass(frozen=True, eq=False)
class Heat:
    """Where a thing is believed to be: a probability for each cell."""

    title: str
    kind: str
    grid: Floats  # [rows, columns]


@dataclass(frozen=True, eq=False)
class Scene:
    """One moment of a world."""

    title: str
    columns: int
    rows: int
    pieces: tuple[Piece, ...]  # later ones are drawn on top
    tiles: tuple[Tile, ...] = ()
    names: Mapping[Cell, str] = field(default_factory=dict)  # the text on plain floor in a drawing
    visible: frozenset[Cell] = frozenset()  # the cells that the ad hoc agent can see
    observations: tuple[Observation, ...] = ()  # the last ones
    beliefs: tuple[Heat, ...] = ()
    torus: bool = False  # whether the board's edges are joined
    notes: tuple[str, ...] = ()  # short lines below the board
    sketches: Mapping[str, Sketch] = field(default_factory=dict)  # draw tiles and things to hold, by their words

    @property
    def kinds(self) -> list[str]:
        """The kinds of its pieces: the agent, teammates, and then all others."""
        found = dict.fromkeys(piece.kind for piece in self.pieces)
        return sorted(found, key=lambda kind: {AGENT: 0, TEAMMATE: 1}.get(kind, 2))
