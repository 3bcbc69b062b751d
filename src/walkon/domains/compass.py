"""Cells and the moves between them. Column 0 is left, row 0 the top."""

from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]  # column, row
Move: TypeAlias = str

STEPS: dict[Move, Cell] = {"Up": (0, -1), "Down": (0, 1), "Left": (-1, 0), "Right": (1, 0), "Stay": (0, 0)}
MOVES = ("Up", "Down", "Left", "Right")
MOVES_AND_STAY = (*MOVES, "Stay")
