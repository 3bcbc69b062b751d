"""Figures as PNG, SVG and PDF files, with the same bytes for the same figure, and as SVG inside a page."""

import io
import re
from typing import TYPE_CHECKING

from walkon.figures.style import DARK, looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
NAMELESS = {  # no dates and no versions in the files
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}

_COLOURS = re.compile("|".join(DARK).encode())


def as_bytes(figure: "Figure", form: str, name: str) -> bytes:
    """Return a figure in one of the formats."""
    from matplotlib import style

    held = io.BytesIO()
    with looks(), style.context({"svg.hashsalt": f"walkon {name}"}):
        figure.savefig(held, format=form, metadata=NAMELESS[form])
    return held.getvalue()


def inline(svg: bytes, name: str) -> str:
    """Turn an SVG file into a part of a page: unique ids, colours from the page's style sheet, no addresses."""
    text = svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r'<svg [^>]*viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true">', text, count=1)
    text = re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->|<style.*?</style>", "", text, flags=re.DOTALL)
    text = text.replace("xlink:href", "href")
    text = re.sub(r'id="|href="#|url\(#', lambda found: f"{found.group()}{name}-", text)
    for colour in DARK:
        text = text.replace(colour, f"var(--{colour[1:]})")
    return text


def darkened(svg: bytes) -> bytes:
    """Return an SVG file with the colours of a dark page."""
    return _COLOURS.sub(lambda found: DARK[found.group().decode()].encode(), svg)


def palette() -> str:
    """Return the colours of inline figures as CSS, for light and dark pages."""
    light = "".join(f"--{colour[1:]}:{colour};" for colour in DARK)
    dark = "".join(f"--{colour[1:]}:{other};" for colour, other in DARK.items())
    return f":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
