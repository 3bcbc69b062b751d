"""A way to draw a table of results: the numbers behind the picture as rows, and the picture of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from matplotlib.figure import Figure

from walkon.figures.rows import middle
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table


def _short(row: Row) -> str:
    return f"{middle(row):.3g}"


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way to draw.

    Attributes:
        measure: The column or curve of the table that is drawn; rows that name a curve are of that one.
        data: The numbers of a table as rows, whose `n` counts what each is of.
        draw: The picture of a table and its rows.
        curves: What the curves that rows name are called.
        words: The number of a row in words.
    """

    measure: str
    data: Callable[[Table], list[Row]]
    draw: Callable[[Table, list[Row]], Figure]
    curves: Mapping[str, str] = field(default_factory=dict)
    words: Callable[[Row], str] = _short
