"""The contents of a report: the figures as drawn, the verdicts, and how the results were made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from walkon.figures.files import FORMATS, as_bytes
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict
from walkon.paper.figure import Figure


class Drawn(NamedTuple):
    """A figure in all formats."""

    figure: Figure
    rows: list[Row]
    pictures: dict[str, bytes]  # by format; empty if it was not run
    caption: str  # or how to run it

    @classmethod
    def of(cls, figure: Figure, table: Table) -> "Drawn":
        """Draw a figure, or say how to run it."""
        rows = figure.rows(table)
        if not rows:
            return cls(figure, [], {}, f"`{figure.command}` runs it.")
        drawn = figure.draw(table)
        return cls(figure, rows, {form: as_bytes(drawn, form, figure.name) for form in FORMATS}, figure.caption(table))


@dataclass(frozen=True, kw_only=True)
class Beyond:
    """The part beyond the paper."""

    plates: Sequence[Drawn]
    verdicts: Sequence[Verdict]
    headline: Sequence[Row]  # the results of each agent
    best: Sequence[Row]  # the return of each, beside the proven bounds
    plans: Sequence[Row]  # the cost of planning in the union of all tasks


@dataclass(frozen=True, kw_only=True)
class Contents:
    """All that a report shows."""

    plates: Sequence[Drawn]
    verdicts: Sequence[Verdict]
    provenance: Mapping[str, Any]
    settings: Mapping[str, Any]
    missing: int
    readings: Sequence[Row]
    trials: int
    sheets: Sequence[str]  # the CSV files, by name
    beyond: Beyond | None = None  # if it was run
