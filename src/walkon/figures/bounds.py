"""The bounds on a problem's value over time: how fast a solver drew them together, or how fast its one bound moved."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from walkon.figures.style import FAINT, STYLES, looks, sheet
from walkon.solvers.solution import Progress

SIDES = {"upper": STYLES["bopa"].colour, "lower": STYLES["atpo"].colour}
MARGIN = 0.06  # of the height


def draw(history: Sequence[Progress], name: str) -> Figure:
    """Both bounds at the start against the seconds, as steps; what lies between them is shaded.

    Args:
        history: What the solver told, in the order of time, the last at its end.
        name: The problem.
    """
    with looks():
        figure, axes = sheet(f"Bounds on the value of {name}", "at the start, against the seconds of the solver")
        seconds = np.array([now.seconds for now in history])
        known = {side: np.array([getattr(now, side) for now in history], dtype=float) for side in SIDES}
        for side, colour in SIDES.items():
            there = np.isfinite(known[side])
            if there.any():
                axes.step(seconds[there], known[side][there], where="post", color=colour, linewidth=1.6)
                last = known[side][there][-1]
                label = f"{side} {last:.4g}"
                axes.annotate(
                    label, (1, last), (4, 0), ("axes fraction", "data"), "offset points", color=colour, va="center"
                )
        both = np.isfinite(known["lower"]) & np.isfinite(known["upper"])
        if both.any():
            axes.fill_between(
                seconds[both],
                known["lower"][both],
                known["upper"][both],
                step="post",
                color=FAINT,
                alpha=0.12,
                linewidth=0,
            )
        axes.set_xlim(0, max(seconds[-1], 1e-3))
        axes.margins(y=MARGIN)
        axes.set_xlabel("seconds")
        axes.grid(axis="y")
    return figure
