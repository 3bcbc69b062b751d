"""Builds HTML from text and data. Text is escaped, unless it is `Markup`."""

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from walkon.saying import value

FEW = 2  # entries that need no folding


class Markup(str):
    """HTML that needs no escaping."""


def escape(text: str) -> Markup:
    """Escape text, unless it is HTML.

    >>> escape("a < b"), escape(Markup("<b>a</b>"))
    ('a &lt; b', '<b>a</b>')
    """
    return text if isinstance(text, Markup) else Markup(html.escape(text))


def joined(*parts: str, by: str = "") -> Markup:
    """Join pieces of HTML."""
    return Markup(by.join(map(escape, parts)))


def element(name: str, *inside: str, **attributes: str) -> Markup:
    """Make an element; empty attributes are left out, and `class_` is its class.

    >>> element("p", "1 < 2", class_="quiet", id="")
    '<p class="quiet">1 &lt; 2</p>'
    """
    given = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value}
    words = "".join(f' {key}="{html.escape(value)}"' for key, value in given.items())
    return Markup(f"<{name}{words}>{joined(*inside)}</{name}>")


def paragraph(text: str, kind: str = "") -> Markup:
    """Make a paragraph."""
    return element("p", text, class_=kind)


def section(anchor: str, title: str, *parts: str) -> Markup:
    """Make a part of the page that can be linked to."""
    return element("section", joined("", element("h2", title), *parts, "", by="\n"), id=anchor)


def link(target: str, text: str, label: str = "") -> Markup:
    """Make a link to a place on the page or a file beside it."""
    return element("a", text, href=target, aria_label=label)


def folded(summary: str, inside: str) -> Markup:
    """Make a part that opens on demand."""
    return element("details", element("summary", summary), inside)


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "", *, label: str = "", named: bool = False
) -> Markup:
    """Make a table, whose rows may be named by their first cells. Cells repeat their heading for narrow screens."""
    top = joined(*(element("th", name, scope="col") for name in head))
    lines = []
    for row in rows:
        cells = [element("td", cell, data_label=name) for name, cell in zip(head, row, strict=True)]
        lines.append(element("tr", *([element("th", row[0], scope="row"), *cells[1:]] if named else cells)))
    body = joined(Markup("<tbody>"), joined(*lines, by="\n"), Markup("</tbody>"), by="\n")
    parts = joined("", element("thead", element("tr", top)), body, "", by="\n")
    return element("table", parts, class_=kind, aria_label=label)


def facts(known: Mapping[str, Any]) -> Markup:
    """Make a list of terms from nested data."""
    terms = ((element("dt", str(name).replace("_", " ")), element("dd", _fact(each))) for name, each in known.items())
    return element("dl", *(joined(*term) for term in terms))


def _fact(known: Any) -> str:
    if isinstance(known, Mapping):
        return facts(known)
    if isinstance(known, list | tuple):
        if known and all(isinstance(each, Mapping) for each in known):
            inside = joined(*map(facts, known))
            return inside if len(known) <= FEW else folded(f"{len(known):,} entries", inside)
        return ", ".join(map(value, known))
    return value(known)
