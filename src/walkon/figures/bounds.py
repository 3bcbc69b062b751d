"""A solver's bounds on the value of a problem over time."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from walkon.figures.style import FAINT, STYLES, looks, sheet
from walkon.solvers.solution import Progress

SIDES = {"upper": STYLES["bopa"].colour, "lower": STYLES["atpo"].colour}
MARGIN = 0.06  # of the height


def draw(history: Sequence[Progress], name: str) -> Figure:
    """Draw the bounds at the start against the seconds, as steps, and shade the gap between them."""
    with looks():
        figure, axes = sheet(f"Bounds on the value of {name}", "at the start, against the solver's seconds")
        seconds = np.array([now.seconds for now in history])
        known = {side: np.array([getattr(now, side) for now in history], dtype=float) for side in SIDES}
        for side, colour in SIDES.items():
            there = np.isfinite(known[side])
            if there.any():
                axes.step(seconds[there], known[side][there], where="post", color=colour, linewidth=1.6)
                last, place = known[side][there][-1], ("axes fraction", "data")
                axes.annotate(
                    f"{side} {last:.4g}", (1, last), (4, 0), place, "offset points", color=colour, va="center"
                )
        both = np.isfinite(known["lower"]) & np.isfinite(known["upper"])
        lower, upper = known["lower"][both], known["upper"][both]
        axes.fill_between(seconds[both], lower, upper, step="post", color=FAINT, alpha=0.12, linewidth=0)
        axes.set_xlim(0, max(seconds[-1], 1e-3))
        axes.margins(y=MARGIN)
        axes.set_xlabel("seconds")
        axes.grid(axis="y")
    return figure
