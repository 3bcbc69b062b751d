"""Pieces of a page: small functions from text and data to HTML. Whatever is not markup of ours is escaped."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

FEW = 2  # entries that need no folding


def paragraph(text: str, kind: str = "") -> str:
    """Plain text."""
    return f"<p{_kind(kind)}>{escape(text)}</p>"


def section(anchor: str, title: str, *parts: str) -> str:
    """A part of the page that can be linked to."""
    inside = "\n".join(parts)
    return f'<section id="{escape(anchor)}">\n<h2>{escape(title)}</h2>\n{inside}\n</section>'


def link(target: str, text: str) -> str:
    """To a place on the page or a file beside it."""
    return f'<a href="{escape(target)}">{escape(text)}</a>'


def folded(summary: str, inside: str) -> str:
    """Something that opens on demand."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def grid(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table. Its cells are HTML; on a narrow screen each row becomes a card, so cells know their heading."""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "\n".join(
        "<tr>"
        + "".join(f'<td data-label="{escape(name)}">{cell}</td>' for name, cell in zip(head, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table{_kind(kind)}>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def facts(known: Mapping[str, Any]) -> str:
    """Nested data as a list of terms."""
    items = "".join(
        f"<dt>{escape(str(name).replace('_', ' '))}</dt><dd>{_fact(value)}</dd>" for name, value in known.items()
    )
    return f"<dl>{items}</dl>"


def shown(value: object) -> str:
    """A value for people: few digits, no nan.

    >>> shown(0.123456), shown(float("nan")), shown(float("inf")), shown(1296.0), shown(True)
    ('0.1235', '', '∞', '1296', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return (
            ("-" if value < 0 else "") + "∞" if math.isinf(value) else f"{value:.4g}" if value % 1 else f"{value:.0f}"
        )
    return str(value)


def _fact(value: Any) -> str:
    if isinstance(value, Mapping):
        return facts(value)
    if isinstance(value, list | tuple):
        if value and all(isinstance(each, Mapping) for each in value):
            inside = "".join(facts(each) for each in value)
            return inside if len(value) <= FEW else folded(f"{len(value):,} entries", inside)
        return escape(", ".join(map(shown, value)))
    return escape(shown(value))


def _kind(kind: str) -> str:
    return f' class="{escape(kind)}"' if kind else ""
