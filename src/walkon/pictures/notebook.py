"""Pictures and tables for notebooks: HTML that is complete in itself."""

from base64 import b64encode
from collections.abc import Mapping, Sequence

from walkon.html import Markup, element, facts, folded, joined, table

MOST_ROWS = 200


def image(svg: str, title: str) -> Markup:
    """Put an SVG into an image, so that its style sheet cannot touch the rest of the notebook."""
    return element("img", src=f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}", alt=title)


def card(title: str, known: Mapping[str, object], *parts: str) -> Markup:
    """Put a title and some facts above other parts."""
    return element("div", element("p", element("strong", title)), facts(known), *parts)


def rows(summary: str, each: Sequence[Mapping[str, object]]) -> Markup:
    """Make a table of records that opens on demand; the last ones are left out if there are too many."""
    lines = [[str(value) for value in record.values()] for record in each[:MOST_ROWS]]
    left = [f"... and {len(each) - MOST_ROWS:,} more"] if len(each) > MOST_ROWS else []
    return folded(summary, joined(table(list(each[0]), lines) if each else "", *left))
