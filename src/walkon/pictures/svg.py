"""A drawing as SVG, which a browser shows and anyone can read."""

from html import escape

from walkon.pictures.drawing import draw
from walkon.pictures.scene import Scene
from walkon.pictures.shapes import Circle, Label, Polygon, Rect, Shape

FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"


def svg(scene: Scene) -> str:
    """The scene as one SVG element, complete in itself."""
    sheet = draw(scene)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {sheet.height}" '
        f'width="{sheet.width}" height="{sheet.height}" role="img" font-family="{FONT}">',
        f"<title>{escape(sheet.title)}</title>",
        f"<desc>{escape('; '.join(scene.notes))}</desc>",
        *map(element, sheet.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def element(shape: Shape) -> str:
    """One shape."""
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
