"""Who and what is on the board, as shapes: a circle, a square, a triangle; onions, plates, soups and a pan."""

from walkon.pictures import palette
from walkon.pictures.scene import Kind, Tile
from walkon.pictures.shapes import Circle, Label, Polygon, Rect, Shape


def token(kind: Kind, x: float, y: float, size: float) -> list[Shape]:
    """A player's piece around a point: circle, square or triangle, with its letter."""
    colour, r, rim = palette.COLOURS[kind], size / 2, max(1.0, size / 24)
    body: Shape
    if kind == "agent":
        body = Circle(x=x, y=y, radius=r, fill=colour, stroke=palette.INK, line=rim)
    elif kind == "teammate":
        s = 0.9 * r
        body = Rect(
            x=x - s, y=y - s, width=2 * s, height=2 * s, fill=colour, stroke=palette.INK, line=rim, radius=s / 5
        )
    else:
        corners = ((x, y - 1.1 * r), (x + 1.1 * r, y + 0.85 * r), (x - 1.1 * r, y + 0.85 * r))
        body = Polygon(points=corners, fill=colour, stroke=palette.INK, line=rim)
    low = y + (0.25 * r if kind == "prey" else 0)
    return [body, Label(x=x, y=low, text=palette.LETTERS[kind], size=0.5 * size, fill=palette.INKS[kind], bold=True)]


def tag(what: str, x: float, y: float, size: float) -> list[Shape]:
    """A small card that says what was read in a cell: a letter, or a dash for nothing."""
    letter = {"agent": "A", "teammate": "T", "prey": "P"}.get(what, "-")
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


def item(what: str, x: float, y: float, size: float) -> list[Shape]:
    """Something to carry: an onion, a plate or a soup."""
    r, line = size / 2, max(1.0, size / 16)
    if what == "onion":
        tip = ((x - r / 3, y - 0.7 * r), (x, y - 1.5 * r), (x + r / 3, y - 0.7 * r))
        return [
            Polygon(points=tip, fill="#8a6d3b"),
            Circle(x=x, y=y, radius=0.85 * r, fill="#cc79a7", stroke=palette.INK, line=line),
        ]
    plate = [
        Circle(x=x, y=y, radius=r, fill=palette.PAPER, stroke=palette.INK, line=line),
        Circle(x=x, y=y, radius=0.62 * r, fill="#eef1f5", stroke=palette.FAINT, line=line / 2),
    ]
    broth = Circle(x=x, y=y, radius=0.62 * r, fill="#d55e00", stroke=palette.INK, line=line)
    return [plate[0], broth] if what == "soup" else [*plate]


def furniture(tile: Tile, x: float, y: float, size: float) -> list[Shape]:
    """What stands on a tile of the kitchen, with its word; x and y are the tile's top left corner."""
    middle, height = x + size / 2, y + 0.42 * size
    word: str = tile.ground
    if tile.ground == "wall":
        return []
    if tile.ground == "counter":
        word, things = tile.holds, item(tile.holds, middle, height, 0.42 * size) if tile.holds else []
    elif tile.ground == "pan":
        word, things = f"pan: {tile.holds}", pan(tile.holds, middle, height, 0.62 * size)
    elif tile.ground == "window":
        things = pane(middle, height, 0.5 * size)
    else:
        thing = tile.ground[:-1]
        things = [
            s for dx, dy in ((-1, 0.5), (1, 0.5), (0, -0.5)) for s in _heaped(thing, middle, height, dx, dy, size)
        ]
    return [*things, Label(x=middle, y=y + 0.86 * size, text=word, size=0.13 * size, fill=palette.INK)]


def _heaped(thing: str, x: float, y: float, dx: float, dy: float, size: float) -> list[Shape]:
    return item(thing, x + 0.15 * size * dx, y + 0.15 * size * dy, 0.28 * size)


def pan(holds: str, x: float, y: float, size: float) -> list[Shape]:
    """The pan from above, with what is in it."""
    r = size / 2
    handle = Rect(x=x + 0.8 * r, y=y - 0.14 * r, width=0.85 * r, height=0.28 * r, fill=palette.INK, radius=0.1 * r)
    rim = Circle(x=x, y=y, radius=r, fill="#8d94a3", stroke=palette.INK, line=max(1.0, size / 20))
    if holds == "cooked":
        return [handle, rim, Circle(x=x, y=y, radius=0.78 * r, fill="#d55e00", stroke=palette.INK)]
    onions = int(holds[0]) if holds[0].isdigit() else 0
    spots = ((-0.4, 0.1), (0.4, 0.1))[:onions]
    return [handle, rim, *(s for dx, dy in spots for s in item("onion", x + dx * r, y + dy * r, 0.6 * r))]


def pane(x: float, y: float, size: float) -> list[Shape]:
    """The window through which soups leave."""
    r, bar = size / 2, size / 14
    return [
        Rect(x=x - r, y=y - r, width=size, height=size, fill="#f4fbff", stroke=palette.INK, line=bar),
        Rect(x=x - bar / 2, y=y - r, width=bar, height=size, fill=palette.INK),
        Rect(x=x - r, y=y - bar / 2, width=size, height=bar, fill=palette.INK),
    ]
