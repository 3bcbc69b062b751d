"""What there is to see: one description of a scene, for every way to draw it.

A scene is a board of cells with pieces on it. The drawing shows what is true, which cells the ad hoc agent can see,
what it read there, and where it believes things to be. Nothing here knows how it is drawn.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from walkon.arrays import Floats

Cell: TypeAlias = tuple[int, int]  # column, row; column 0 is left, row 0 the top
Kind: TypeAlias = Literal["agent", "teammate", "prey"]
Ground: TypeAlias = Literal["wall", "counter", "onions", "plates", "pan", "window"]


@dataclass(frozen=True)
class Piece:
    """Someone or something on the board.

    Attributes:
        kind: Who it is; decides shape, colour and letter.
        cell: Where it is.
        holds: What it has in its hand, in a word; empty if nothing.
    """

    kind: Kind
    cell: Cell
    holds: str = ""


@dataclass(frozen=True)
class Tile:
    """A cell that is not plain floor, and what lies on it, in a word."""

    ground: Ground
    cell: Cell
    holds: str = ""


@dataclass(frozen=True)
class Observation:
    """What the ad hoc agent read in a cell: a kind of piece, or nothing. It may be wrong."""

    what: Kind | Literal["nothing"]
    cell: Cell


@dataclass(frozen=True, eq=False)
class Heat:
    """Where a thing is believed to be: a probability for each cell."""

    title: str
    kind: Kind
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
