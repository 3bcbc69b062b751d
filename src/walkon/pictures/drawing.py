"""From a scene to shapes: the board, what was read, the belief beside it, and a key below."""

from itertools import product

import numpy as np

from walkon.pictures import palette
from walkon.pictures.pieces import furniture, item, tag, token
from walkon.pictures.scene import NOTHING, WALL, Heat, Piece, Scene
from walkon.pictures.shapes import Drawing, Label, Rect, Shape

WIDEST, HIGHEST = 616.0, 440.0  # the board
LARGEST_CELL = 88.0
MARGIN = 24.0
HEAD = 40.0
LINE_HEIGHT = 22.0
HEAT_TITLE = 24.0
HEAT_GAP = 14.0


def draw(scene: Scene) -> Drawing:
    """Lay a scene out on a sheet."""
    cell = _cell(scene)
    wide, high = cell * scene.columns, cell * scene.rows
    heats, heat_width = _heats(scene, MARGIN + wide + MARGIN, MARGIN + HEAD, high)
    foot = MARGIN + HEAD + high + (26 if scene.columns else 0)
    notes: list[Shape] = [
        Label(x=MARGIN, y=foot + i * LINE_HEIGHT, text=note, size=13, fill=palette.INK, anchor="start")
        for i, note in enumerate(scene.notes)
    ]
    key, key_width = _key(scene, MARGIN, foot + len(notes) * LINE_HEIGHT + 4)
    longest = max((7.4 * len(note) for note in scene.notes), default=0.0)
    named = MARGIN + 11 * len(scene.title) + MARGIN
    width = max(MARGIN + wide + MARGIN + heat_width, MARGIN + longest, key_width, 0 if scene.columns else named)
    height = foot + (len(notes) + 1) * LINE_HEIGHT + MARGIN / 2
    sheet = Rect(x=0, y=0, width=width, height=height, fill=palette.PAPER)
    title = Label(x=MARGIN, y=MARGIN + 10, text=scene.title, size=18, fill=palette.INK, anchor="start", bold=True)
    board = _board(scene, MARGIN, MARGIN + HEAD, cell) if scene.columns else []
    return Drawing(round(width), round(height), (sheet, title, *board, *heats, *notes, *key), scene.title)


def draw_board(scene: Scene) -> Drawing:
    """The board alone, where everything else stands around it anyway."""
    cell = _cell(scene)
    edge = 2.0
    size = (round(cell * scene.columns + 2 * edge), round(cell * scene.rows + 2 * edge))
    return Drawing(*size, tuple(_board(scene, edge, edge, cell)), scene.title)


def draw_token(kind: str, size: float = 20.0) -> Drawing:
    """One piece, for a legend."""
    return Drawing(round(size), round(size), tuple(token(kind, size / 2, size / 2, 0.8 * size)), palette.word(kind))


def _cell(scene: Scene) -> float:
    return min(LARGEST_CELL, WIDEST / max(scene.columns, 1), HIGHEST / max(scene.rows, 1))


def _board(scene: Scene, left: float, top: float, cell: float) -> list[Shape]:
    """Floor, tiles, pieces and cards with what was read."""
    shapes: list[Shape] = []
    grounds = {tile.cell: tile for tile in scene.tiles}
    for c, r in product(range(scene.columns), range(scene.rows)):
        x, y = left + c * cell, top + r * cell
        tile = grounds.get((c, r))
        floor = palette.LIT if (c, r) in scene.visible else palette.DARK
        wall = tile is not None and tile.ground == WALL
        fill = palette.WALL if wall else tile.fill if tile else floor
        edge = fill if wall else palette.LINE
        shapes.append(Rect(x=x, y=y, width=cell, height=cell, fill=fill, stroke=edge))
        if tile and not wall:
            shapes += furniture(scene, tile, x, y, cell)
    shapes.append(
        Rect(
            x=left,
            y=top,
            width=cell * scene.columns,
            height=cell * scene.rows,
            fill="none",
            stroke=palette.INK,
            line=3,
            dashed=scene.torus,
        )
    )
    crowds = {piece.cell: [p for p in scene.pieces if p.cell == piece.cell] for piece in scene.pieces}
    for (c, r), crowd in crowds.items():
        shapes += _crowd(scene, crowd, left + c * cell, top + r * cell, cell)
    cards = {
        observation.cell: [card for card in scene.observations if card.cell == observation.cell]
        for observation in scene.observations
    }
    for (c, r), hand in cards.items():
        for i, observation in enumerate(hand):
            size = 0.26 * cell
            shapes += tag(observation.what, left + (c + 0.05 + 0.3 * i) * cell, top + (r + 0.05) * cell, size)
    return shapes


