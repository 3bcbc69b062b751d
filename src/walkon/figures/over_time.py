"""The agents' beliefs over tasks, step by step."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.figures.lines import Line, draw_lines, name_lines
from walkon.figures.rows import Way, along, lines_of, summary
from walkon.figures.style import STYLES, Style, sheet
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table

TRUE = STYLES["atpo"]._replace(name="the true task")
OTHER = Style("each other task\n(their mean)", "#b84a00", "^", (0, (5, 1.8)))
EVERY = 10  # steps from marker to marker


def _along(table: Table, agent: str, curve: str) -> list[Row]:
    """The mean of one of an agent's curves at each step."""
    curves = table.where(agent=agent).curve(curve)
    return [{"agent": agent, "curve": curve, "x": t, **summary(values)} for t, values in enumerate(curves.T)]


def _draw_probability(table: Table, rows: list[Row]) -> Figure:
    """Draw the probability of the true task and that of the others."""
    figure, axes = sheet("ATPO's probability of the tasks", "mean and 95 % interval", right=1.3)
    _draw(axes, [along(rows, TRUE, curve="p_true"), along(rows, OTHER, curve="p_other")])
    return figure


def _draw_entropy(table: Table, rows: list[Row]) -> Figure:
    """Draw how uncertain the agents are."""
    figure, axes = sheet("Entropy of the task belief", "1: uniform, 0: certain; mean and 95 % interval")
    _draw(axes, lines_of(rows))
    return figure


def _draw(axes: Axes, lines: list[Line]) -> None:
    draw_lines(axes, lines, every=EVERY)
    axes.set_xlabel("steps")
    axes.set_ylim(0, 1)
    axes.set_xlim(0, max(1, *(line.x.max(initial=1) for line in lines)))
    axes.grid(axis="y")
    name_lines(axes, lines)


PROBABILITY = Way(
    measure="p_true",
    data=lambda table: _along(table, "atpo", "p_true") + _along(table, "atpo", "p_other"),
    draw=_draw_probability,
    curves={"p_true": TRUE.name, "p_other": OTHER.name.replace("\n", " ")},
)
ENTROPY = Way(
    measure="entropy",
    data=lambda table: _along(table, "atpo", "entropy") + _along(table, "assistant", "entropy"),
    draw=_draw_entropy,
)
