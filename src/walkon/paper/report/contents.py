"""What a report shows: the figures as drawn, the verdicts, and what is known about the run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper.figures import PaperFigure


class Drawn(NamedTuple):
    """A figure, drawn."""

    figure: PaperFigure
    rows: list[Row]
    pictures: dict[str, bytes]  # by format; none if there was nothing to draw
    inline: str  # as part of a page
    words: str  # for people who cannot see it
    caption: str  # or how to get it


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

    def plate(self, name: str) -> Drawn | None:
        """A figure that was drawn, by its name."""
        return next((each for each in self.plates if each.figure.name == name and each.pictures), None)
