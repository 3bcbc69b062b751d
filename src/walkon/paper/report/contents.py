"""What a report shows: the figures as drawn, the verdicts, and what is known about the run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from walkon.figures.files import FORMATS, as_bytes
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict
from walkon.paper.figure import Figure


class Drawn(NamedTuple):
    """A figure, drawn."""

    figure: Figure
    rows: list[Row]
    pictures: dict[str, bytes]  # by format; none if there was nothing to draw
    caption: str  # or how to get it

    @classmethod
    def of(cls, figure: Figure, table: Table) -> "Drawn":
        """A figure in all formats, or how to get it."""
        rows = figure.rows(table)
        if not rows:
            return cls(figure, [], {}, f"`{figure.command}` runs it.")
        drawn = figure.draw(table)
        return cls(figure, rows, {form: as_bytes(drawn, form, figure.name) for form in FORMATS}, figure.caption(table))


@dataclass(frozen=True, kw_only=True)
class Beyond:
    """What goes beyond the paper."""

    plates: Sequence[Drawn]
    verdicts: Sequence[Verdict]
    headline: Sequence[Row]  # what each agent did
    best: Sequence[Row]  # what each earned, beside the proven bounds
    plans: Sequence[Row]  # what planning in the union of all tasks took


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
