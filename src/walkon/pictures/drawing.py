"""Draw a scene as shapes: the board with its pieces and observations, the belief beside it, and a key below."""

from itertools import product

import numpy as np

from walkon.pictures import palette
from walkon.pictures.scene import (
    AGENT,
    NOTHING,
    TEAMMATE,
    WALL,
    Circle,
    Drawing,
    Heat,
    Label,
    Piece,
    Polygon,
    Rect,
    Scene,
    Shape,
    Tile,
)

WIDEST, HIGHEST = 616.0, 440.0  # the board
LARGEST_CELL = 88.0
RIM = 0.2  # of a cell
MARGIN, HEAD, LINE_HEIGHT = 24.0, 40.0, 22.0
HEAT_TITLE, HEAT_GAP = 24.0, 14.0


def draw(scene: Scene) -> Drawing:
    """Lay a scene out on a sheet."""
    cell = _cell(scene)
    wide, high = cell * scene.columns, cell * scene.rows
    heats, heat_width = _heats(scene, MARGIN + wide + MARGIN, MARGIN + HEAD, high)
    foot = MARGIN + HEAD + high + (26 if scene.columns else 0)
    notes = [line(MARGIN, foot + i * LINE_HEIGHT, note, 13) for i, note in enumerate(scene.notes)]
    key, key_width = _key(scene, MARGIN, foot + len(notes) * LINE_HEIGHT + 4)
    longest = max((7.4 * len(note) for note in scene.notes), default=0.0)
    named = MARGIN + 11 * len(scene.title) + MARGIN
    width = max(MARGIN + wide + MARGIN + heat_width, MARGIN + longest, key_width, 0 if scene.columns else named)
    height = foot + (len(notes) + 1) * LINE_HEIGHT + MARGIN / 2
    sheet = Rect(0, 0, width, height, palette.PAPER)
    title = line(MARGIN, MARGIN + 10, scene.title, 18, bold=True)
    board = _board(scene, MARGIN, MARGIN + HEAD, cell) if scene.columns else []
    return Drawing(round(width), round(height), (sheet, title, *board, *heats, *notes, *key), scene.title)


def draw_board(scene: Scene, *, numbered: bool = False) -> Drawing:
    """Draw the board alone, without title, notes, belief and key.

    Columns and rows are numbered if asked to. Where everything is in sight, of the walls around it only a rim is drawn.
    """
    cell, edge = _cell(scene), 2.0
    wide, high = scene.columns, scene.rows
    size = max(0.2 * cell, 0.04 * cell * wide)
    left = top = edge + (1.6 * size if numbered else 0)
    walls = {tile.cell for tile in scene.tiles if tile.ground == WALL}
    inside = [each for each in product(range(wide), range(high)) if each not in walls]
    width, height = left + cell * wide + edge, top + cell * high + edge
    if inside and scene.visible.issuperset(inside):
        (c0, c1), (r0, r1) = ((min(each), max(each)) for each in zip(*inside, strict=True))
        left, top = left - cell * max(c0 - RIM, 0), top - cell * max(r0 - RIM, 0)
        width = left + cell * min(c1 + 1 + RIM, wide) + edge
        height = top + cell * min(r1 + 1 + RIM, high) + edge
    shapes = _board(scene, left, top, cell)
    if numbered:
        shapes += [Label(left + (c + 0.5) * cell, 0.8 * size, str(c), size, palette.FAINT) for c in range(wide)]
        shapes += [Label(0.8 * size, top + (r + 0.5) * cell, str(r), size, palette.FAINT) for r in range(high)]
    return Drawing(round(width), round(height), tuple(shapes), scene.title)


def draw_token(kind: str) -> Drawing:
    """Draw one piece, for a legend."""
    return Drawing(20, 20, tuple(_token(kind, 10.0, 10.0, 16.0)), palette.word(kind))


def line(x: float, y: float, text: str, size: float, fill: str = palette.INK, bold: bool = False) -> Label:
    """Draw a line of text that starts at x."""
    return Label(x, y, text, size, fill, "start", bold)


def _cell(scene: Scene) -> float:
    return min(LARGEST_CELL, WIDEST / max(scene.columns, 1), HIGHEST / max(scene.rows, 1))


def _board(scene: Scene, left: float, top: float, cell: float) -> list[Shape]:
    """Draw floor, tiles, pieces and cards with observations."""
    shapes: list[Shape] = []
    grounds = {tile.cell: tile for tile in scene.tiles}
    for c, r in product(range(scene.columns), range(scene.rows)):
        x, y = left + c * cell, top + r * cell
        tile = grounds.get((c, r))
        floor = palette.LIT if (c, r) in scene.visible else palette.DARK
        wall = tile is not None and tile.ground == WALL
        fill = palette.WALL if wall else tile.fill if tile else floor
        edge = fill if wall else palette.LINE
        shapes.append(Rect(x, y, cell, cell, fill, edge))
        if tile and not wall:
            shapes += _furniture(scene, tile, x, y, cell)
        elif name := scene.names.get((c, r)):
            shapes.append(Label(x + cell / 2, y + 0.88 * cell, name, 0.14 * cell, palette.INK))
    wide, high = cell * scene.columns, cell * scene.rows
    shapes.append(Rect(left, top, wide, high, "none", palette.INK, line=3, dashed=scene.torus))
    crowds = {piece.cell: [p for p in scene.pieces if p.cell == piece.cell] for piece in scene.pieces}
    for (c, r), crowd in crowds.items():
        shapes += _crowd(scene, crowd, left + c * cell, top + r * cell, cell)
    for c, r in dict.fromkeys(observation.cell for observation in scene.observations):
        cards = [observation.what for observation in scene.observations if observation.cell == (c, r)]
        for i, what in enumerate(cards):
            shapes += _tag(what, left + (c + 0.05 + 0.3 * i) * cell, top + (r + 0.05) * cell, 0.26 * cell)
    return shapes


