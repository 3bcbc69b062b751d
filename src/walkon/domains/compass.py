"""Cells and the moves between them. Column 0 is left, row 0 the top."""

from functools import partial
from typing import TypeAlias

from walkon.checks import whole
from walkon.domains.world import Option

Cell: TypeAlias = tuple[int, int]  # column, row
Move: TypeAlias = str

STEPS: dict[Move, Cell] = {"Up": (0, -1), "Down": (0, 1), "Left": (-1, 0), "Right": (1, 0), "Stay": (0, 0)}
MOVES = ("Up", "Down", "Left", "Right")
MOVES_AND_STAY = (*MOVES, "Stay")

SIZES = partial(whole, lowest=3, highest=10)
SIZE = Option("size", 5, SIZES, "Cells along each side, 3 to 10.", page=(3, 4, 5, 6), said="{0} x {0}".format)
