"""What there is to see: one description of a scene, for every way to draw it.

A scene is a board of cells with pieces on it. The drawing shows what is true, which cells the ad hoc agent can see,
what it read there, and where it believes things to be. Nothing here knows how it is drawn.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from walkon.arrays import Floats
from walkon.pictures.shapes import Shape

Cell: TypeAlias = tuple[int, int]  # column, row; column 0 is left, row 0 the top
Sketch: TypeAlias = Callable[[str, float, float, float], list[Shape]]
"""How a thing is drawn: from what it holds, the x and y of its middle, and the size of what it stands on."""
AGENT, TEAMMATE, WALL, NOTHING = "agent", "teammate", "wall", "nothing"


@dataclass(frozen=True)
class Piece:
    """Someone or something on the board.

    Attributes:
        kind: Who it is, the agent, a teammate or any other word; decides shape, colour and letter.
        cell: Where it is.
        holds: What it has in its hand, in a word; empty if nothing.
    """

    kind: str
    cell: Cell
    holds: str = ""


@dataclass(frozen=True)
class Tile:
    """A cell that is not plain floor: a wall or any other word.

    Attributes:
        holds: What lies on it, in a word; empty if nothing.
        label: What is written on it in a drawing.
        fill: Its colour.
    """

    ground: str
    cell: Cell
    holds: str = ""
    label: str = ""
    fill: str = "#e9dfd0"


@dataclass(frozen=True)
class Observation:
    """What the ad hoc agent read in a cell: a kind of piece, or nothing. It may be wrong."""

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
    """One moment of a world.

    Attributes:
        title: What is played.
        columns: The width of the board in cells.
        rows: Its height.
        pieces: Who is where, those to be drawn last on top.
        tiles: The cells that are not plain floor.
        visible: The cells that the ad hoc agent can see.
        observations: What it read there last.
        beliefs: Where it believes things to be.
        torus: Whether the board's edges are joined.
        notes: Short lines below the board.
        sketches: How the tiles and the things to hold are drawn, by their words; by the word alone if not given.
    """

    title: str
    columns: int
    rows: int
    pieces: tuple[Piece, ...]
    tiles: tuple[Tile, ...] = ()
    visible: frozenset[Cell] = frozenset()
    observations: tuple[Observation, ...] = ()
    beliefs: tuple[Heat, ...] = ()
    torus: bool = False
    notes: tuple[str, ...] = ()
    sketches: Mapping[str, Sketch] = field(default_factory=dict)

    @property
    def kinds(self) -> list[str]:
        """The kinds of its pieces: the agent, teammates, and then all others."""
        others = [piece.kind for piece in self.pieces if piece.kind not in (AGENT, TEAMMATE)]
        players = [kind for kind in (AGENT, TEAMMATE) if any(piece.kind == kind for piece in self.pieces)]
        return [*players, *dict.fromkeys(others)]
