"""Where the agent believes things to be: a table of per cent, the likelier the darker."""

from html import escape

from walkon.pictures.scene import Heat

LEAST = 0.005  # less is left blank


def heat(found: Heat) -> str:
    """One map, as a table that a screen reader can walk through."""
    strongest = max(float(found.grid.max()), 1e-12)
    rows = "".join(f"<tr>{''.join(_cell(share, strongest) for share in row)}</tr>" for row in found.grid.tolist())
    return f'<table class="heat heat-{found.kind}"><caption>{escape(found.title)}, in %</caption>{rows}</table>'


def _cell(share: float, strongest: float) -> str:
    if share < LEAST:
        return "<td></td>"
    strength = round(share / strongest, 2)
    dark = ' class="dark"' if strength > 0.6 else ""
    return f'<td{dark} style="--p:{strength}">{100 * share:.0f}</td>'
