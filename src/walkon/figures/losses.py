"""The parts of each agent's loss, in discounted return against Value Iteration, which knows the task and the state.

    state         Value Iteration minus the agent that knows the task: the price of not seeing the state
    task          the agent that knows the task minus the proven upper bound: no agent can win this without the task
    solving       the upper bound minus Bayes: either the price of the task or that of approximate solving
    information   Bayes minus the agent: the price of not planning for information

Where no upper bound is proven, task and solving cannot be told apart, and both count as solving. An upper bound that
lies above the measured return, by chance or because it is loose, proves nothing; that part is then zero.
"""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from walkon.agents.registry import AGENTS
from walkon.figures.by_agent import write_beside
from walkon.figures.rows import Way, agents_of, number, summary
from walkon.figures.style import FAINT, SMALL, STYLES, sheet, style_of
from walkon.measuring.statistics import mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.saying import mean

PARTS: Mapping[str, tuple[str, str]] = {  # the label and the colour of each part
    "state": ("not seeing the state", STYLES["perseus"].colour),
    "task": ("not knowing the task, proven", STYLES["bopa"].colour),
    "solving": ("the task, or solving", STYLES["assistant"].colour),
    "information": ("not planning for information", STYLES["atpo"].colour),
}
BEST, PLANNING = "value-iteration", "bayes"  # the agents that the others are compared with
FEW = 2.0  # losses below this are shown with two digits
TALL = 0.56  # of a bar, in rows


def data(table: Table) -> list[Row]:
    """For each agent its return, and the parts of its loss."""
    agents = agents_of(table)
    means = {agent: float(table.where(agent=agent)["return"].mean()) for agent in agents}
    if BEST not in means or PLANNING not in means:
        return []
    best, bayes = means[BEST], means[PLANNING]
    told = means.get("perseus", best)
    bounds = table.where(agent=PLANNING)["upper"]
    upper = float(bounds.mean())  # of the mean return: each library counts by its trials
    reachable = told if np.isnan(upper) else max(min(upper, told), bayes)
    rows = []
    for agent in agents:
        parts = {"state": best - told, "task": told - reachable, "solving": reachable - bayes}
        needs = AGENTS[agent].needs
        if needs.informed:
            parts = {"state": best - means[agent], "task": 0.0, "solving": 0.0}
        parts["information"] = 0.0 if needs.informed or needs.scope == "all at once" else bayes - means[agent]
        own = table.where(agent=agent)
        rows.append({"agent": agent, **summary(own["return"]), **parts, "upper": upper, "lost_half": _half(table, own)})
    return rows


def _half(table: Table, own: Table) -> float:
    """Half the width of the interval of an agent's loss, paired trial by trial with Value Iteration."""
    best = table.where(agent=BEST)
    there = dict(zip(best["pair"].tolist(), best["return"].tolist(), strict=True))
    pairs = zip(own["pair"].tolist(), own["return"].tolist(), strict=True)
    lost = mean_interval([there[pair] - earned for pair, earned in pairs if pair in there])
    return lost.high - lost.mean


def _draw(table: Table, rows: list[Row]) -> Figure:
    """Draw a bar for each agent, divided into the parts of its loss."""
    shown = sorted(rows, key=lambda row: -number(row, "mean"))
    best = next(number(row, "mean") for row in rows if row["agent"] == BEST)
    note = f"discounted return below the {best:.1f} of Value Iteration; paired 95 % interval"
    figure, axes = sheet("Where the loss comes from", note, left=1.18, right=1.0, bottom=0.78)
    axes.set_ylim(len(shown) - 0.5, -0.6)
    axes.set_yticks([])
    longest = max(best - number(row, "mean") for row in shown)
    for place, row in enumerate(shown):
        style, lost, left = style_of(str(row["agent"])), best - number(row, "mean"), 0.0
        for part, (_, colour) in PARTS.items():
            width = max(min(number(row, part), lost - left), 0.0)  # a better agent lacks the last parts
            axes.barh(place, width, TALL, left, color=colour, linewidth=0)
            left += width
        hero = "bold" if style.width > 2 else "normal"
        write_beside(axes, place, style.name, 0, (-8, 0), ha="right", color=style.colour, weight=hero)
        axes.annotate(
            mean(lost, number(row, "lost_half") or np.nan, 1 if longest > FEW else 2), (left, place), (5, 0),
            "data", "offset points", va="center_baseline", color=style.colour, weight=hero, annotation_clip=False,
        )  # fmt: skip
    axes.set_xlim(0, longest if longest > 0 else 1.0)
    for i, (name, colour) in enumerate(PARTS.values()):  # the colours are explained below the axes, in two lines
        x, y = 0.03 + 0.47 * (i % 2), 0.085 - 0.06 * (i // 2)
        figure.text(x, y, "■", color=colour, size=SMALL + 1)
        figure.text(x + 0.03, y, name, color=FAINT, size=SMALL)
    return figure


def in_parts(row: Row) -> str:
    """Write an agent's return and the parts of its loss in words."""
    parts = [f"{number(row, part):.1f} by {name}" for part, (name, _) in PARTS.items() if number(row, part) > 0.05]
    return f"earns {number(row, 'mean'):.1f}" + (", loses " + ", ".join(parts) if parts else "")


LOSSES = Way(measure="return", data=data, draw=_draw, words=in_parts)
