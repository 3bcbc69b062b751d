"""Curves along episodes: the agents' beliefs over tasks, and both sides of Proposition 1.

The sides are ATPO's loss by not knowing the task, and the bounds on it. A right side is infinite from the step at which
the agent rules out the true task. So medians are drawn, which are finite while that happens in fewer than half of the
trials, and a band for the middle 80 % of the trials.

The bound at a rate is about the expected loss, and takes the largest affinity of all recorded steps for that of all
histories. It is drawn only if that is below 1; at 1 it is a proof that no rate exists.
"""

from typing import TYPE_CHECKING

import numpy as np

from walkon.arrays import Floats
from walkon.figures.rows import Line, Way, along, decades, draw_lines, lines_of, name_lines, summary
from walkon.figures.style import INK, STYLES, Style, sheet
from walkon.measuring.summaries import Row
from walkon.measuring.table import NAN, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TRUE = STYLES["atpo"]._replace(name="the true task")
OTHER = Style("each other task\n(their mean)", "#b84a00", "^", (0, (5, 1.8)))
EVERY = 10  # steps from marker to marker
RATE = "bound_rate"
FOOT = 0.1  # where the axis begins, in units of reward: smaller losses are negligible
SIDES = {
    "bound_printed": Style("as printed (no bound)", "#6b7280", "*", (0, (1, 1.5)), 1.2),
    "bound_fixed": Style("bound, η = √(2/T)", "#b84a00", "^", (0, (6, 1.5, 1.2, 1.5))),
    "bound_best": Style("bound, best η", "#b84a00", "v", "-"),
    "bound_fixed_largest": Style("sharper, η = √(2/T)", "#007a59", "s", (0, (5, 1.8))),
    "bound_best_largest": Style("sharper, best η", "#007a59", "D", "-"),
    "bound_distance": Style("w times Σ(1-p(true))", "#7a2fa0", "H", (0, (9, 1.2, 3, 1.2))),
    RATE: Style("at the rate rho seen", "#806600", "X", (0, (2, 2.4))),
    "loss": STYLES["atpo"]._replace(name="lost by ATPO"),
    "loss_of_truth": Style("lost if told the task", INK, "P", (0, (1.2, 1.4)), size=7.5),
}


def _along(table: Table, agent: str, curve: str) -> list[Row]:
    """The mean of one of an agent's curves at each step."""
    curves = table.where(agent=agent).curve(curve)
    return [{"agent": agent, "curve": curve, "x": t, **summary(values)} for t, values in enumerate(curves.T)]


def _draw_beliefs(lines: list[Line], heading: str, note: str, right: float = 1.2) -> "Figure":
    """Draw probabilities or entropies."""
    figure, axes = sheet(heading, note, right=right)
    draw_lines(axes, lines, every=EVERY)
    axes.set_ylim(0, 1)
    _finish(axes, lines, 0, "steps")
    return figure


def _finish(axes: "Axes", lines: list[Line], first: int, label: str) -> None:
    """Let the x axis run from the first step to the last, and name the lines. The y axis must be final."""
    axes.set_xlim(first, max(first + 1, *(line.x.max(initial=first + 1) for line in lines)))
    axes.set_xlabel(label)
    axes.grid(axis="y")
    name_lines(axes, lines)


def _sides(table: Table) -> list[Row]:
    """For each side and step the median over trials, the middle 80 %, and the share that is infinite."""
    rows: list[Row] = []
    for side in SIDES:
        curves = _at_rate(table) if side == RATE else table.curve(side)
        for t, values in enumerate(curves.T, start=1):
            there = np.sort(values[~np.isnan(values)])
            low, median, high = (float(there[round(q * (len(there) - 1))]) for q in (0.1, 0.5, 0.9))
            found: Row = {"curve": side, "x": t, "n": len(there), "median": median, "low": low, "high": high}
            rows.append(found | {"infinite": float(np.isinf(there).mean())})
    return rows


def _rho(table: Table) -> float:
    """The largest affinity at any recorded step; NaN if none was recorded."""
    return float(np.fmax.reduce(table.curve("affinity"), axis=None, initial=NAN))


def _at_rate(table: Table) -> Floats:
    """Each trial's loss of the truth and w sum_t min(1, c rho^t), [n, T]; nothing if there is no rate.

    c = sqrt((K-1) (1-p)/p), p being the prior of the true task, is the sum over the other tasks if their priors are
    equal, and more if they are not.
    """
    rho, told = _rho(table), table.curve("loss_of_truth")
    if not rho < 1:
        return told[:, :0]
    p = table.curve("p_true")[:, :1]
    w = (table.curve("bound_distance") - told)[:, :1] / (1 - p)
    c = np.sqrt((table["tasks"][:, None] - 1) * (1 - p) / p)
    doubts = np.minimum(c * rho ** np.arange(told.shape[1]), 1.0)
    result: Floats = told + w * np.cumsum(doubts, axis=1)
    return result


def _draw_sides(table: Table, rows: list[Row]) -> "Figure":
    """Draw the sides of the bound on a logarithmic scale."""
    heading, note = "Loss summed over the steps, and its bounds", "median and middle 80 % of the trials"
    rho = _rho(table)
    if not np.isnan(rho):
        note += (
            "; the affinity rho reaches 1, so no rate is drawn"
            if rho == 1
            else f"; 1 - rho = {1 - rho:.2g}, as recorded"
        )
    figure, axes = sheet(heading, note, right=1.7)
    axes.set_yscale("log")
    lines = [_shown(along(rows, style, curve=side)) for side, style in SIDES.items()]
    draw_lines(axes, lines, every=EVERY)
    axes.set_ylim(FOOT, 10.0 ** decades(np.concatenate([line.y for line in lines]))[1])
    axes.set_yticks([], minor=True)
    _finish(axes, lines, 1, "steps T")
    return figure


def _shown(line: Line) -> Line:
    """Cut a line to what the axis can show: nothing below its foot, nothing infinite; bands may leave the axes."""
    y = np.where(np.isfinite(line.y), line.y.clip(FOOT), np.nan)
    return line._replace(y=y, low=line.low.clip(FOOT), high=line.high.clip(FOOT, 1e100))


PROBABILITY = Way(
    measure="p_true",
    data=lambda table: _along(table, "atpo", "p_true") + _along(table, "atpo", "p_other"),
    draw=lambda table, rows: _draw_beliefs(
        [along(rows, TRUE, curve="p_true"), along(rows, OTHER, curve="p_other")],
        "ATPO's probability of the tasks",
        "mean and 95 % interval",
        right=1.3,
    ),
    curves={"p_true": TRUE.name, "p_other": OTHER.name.replace("\n", " ")},
)
ENTROPY = Way(
    measure="entropy",
    data=lambda table: _along(table, "atpo", "entropy") + _along(table, "assistant", "entropy"),
    draw=lambda table, rows: _draw_beliefs(
        lines_of(rows), "Entropy of the task belief", "1: uniform, 0: certain; mean and 95 % interval"
    ),
)
BOUND = Way(measure="loss", data=_sides, draw=_draw_sides, curves={side: style.name for side, style in SIDES.items()})
