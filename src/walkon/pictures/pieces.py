"""Who and what is on the board, as shapes: a circle, a square, a triangle, and what a world brings of its own."""

from walkon.pictures import palette
from walkon.pictures.scene import AGENT, NOTHING, TEAMMATE, Scene, Tile
from walkon.pictures.shapes import Circle, Label, Polygon, Rect, Shape


def token(kind: str, x: float, y: float, size: float) -> list[Shape]:
    """A player's piece around a point: circle, square or triangle, with its letter."""
    letter, r, rim = palette.letter(kind), size / 2, max(1.0, size / 24)
    colour, ink = palette.colours(letter)
    body: Shape
    if kind == AGENT:
        body = Circle(x=x, y=y, radius=r, fill=colour, stroke=palette.INK, line=rim)
    elif kind == TEAMMATE:
        s = 0.9 * r
        body = Rect(
            x=x - s, y=y - s, width=2 * s, height=2 * s, fill=colour, stroke=palette.INK, line=rim, radius=s / 5
        )
    else:
        corners = ((x, y - 1.1 * r), (x + 1.1 * r, y + 0.85 * r), (x - 1.1 * r, y + 0.85 * r))
        body = Polygon(points=corners, fill=colour, stroke=palette.INK, line=rim)
    low = y + (0 if kind in (AGENT, TEAMMATE) else 0.25 * r)
    return [body, Label(x=x, y=low, text=letter, size=0.5 * size, fill=ink, bold=True)]


def tag(what: str, x: float, y: float, size: float) -> list[Shape]:
    """A small card that says what was read in a cell: a letter, or a dash for nothing."""
    letter = "-" if what == NOTHING else palette.letter(what)
    card = Rect(
        x=x,
        y=y,
        width=size,
        height=size,
        fill=palette.PAPER,
        stroke=palette.INK,
        line=max(1.0, size / 14),
        radius=size / 5,
    )
    return [card, Label(x=x + size / 2, y=y + size / 2, text=letter, size=0.68 * size, fill=palette.INK, bold=True)]


def item(scene: Scene, what: str, x: float, y: float, size: float) -> list[Shape]:
    """Something to carry, as its world draws it."""
    sketch = scene.sketches.get(what)
    return sketch("", x, y, size) if sketch else []


def furniture(scene: Scene, tile: Tile, x: float, y: float, size: float) -> list[Shape]:
    """What stands on a tile, with its word; x and y are the tile's top left corner."""
    middle, sketch = x + size / 2, scene.sketches.get(tile.ground)
    things = sketch(tile.holds, middle, y + 0.42 * size, size) if sketch else []
    return [*things, Label(x=middle, y=y + 0.86 * size, text=tile.label, size=0.13 * size, fill=palette.INK)]
