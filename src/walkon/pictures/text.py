"""Scenes as text for a terminal: plain, or with rich's markup for colour.

A cell has two lines: the letters of its pieces, as in a drawing, and below them the observation in brackets, or what a
piece holds. Floor that the ad hoc agent cannot see is shaded. The beliefs stand side by side below the board, in per
cent. A compact board has one line for each cell and no lines between them, and is narrow if it has many columns.
"""

import re
from itertools import zip_longest

from walkon.pictures.palette import colours, letter, word
from walkon.pictures.scene import NOTHING, WALL, Cell, Heat, Scene

TIGHT, NARROW, WIDE = 4, 6, 10  # a cell of a compact board with many columns, of a plain one, of one with words in it
MANY = 10  # columns
UNSEEN, SOLID = "░", "▓"


def text(scene: Scene) -> str:
    """Write a scene as plain text."""
    heats = _beside([["", heat.title, *per_cent(heat)] for heat in scene.beliefs])
    lines = [scene.title, *board(scene), *scene.notes, *([key(scene)] if scene.columns else []), *heats]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def painted(line: str) -> str:
    """Colour the letters in a line of a board or in the key, by rich's markup."""

    def paint(match: re.Match[str]) -> str:
        return "".join("[bold {1} on {0}]{2}[/]".format(*colours(each), each) for each in match[0])

    return re.sub(r"\b[A-Z]+\b", paint, line)


def board(scene: Scene, *, compact: bool = False) -> list[str]:
    """Write the board alone, line by line; no lines where the scene has no board."""
    if not scene.columns:
        return []
    plain = all(tile.ground == WALL for tile in scene.tiles)
    width = WIDE if not plain else TIGHT if compact and scene.columns > MANY else NARROW
    rule = "+" + "+".join(["-" * width] * scene.columns) + "+"
    if compact and plain:
        rows = [[_small_cell(scene, (c, r), width) for c in range(scene.columns)] for r in range(scene.rows)]
        edge = rule.replace("+", "-")
        return [f"+{edge[1:-1]}+", *(f"|{' '.join(row)}|" for row in rows), f"+{edge[1:-1]}+"]
    lines = [rule]
    for r in range(scene.rows):
        cells = [_cell(scene, (c, r), width) for c in range(scene.columns)]
        upper, lower = ("|" + "|".join(part) + "|" for part in zip(*cells, strict=True))
        lines += [upper, rule] if set(upper + lower) == {SOLID, "|"} else [upper, lower, rule]
    return lines


def key(scene: Scene) -> str:
    """Explain the letters."""
    words = [f"{letter(kind)} {word(kind)}" for kind in scene.kinds]
    return "  ".join([*words, "( ) observed"] if scene.observations else words)


def per_cent(heat: Heat) -> list[str]:
    """Write the belief about one piece in per cent, with a dot for less than half of one."""
    return ["".join(f"{100 * share:4.0f}" if share >= 0.005 else "   ." for share in row) for row in heat.grid]


def _cell(scene: Scene, cell: Cell, width: int) -> tuple[str, str]:
    """Write the two lines of a cell."""
    tile = next((tile for tile in scene.tiles if tile.cell == cell), None)
    here = [piece for piece in scene.pieces if piece.cell == cell]
    upper = " ".join(letter(piece.kind) for piece in here)
    lower = "".join(f"({each})" for each in _observed(scene, cell))
    filling = " " if cell in scene.visible else UNSEEN
    if tile and tile.ground == WALL:
        filling = SOLID
    elif tile:
        upper, lower = tile.ground, tile.holds
    elif here and (here[0].holds or here[0].label):
        lower = here[0].holds or here[0].label
    return _centred(upper, width, filling), _centred(lower, width, filling)


def _small_cell(scene: Scene, cell: Cell, width: int) -> str:
    """Write a cell of a compact board in one line."""
    here = "".join(letter(piece.kind) for piece in scene.pieces if piece.cell == cell)
    observed = "".join(_observed(scene, cell))
    filling = " " if cell in scene.visible else SOLID if any(tile.cell == cell for tile in scene.tiles) else UNSEEN
    return _centred(here + (f"({observed})" if observed else ""), width, filling)


def _observed(scene: Scene, cell: Cell) -> list[str]:
    """The letters of the observations in a cell."""
    return ["-" if each.what == NOTHING else letter(each.what) for each in scene.observations if each.cell == cell]


def _centred(word: str, width: int, filling: str) -> str:
    """Centre a word, with a space on either side where there is room."""
    spaced = f" {word} " if word and len(word) + 2 <= width else word
    return (spaced if len(spaced) <= width else spaced.replace(" ", "")[:width]).center(width, filling)


def _beside(blocks: list[list[str]]) -> list[str]:
    """Put blocks of lines next to each other."""
    widths = [max(map(len, block)) for block in blocks]
    rows = zip_longest(*blocks, fillvalue="")
    return ["    ".join(line.ljust(width) for line, width in zip(row, widths, strict=True)) for row in rows]
