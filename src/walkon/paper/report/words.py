"""Figures for people who cannot see them: what a figure shows, in sentences made from the numbers behind it."""

from walkon.figures.computing_time import in_words
from walkon.figures.loss_bound import SIDES
from walkon.figures.losses import in_parts as lost
from walkon.figures.over_time import OTHER, TRUE
from walkon.figures.rows import middle, number
from walkon.figures.style import style_of
from walkon.measuring.summaries import Row
from walkon.paper.figures import PaperFigure
from walkon.trials.trial import TIMED

CURVES = {"p_true": TRUE.name, "p_other": OTHER.name.replace("\n", " ")} | {
    side: style.name for side, style in SIDES.items()
}


def described(figure: PaperFigure, rows: list[Row]) -> str:
    """The figure in words: every line by its first point, its last, and some between."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_name(row), []).append(row)
    timed = figure.sweep in TIMED
    parts = []
    for name, own in groups.items():
        if "information" in own[0]:
            parts.append(f"{name}: {lost(own[0])}")
        elif "x" not in own[0]:
            parts.append(f"{name}: {_value(own[0], timed)}")
        else:
            chosen = own if len(own) <= 6 else own[:: max(1, (len(own) - 1) // 5)]
            parts.append(f"{name}: " + ", ".join(f"{_value(row, timed)} at {number(row, 'x'):g}" for row in chosen))
    return f"{figure.title}. " + "; ".join(parts) + "."


def _name(row: Row) -> str:
    curve = str(row.get("curve", ""))
    return CURVES.get(curve) or style_of(str(row["agent"])).name


def _value(row: Row, timed: bool) -> str:
    return in_words(float(f"{middle(row):.2g}")) if timed else f"{middle(row):.3g}"
