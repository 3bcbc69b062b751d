"""An episode as one animated SVG: a board, bars and a caption for each moment, shown in turn.

The animation is a style sheet inside the file, so it moves wherever a browser shows it, also as a plain picture.
"""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

from walkon.pictures import palette
from walkon.pictures.drawing import draw_board
from walkon.pictures.scene import Scene
from walkon.pictures.shapes import Label, Rect, Shape
from walkon.pictures.svg import FONT, element

SECONDS = 0.9  # for each frame
HOLD = 3  # how many times longer the last one stays
MARGIN, ROW = 20, 40
WIDTH_OF_BARS, WIDTH_OF_LETTER = 300, 6.6


class Frame(NamedTuple):
    """One moment of a film."""

    scene: Scene
    bars: tuple[tuple[str, float, str], ...]  # a name, a share and a colour
    caption: str


def film(frames: Sequence[Frame]) -> str:
    """The frames, one after the other, for ever."""
    board = draw_board(frames[0].scene)
    letters = round((board.width + MARGIN + WIDTH_OF_BARS) / WIDTH_OF_LETTER)
    lines = max(len(wrap(frame.caption, letters)) for frame in frames)
    tall = max(board.height, ROW * max(len(frame.bars) for frame in frames))
    width, height = 3 * MARGIN + board.width + WIDTH_OF_BARS, 3 * MARGIN + tall + 18 * lines
    period = SECONDS * (len(frames) - 1 + HOLD)
    groups = []
    for i, frame in enumerate(frames):
        share = 100 * SECONDS * (HOLD if i == len(frames) - 1 else 1) / period
        name = "last" if i == len(frames) - 1 else "each"
        style = f"animation:{name} {period:.2f}s step-end {SECONDS * i:.2f}s infinite"
        groups.append((share, f'<g class="f" style="{style}">{_frame(frame, board.width, tall, letters)}</g>'))
    first, last = groups[0][0], groups[-1][0]
    style = (
        f".f{{visibility:hidden}}@keyframes each{{0%{{visibility:visible}}{first:.4f}%{{visibility:hidden}}}}"
        f"@keyframes last{{0%{{visibility:visible}}{last:.4f}%{{visibility:hidden}}}}"
    )
    sheet = element(Rect(x=0, y=0, width=width, height=height, fill=palette.PAPER))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="{FONT}"><title>{escape(frames[0].scene.title)}</title><style>{style}</style>'
        f"{sheet}{''.join(group for _, group in groups)}</svg>\n"
    )


def _frame(frame: Frame, wide: int, tall: int, letters: int) -> str:
    board = "".join(map(element, draw_board(frame.scene).shapes))
    left = 2 * MARGIN + wide
    shapes: list[Shape] = []
    for i, (name, share, colour) in enumerate(frame.bars):
        top = MARGIN + i * ROW
        full = WIDTH_OF_BARS - 60
        shapes.append(Label(x=left, y=top + 8, text=name, size=13, fill=palette.INK, anchor="start"))
        shapes.append(Rect(x=left, y=top + 18, width=full, height=12, fill="#eef0f4", radius=3))
        if share > 0:
            shapes.append(Rect(x=left, y=top + 18, width=max(full * share, 1), height=12, fill=colour, radius=3))
        percent = f"{100 * share:.0f} %"
        shapes.append(Label(x=left + full + 8, y=top + 24, text=percent, size=13, fill=palette.INK, anchor="start"))
    for i, line in enumerate(wrap(frame.caption, letters)):
        low = 2 * MARGIN + tall + 18 * i
        shapes.append(Label(x=MARGIN, y=low, text=line, size=13, fill=palette.INK, anchor="start"))
    return f'<g transform="translate({MARGIN} {MARGIN})">{board}</g>{"".join(map(element, shapes))}'