def _crowd(scene: Scene, crowd: list[Piece], x: float, y: float, cell: float) -> list[Shape]:
    """Draw the pieces of one cell, in rows of two, each with what it holds."""
    shapes: list[Shape] = []
    size = cell * (0.54 if len(crowd) == 1 else 0.36)
    for i, piece in enumerate(crowd):
        middle = x + cell * (0.5 if len(crowd) == 1 else 0.3 + 0.42 * (i % 2))
        words = f"holds {piece.holds}" if piece.holds else piece.label
        high = 0.42 if words else 0.57 if len(crowd) < 3 else 0.36 + 0.4 * (i // 2)
        shapes += _token(piece.kind, middle, y + high * cell, size)
        if piece.holds and (sketch := scene.sketches.get(piece.holds)):
            shapes += sketch("", middle + 0.3 * cell, y + 0.68 * cell, 0.3 * cell)
        if words:
            shapes.append(Label(middle, y + 0.89 * cell, words, 0.14 * cell, palette.INK))
    return shapes


def _heats(scene: Scene, left: float, top: float, high: float) -> tuple[list[Shape], float]:
    """Draw the belief, one small board below the other; return the shapes and their width."""
    if not scene.beliefs:
        return [], 0.0
    room = (high + HEAT_GAP) / len(scene.beliefs) - HEAT_TITLE - HEAT_GAP
    cell = max(room / scene.rows, 18.0)
    shapes: list[Shape] = []
    for i, heat in enumerate(scene.beliefs):
        shapes += _heat(heat, left, top + i * (cell * scene.rows + HEAT_TITLE + HEAT_GAP), cell)
    longest = max(7.6 * len(heat.title) for heat in scene.beliefs)
    return shapes, max(cell * scene.columns, longest) + MARGIN


def _heat(heat: Heat, left: float, top: float, cell: float) -> list[Shape]:
    """Draw one small board, darker where the probability is higher, with the per cent in the cells."""
    rows, columns = heat.grid.shape
    shapes: list[Shape] = [line(left, top + 8, heat.title, 12, bold=True)]
    top += HEAT_TITLE
    strongest = max(float(np.max(heat.grid)), 1e-12)
    for r, c in product(range(rows), range(columns)):
        share = float(heat.grid[r, c])
        x, y = left + c * cell, top + r * cell
        fill = palette.blend(palette.HEAT, 0.9 * share / strongest)
        shapes.append(Rect(x, y, cell, cell, fill, palette.LINE))
        if share >= 0.005:
            ink = palette.PAPER if share / strongest > 0.6 else palette.INK
            shapes.append(Label(x + cell / 2, y + cell / 2, f"{100 * share:.0f}", min(11, 0.42 * cell), ink))
    return shapes


def _key(scene: Scene, left: float, y: float) -> tuple[list[Shape], float]:
    """Draw what the pieces and cards mean, in one line; return the shapes and their width."""
    shapes: list[Shape] = []
    x = left + 8
    for kind in scene.kinds:
        word = palette.word(kind)
        shapes += [*_token(kind, x, y, 16), line(x + 14, y, word, 12, palette.FAINT)]
        x += 38 + 7.2 * len(word)
    if scene.observations:
        card = _tag([NOTHING, *scene.kinds][-1], x - 8, y - 8, 16)
        shapes += [*card, line(x + 14, y, "observed", 12, palette.FAINT)]
        x += 96
    if scene.beliefs:
        shapes.append(line(x, y, "numbers: belief in %", 12, palette.FAINT))
        x += 140
    return shapes, x + MARGIN / 2


def _token(kind: str, x: float, y: float, size: float) -> list[Shape]:
    """Draw a piece around a point: a circle, square or triangle with its letter."""
    letter, r, rim = palette.letter(kind), size / 2, max(1.0, size / 24)
    colour, ink = palette.colours(letter)
    body: Shape
    if kind == AGENT:
        body = Circle(x, y, r, colour, palette.INK, rim)
    elif kind == TEAMMATE:
        s = 0.9 * r
        body = Rect(x - s, y - s, 2 * s, 2 * s, colour, palette.INK, rim, radius=s / 5)
    else:
        corners = ((x, y - 1.1 * r), (x + 1.1 * r, y + 0.85 * r), (x - 1.1 * r, y + 0.85 * r))
        body = Polygon(corners, colour, palette.INK, rim)
    low = y + (0 if kind in (AGENT, TEAMMATE) else 0.25 * r)
    return [body, Label(x, low, letter, 0.5 * size, ink, bold=True)]


def _tag(what: str, x: float, y: float, size: float) -> list[Shape]:
    """Draw a small card with what was observed in a cell: a letter, or a dash for nothing."""
    letter = "-" if what == NOTHING else palette.letter(what)
    card = Rect(x, y, size, size, palette.PAPER, palette.INK, line=max(1.0, size / 14), radius=size / 5)
    return [card, Label(x + size / 2, y + size / 2, letter, 0.68 * size, palette.INK, bold=True)]


def _furniture(scene: Scene, tile: Tile, x: float, y: float, size: float) -> list[Shape]:
    """Draw what stands on a tile, with its word; x and y are the tile's top left corner."""
    middle, sketch = x + size / 2, scene.sketches.get(tile.ground)
    things = sketch(tile.holds, middle, y + 0.42 * size, size) if sketch else []
    return [*things, Label(middle, y + 0.86 * size, tile.label, 0.14 * size, palette.INK)]
