"""A scene as text for a terminal: plain, or with the markup of rich for colour.

A cell has two lines: who or what is there, and below it what was read there, in brackets, or what is held. The letters
are those of the drawing. Floor that the ad hoc agent cannot see is shaded. Beside each other below the board: the
belief, in per cent. Where there is little room, a cell of a plain board has one line, and no line around it.
"""

import re
from collections.abc import Iterable
from itertools import zip_longest

from walkon.pictures.palette import colours, letter, word
from walkon.pictures.scene import NOTHING, WALL, Cell, Heat, Scene

NARROW, WIDE = 6, 10  # a cell of a plain board, of one with words in it
UNSEEN, SOLID = "░", "▓"


def text(scene: Scene) -> str:
    """The scene as plain text."""
    heats = _beside([["", heat.title, *per_cent(heat)] for heat in scene.beliefs])
    lines = [scene.title, *board(scene), *scene.notes, *([key(scene)] if scene.columns else []), *heats]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def painted(line: str) -> str:
    """A line of a board, or the key, with the letters in colour, for rich."""

    def paint(match: re.Match[str]) -> str:
        return "".join("[bold {1} on {0}]{2}[/]".format(*colours(each), each) for each in match[0])

    return re.sub(r"\b[A-Z]+\b", paint, line)


def board(scene: Scene, *, compact: bool = False) -> list[str]:
    """The board alone, line by line; nothing where there is none."""
    if not scene.columns:
        return []
    width = WIDE if scene.tiles else NARROW
    rule = "+" + "+".join(["-" * width] * scene.columns) + "+"
    if compact and not scene.tiles:
        rows = [[_small_cell(scene, (c, r)) for c in range(scene.columns)] for r in range(scene.rows)]
        edge = rule.replace("+", "-")
        return [f"+{edge[1:-1]}+", *(f"|{' '.join(row)}|" for row in rows), f"+{edge[1:-1]}+"]
    lines = [rule]
    for r in range(scene.rows):
        cells = [_cell(scene, (c, r), width) for c in range(scene.columns)]
        upper, lower = ("|" + "|".join(part) + "|" for part in zip(*cells, strict=True))
        lines += [upper, rule] if set(upper) == {SOLID, "|"} else [upper, lower, rule]
    return lines


def key(scene: Scene) -> str:
    """What the letters mean."""
    words = [f"{letter(kind)} {word(kind)}" for kind in scene.kinds]
    return "  ".join([*words, "( ) read there"] if scene.observations else words)


def per_cent(heat: Heat) -> list[str]:
    """The belief about one piece: per cent, and a dot where there is less than half of one."""
    return ["".join(f"{100 * share:4.0f}" if share >= 0.005 else "   ." for share in row) for row in heat.grid]


def _cell(scene: Scene, cell: Cell, width: int) -> tuple[str, str]:
    """The two lines of a cell."""
    tile = next((tile for tile in scene.tiles if tile.cell == cell), None)
    here = [piece for piece in scene.pieces if piece.cell == cell]
    upper = " ".join(letter(piece.kind) for piece in here)
    lower = "".join(f"({each})" for each in _read(scene, cell))
    filling = " " if cell in scene.visible else UNSEEN
    if tile and tile.ground == WALL:
        filling = SOLID
    elif tile:
        upper, lower = tile.ground, tile.holds
    elif here and here[0].holds:
        lower = here[0].holds
    return _centred(upper, width, filling), _centred(lower, width, filling)


def _small_cell(scene: Scene, cell: Cell) -> str:
    """The one line of a cell where there is little room."""
    here = "".join(letter(piece.kind) for piece in scene.pieces if piece.cell == cell)
    read = "".join(_read(scene, cell))
    return _centred(here + (f"({read})" if read else ""), NARROW, " " if cell in scene.visible else UNSEEN)


def _read(scene: Scene, cell: Cell) -> Iterable[str]:
    """The letters of what was read in a cell."""
    cards = (observation.what for observation in scene.observations if observation.cell == cell)
    return ["-" if what == NOTHING else letter(what) for what in cards]


def _centred(word: str, width: int, filling: str) -> str:
    """A word with some room around it, or without where it is long."""
    spaced = f" {word} " if word and len(word) + 2 <= width else word
    return (spaced if len(spaced) <= width else spaced.replace(" ", "")[:width]).center(width, filling)


def _beside(blocks: list[list[str]]) -> list[str]:
    """Blocks of lines next to each other."""
    widths = [max(map(len, block)) for block in blocks]
    rows = zip_longest(*blocks, fillvalue="")
    return ["    ".join(line.ljust(width) for line, width in zip(row, widths, strict=True)) for row in rows]
