"""The description of a scene, from which every kind of picture is drawn.

A scene is a board of cells with pieces on it. It holds the true state, the cells that the ad hoc agent can see, what it
observed in them, and where it believes things to be. Nothing here depends on how a scene is drawn.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from walkon.arrays import Floats
from walkon.pictures.shapes import Shape

Cell: TypeAlias = tuple[int, int]  # column, row; column 0 is left, row 0 the top
Sketch: TypeAlias = Callable[[str, float, float, float], list[Shape]]
"""Draws a thing from what it holds, the x and y of its middle, and the size of what it stands on."""
AGENT, TEAMMATE, WALL, NOTHING = "agent", "teammate", "wall", "nothing"


@dataclass(frozen=True)
class Piece:
    """A player or a thing on the board."""

    kind: str  # "agent", "teammate" or any other word; decides shape, colour and letter
    cell: Cell
    holds: str = ""  # what it carries, in a word


@dataclass(frozen=True)
class Tile:
    """A cell that is not plain floor."""

    ground: str  # "wall" or any other word
    cell: Cell
    holds: str = ""  # what lies on it, in a word
    label: str = ""  # the text on it in a drawing
    fill: str = "#e9dfd0"


@dataclass(frozen=True)
class Observation:
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
