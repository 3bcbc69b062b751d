"""The world on the page: the board as SVG, or the names of state and observation where a task has no drawing."""

from html import escape

from walkon.pictures import palette
from walkon.pictures.drawing import draw_board, draw_token
from walkon.pictures.scene import Scene
from walkon.pictures.shapes import Drawing
from walkon.pictures.svg import element

THEMED = {palette.LIT: "--lit", palette.DARK: "--unseen", palette.LINE: "--grid"}  # floors follow light and dark


def board(scene: Scene) -> str:
    """The board; in words where there is none."""
    if not scene.columns:
        facts = (note.partition(": ") for note in scene.notes)
        rows = "".join(f"<dt>{escape(what)}</dt><dd>{escape(value)}</dd>" for what, _, value in facts)
        return f'<dl class="facts">{rows}</dl>'
    svg = _inline(draw_board(scene), f'class="board" role="img" aria-label="{escape(said(scene))}"')
    for colour, variable in THEMED.items():
        svg = svg.replace(f'"{colour}"', f'"var({variable})"')
    return svg


def said(scene: Scene) -> str:
    """The board in words."""
    pieces = (
        f"{palette.word(piece.kind)} in column {piece.cell[0]}, row {piece.cell[1]}"
        + (f", holding {piece.holds}" if piece.holds else "")
        for piece in scene.pieces
    )
    tiles = (f"{tile.ground}: {tile.holds}" for tile in scene.tiles if tile.holds)
    return f"{scene.title}: {'; '.join([*pieces, *tiles])}"


def legend(scene: Scene, person: bool) -> str:
    """What the pieces mean."""
    words = {"teammate": "you, the teammate" if person else "teammate", "agent": "the agent"}
    entries = [
        f"<li>{_inline(draw_token(kind), 'aria-hidden=true class=token')}{escape(words.get(kind, kind))}</li>"
        for kind in scene.kinds
    ]
    if scene.observations:
        card = escape(palette.letter(["nothing", *scene.kinds][-1]))
        entries.append(f'<li><span class="card-read" aria-hidden="true">{card}</span>what the agent read there</li>')
    if scene.visible and len(scene.visible) < scene.columns * scene.rows:
        entries.append('<li><span class="floor-unseen" aria-hidden="true"></span>out of its sight</li>')
    return f'<ul class="legend" aria-label="Legend">{"".join(entries)}</ul>'


def _inline(sheet: Drawing, attributes: str) -> str:
    shapes = "".join(map(element, sheet.shapes))
    return f'<svg viewBox="0 0 {sheet.width} {sheet.height}" {attributes}>{shapes}</svg>'
