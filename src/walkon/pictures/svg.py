"""Scenes as SVG: one scene as a picture, or the moments of an episode as a film.

A film shows a board, bars and a caption for each moment in turn. Its animation is a style sheet inside the file, so it
moves wherever a browser shows it, also as a plain picture.
"""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

from walkon.pictures import palette
from walkon.pictures.drawing import draw, draw_board, line
from walkon.pictures.scene import Circle, Label, Polygon, Rect, Scene, Shape

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
SECONDS = 0.9  # for each frame of a film
HOLD = 3  # how many times longer the last one stays
MARGIN, ROW = 20, 40
WIDTH_OF_BARS, WIDTH_OF_LETTER = 300, 6.6


class Frame(NamedTuple):
    """One moment of a film."""

    scene: Scene
    bars: tuple[tuple[str, float, str], ...]  # a name, a share and a colour
    caption: str


def svg(scene: Scene) -> str:
    """Draw a scene as one SVG element, complete in itself."""
    sheet = draw(scene)
    lines = [
        _head(sheet.width, sheet.height),
        f"<title>{escape(sheet.title)}</title>",
        f"<desc>{escape('; '.join(scene.notes))}</desc>",
        *map(element, sheet.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def film(frames: Sequence[Frame]) -> str:
    """Draw an endless film that shows the frames in turn."""
    board = draw_board(frames[0].scene)
    letters = round((board.width + MARGIN + WIDTH_OF_BARS) / WIDTH_OF_LETTER)
    lines = max(len(wrap(frame.caption, letters)) for frame in frames)
    tall = max(board.height, ROW * max(len(frame.bars) for frame in frames))
    width, height = 3 * MARGIN + board.width + WIDTH_OF_BARS, 3 * MARGIN + tall + 18 * lines
    period, last = SECONDS * (len(frames) - 1 + HOLD), len(frames) - 1
    groups = [
        f'<g class="f" style="animation:{"last" if i == last else "each"} {period:.2f}s step-end {SECONDS * i:.2f}s '
        f'infinite">{_frame(frame, board.width, tall, letters)}</g>'
        for i, frame in enumerate(frames)
    ]
    shares = {"each": 100 * SECONDS * (1 if last else HOLD) / period, "last": 100 * SECONDS * HOLD / period}
    style = ".f{visibility:hidden}" + "".join(
        f"@keyframes {name}{{0%{{visibility:visible}}{share:.4f}%{{visibility:hidden}}}}"
        for name, share in shares.items()
    )
    return (
        f"{_head(width, height)}<title>{escape(frames[0].scene.title)}</title><style>{style}</style>"
        f"{element(Rect(0, 0, width, height, palette.PAPER))}{''.join(groups)}</svg>\n"
    )


def _head(width: int, height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="{FONT}">'
    )


def _frame(frame: Frame, wide: int, tall: int, letters: int) -> str:
    board = "".join(map(element, draw_board(frame.scene).shapes))
    left, full = 2 * MARGIN + wide, WIDTH_OF_BARS - 60
    shapes: list[Shape] = []
    for i, (name, share, colour) in enumerate(frame.bars):
        top = MARGIN + i * ROW
        shapes += [line(left, top + 8, name, 13), Rect(left, top + 18, full, 12, "#eef0f4", radius=3)]
        if share > 0:
            shapes.append(Rect(left, top + 18, max(full * share, 1), 12, colour, radius=3))
        shapes.append(line(left + full + 8, top + 24, f"{100 * share:.0f} %", 13))
    for i, words in enumerate(wrap(frame.caption, letters)):
        shapes.append(line(MARGIN, 2 * MARGIN + tall + 18 * i, words, 13))
    return f'<g transform="translate({MARGIN} {MARGIN})">{board}</g>{"".join(map(element, shapes))}'


def element(shape: Shape) -> str:
    """Write one shape as an SVG element."""
    match shape:
        case Rect():
            dash = ' stroke-dasharray="10 6"' if shape.dashed else ""
            corner = f' rx="{shape.radius:.4g}"' if shape.radius else ""
            return (
                f'<rect x="{shape.x:.5g}" y="{shape.y:.5g}" width="{shape.width:.5g}" height="{shape.height:.5g}"'
                f"{corner}{_paint(shape)}{dash}/>"
            )
        case Circle():
            return f'<circle cx="{shape.x:.5g}" cy="{shape.y:.5g}" r="{shape.radius:.4g}"{_paint(shape)}/>'
        case Polygon():
            corners = " ".join(f"{x:.5g},{y:.5g}" for x, y in shape.points)
            return f'<polygon points="{corners}"{_paint(shape)}/>'
        case Label():
            weight = ' font-weight="bold"' if shape.bold else ""
            return (
                f'<text x="{shape.x:.5g}" y="{shape.y:.5g}" font-size="{shape.size:.4g}" fill="{shape.fill}" '
                f'text-anchor="{shape.anchor}" dominant-baseline="central"{weight}>{escape(shape.text)}</text>'
            )


def _paint(shape: Rect | Circle | Polygon) -> str:
    edge = "" if shape.stroke == "none" else f' stroke="{shape.stroke}" stroke-width="{shape.line:.3g}"'
    return f' fill="{shape.fill}"{edge}'
