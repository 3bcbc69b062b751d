"""The picture of a moment of Overcooked: the kitchen from above."""

from collections.abc import Mapping
from dataclasses import dataclass

from walkon.arrays import Floats
from walkon.domains.overcooked.world import COOK, COUNTERS, HELPER, NOTHING, PANS, ROWS, STATES, THINGS, TILES
from walkon.pictures import palette
from walkon.pictures.scene import Cell, Circle, Piece, Polygon, Rect, Scene, Shape, Sketch, Tile

FILLS = {"counter": "#d9b98c", "window": "#cfe6f5"}
SOUP = "#d55e00"


@dataclass(frozen=True)
class KitchenView:
    """Draws the kitchen. The state is observed, so there is no belief to draw."""

    role: str  # the ad hoc agent's

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment: both players with what they hold, the counters and the pan."""
        x = STATES[state]
        who = ("agent", "teammate") if self.role == "helper" else ("teammate", "agent")
        lies = dict(zip(COUNTERS, x.counters, strict=True))
        return Scene(
            title=f"Overcooked, the ad hoc agent as {self.role}",
            columns=len(ROWS[0]),
            rows=len(ROWS),
            pieces=(
                Piece(who[0], HELPER[x.helper], _thing(x.helper_hand)),
                Piece(who[1], COOK[x.cook], _thing(x.cook_hand)),
            ),
            tiles=tuple(
                tile(ground, cell, PANS[x.pan] if ground == "pan" else _thing(lies.get(cell, NOTHING)))
                for cell, ground in TILES.items()
            ),
            visible=frozenset(TILES) | frozenset(HELPER) | frozenset(COOK),
            notes=(str(x),),
            sketches=SKETCHES,
        )


def tile(ground: str, cell: Cell, holds: str) -> Tile:
    """Describe a cell of the kitchen that is not floor, with what lies on it."""
    label = holds if ground == "counter" else f"pan: {holds}" if ground == "pan" else ground
    return Tile(ground, cell, holds, label, **({"fill": FILLS[ground]} if ground in FILLS else {}))


def _thing(thing: int) -> str:
    return "" if thing == NOTHING else THINGS[thing]


def _onion(_: str, x: float, y: float, size: float) -> list[Shape]:
    r, line = size / 2, max(1.0, size / 16)
    tip = ((x - r / 3, y - 0.7 * r), (x, y - 1.5 * r), (x + r / 3, y - 0.7 * r))
    return [Polygon(tip, "#8a6d3b"), Circle(x, y, 0.85 * r, "#cc79a7", palette.INK, line)]


def _plate(_: str, x: float, y: float, size: float) -> list[Shape]:
    r, line = size / 2, max(1.0, size / 16)
    plate = Circle(x, y, r, palette.PAPER, palette.INK, line)
    return [plate, Circle(x, y, 0.62 * r, "#eef1f5", palette.FAINT, line / 2)]


def _soup(_: str, x: float, y: float, size: float) -> list[Shape]:
    broth = Circle(x, y, 0.62 * (size / 2), SOUP, palette.INK, line=max(1.0, size / 16))
    return [_plate("", x, y, size)[0], broth]


def _counter(holds: str, x: float, y: float, size: float) -> list[Shape]:
    return SKETCHES[holds]("", x, y, 0.42 * size) if holds else []


def _heap(of: Sketch) -> Sketch:
    """Make a sketch of three of a thing."""

    def heap(_: str, x: float, y: float, size: float) -> list[Shape]:
        places = ((-1, 0.5), (1, 0.5), (0, -0.5))
        return [s for dx, dy in places for s in of("", x + 0.15 * size * dx, y + 0.15 * size * dy, 0.28 * size)]

    return heap


def _pan(holds: str, x: float, y: float, size: float) -> list[Shape]:
    """Draw the pan from above, with what is in it."""
    r = 0.62 * size / 2
    handle = Rect(x + 0.8 * r, y - 0.14 * r, 0.85 * r, 0.28 * r, palette.INK, radius=0.1 * r)
    rim = Circle(x, y, r, "#8d94a3", palette.INK, line=max(1.0, 0.62 * size / 20))
    if holds == "cooked":
        return [handle, rim, Circle(x, y, 0.78 * r, SOUP, palette.INK)]
    onions = int(holds[0]) if holds[0].isdigit() else 0
    spots = ((-0.4, 0.1), (0.4, 0.1))[:onions]
    return [handle, rim, *(s for dx, dy in spots for s in _onion("", x + dx * r, y + dy * r, 0.6 * r))]


def _window(_: str, x: float, y: float, size: float) -> list[Shape]:
    """Draw the window through which soups are delivered."""
    wide = 0.5 * size
    r, bar = wide / 2, wide / 14
    return [
        Rect(x - r, y - r, wide, wide, "#f4fbff", palette.INK, bar),
        Rect(x - bar / 2, y - r, bar, wide, palette.INK),
        Rect(x - r, y - bar / 2, wide, bar, palette.INK),
    ]


SKETCHES: Mapping[str, Sketch] = {
    "onion": _onion,
    "plate": _plate,
    "soup": _soup,
    "counter": _counter,
    "onions": _heap(_onion),
    "plates": _heap(_plate),
    "pan": _pan,
    "window": _window,
}