def _crowd(scene: Scene, crowd: list[Piece], x: float, y: float, cell: float) -> list[Shape]:
    """The pieces of one cell, in rows of two, each with what it holds."""
    shapes: list[Shape] = []
    size = cell * (0.54 if len(crowd) == 1 else 0.36)
    for i, piece in enumerate(crowd):
        middle = x + cell * (0.5 if len(crowd) == 1 else 0.3 + 0.42 * (i % 2))
        high = 0.42 if piece.holds else 0.57 if len(crowd) < 3 else 0.36 + 0.4 * (i // 2)
        shapes += token(piece.kind, middle, y + high * cell, size)
        if piece.holds:
            shapes += item(scene, piece.holds, middle + 0.3 * cell, y + 0.68 * cell, 0.3 * cell)
            low = y + 0.89 * cell
            shapes.append(Label(x=middle, y=low, text=f"holds {piece.holds}", size=0.14 * cell, fill=palette.INK))
    return shapes


def _heats(scene: Scene, left: float, top: float, high: float) -> tuple[list[Shape], float]:
    """The belief, one small board below the other, and how wide they are."""
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
    """One small board: the darker the likelier, with the per cent in every cell that has one."""
    rows, columns = heat.grid.shape
    shapes: list[Shape] = [
        Label(x=left, y=top + 8, text=heat.title, size=12, fill=palette.INK, anchor="start", bold=True)
    ]
    top += HEAT_TITLE
    strongest = max(float(np.max(heat.grid)), 1e-12)
    for r, c in product(range(rows), range(columns)):
        share = float(heat.grid[r, c])
        x, y = left + c * cell, top + r * cell
        fill = palette.blend(palette.HEAT, 0.9 * share / strongest)
        shapes.append(Rect(x=x, y=y, width=cell, height=cell, fill=fill, stroke=palette.LINE))
        if share >= 0.005:
            ink = palette.PAPER if share / strongest > 0.6 else palette.INK
            text = f"{100 * share:.0f}"
            shapes.append(Label(x=x + cell / 2, y=y + cell / 2, text=text, size=min(11, 0.42 * cell), fill=ink))
    return shapes


def _key(scene: Scene, left: float, y: float) -> tuple[list[Shape], float]:
    """What the pieces and cards mean, in one line, and how wide it is."""
    shapes: list[Shape] = []
    x = left + 8
    for kind in scene.kinds:
        word = palette.word(kind)
        shapes += token(kind, x, y, 16)
        shapes.append(Label(x=x + 14, y=y, text=word, size=12, fill=palette.FAINT, anchor="start"))
        x += 38 + 7.2 * len(word)
    if scene.observations:
        shapes += tag([NOTHING, *scene.kinds][-1], x - 8, y - 8, 16)
        shapes.append(Label(x=x + 14, y=y, text="read there", size=12, fill=palette.FAINT, anchor="start"))
        x += 96
    if scene.beliefs:
        shapes.append(Label(x=x, y=y, text="numbers: belief in %", size=12, fill=palette.FAINT, anchor="start"))
        x += 140
    return shapes, x + MARGIN / 2
