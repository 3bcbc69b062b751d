"""The results of each agent: a dot for each trial, and the mean with its 95 % interval; and the parts of its loss.

The dots of one outcome are packed into a block above it, all at the same spacing, so that the area of a block is the
share of its trials. Trials in which the task was not solved have a block of their own, and count as the horizon.

Losses are in discounted return against Value Iteration, which knows the task and the state. Their parts are:

    state         Value Iteration minus the agent that knows the task: the price of not seeing the state
    task          the agent that knows the task minus the proven upper bound: no agent can win this without the task
    solving       the upper bound minus Bayes: either the price of the task or that of approximate solving
    information   Bayes minus the agent: the price of not planning for information

Where no upper bound is proven, task and solving cannot be told apart, and both count as solving. An upper bound that
lies above the measured return, by chance or because it is loose, proves nothing; that part is then zero.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkon.agents.registry import AGENTS
from walkon.arrays import Floats
from walkon.figures.rows import Line, Way, agents_of, draw_means, horizon_of, number, summary
from walkon.figures.style import FAINT, LINE, OUTSIDE, POINT, SMALL, STYLES, in_order, looks, sheet, style_of
from walkon.measuring.compare import Comparison
from walkon.measuring.statistics import known, mean_interval
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.saying import mean, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 6.0  # the block of the unsolved trials, and how far its middle lies beyond the horizon
WIDEST = 3.6  # points from dot to dot
PLACES = 60  # how many outcomes a comparison tells apart along the axis
NOTE = "a dot for each trial; mean and 95 % interval below them"
PARTS: Mapping[str, tuple[str, str]] = {  # the label and the colour of each part
    "state": ("not seeing the state", STYLES["perseus"].colour),
    "task": ("not knowing the task, proven", STYLES["bopa"].colour),
    "solving": ("the task, or solving", STYLES["assistant"].colour),
    "information": ("not planning for information", STYLES["atpo"].colour),
}
BEST, PLANNING = "value-iteration", "bayes"  # the agents that the others are compared with
FEW = 2.0  # losses below this are shown with two digits
TALL = 0.56  # of a bar, in rows


class Block(NamedTuple):
    """Trials with one outcome."""

    middle: float  # in units of the axis
    width: float  # in places
    trials: int


def _data(table: Table, measure: str, share: str) -> list[Row]:
    """For each agent the mean of a column, and a share of the trials."""
    return [
        {"agent": agent, **summary(own[measure]), share: float(own[share].mean())}
        for agent in agents_of(table)
        for own in [table.where(agent=agent)]
    ]


def _draw_steps(table: Table, rows: list[Row]) -> "Figure":
    horizon = horizon_of(table) or int(table["steps"].max())
    unsolved = horizon + WIDE
    blocks = []
    for row in rows:
        own = table.where(agent=row["agent"])
        solved = own["solved"] == 1
        blocks.append([*_blocks(own["steps"][solved], 1.0), Block(unsolved, WIDE, int((~solved).sum()))])
    figure, axes = sheet("Steps until the task is solved", NOTE, left=1.18, right=1.0)
    axes.set_xlim(0, unsolved + WIDE / 2)
    ticks = range(0, horizon + 1, 10)
    axes.set_xticks([*ticks, unsolved], [*map(str, ticks), "not\nsolved"])
    _draw_blocks(axes, rows, blocks, [f"{percent(1 - number(row, 'solved'))} not solved" for row in rows], digits=1)
    return figure


def _draw_tally(table: Table, rows: list[Row], title: str) -> "Figure":
    blocks = [_blocks(table.where(agent=row["agent"])["tally"], 0.84) for row in rows]
    within = f" in {horizon} steps" if (horizon := horizon_of(table)) else ""
    figure, axes = sheet(title + within, NOTE, left=1.18, right=1.0)
    most = max(5, int(table["tally"].max()))
    axes.set_xlim(-0.5, most + 0.5)
    axes.set_xticks(range(most + 1))
    _draw_blocks(axes, rows, blocks, [f"{percent(number(row, 'dead_end'))} dead ends" for row in rows])
    return figure


def tally(title: str) -> Way:
    """Draw what was counted, and the share of dead ends."""
    return Way(
        measure="tally",
        data=lambda table: _data(table, "tally", "dead_end"),
        draw=lambda table, rows: _draw_tally(table, rows, title),
    )


STEPS = Way(measure="steps", data=lambda table: _data(table, "steps", "solved"), draw=_draw_steps)


def draw_comparison(found: Comparison) -> "Figure":
    """Draw a comparison of agents, with 95 % intervals. Numbers too close to tell apart are drawn at one place."""
    agents = [name for name in in_order(found.numbers) if len(known(found.numbers[name]))]
    numbers = {name: known(found.numbers[name]) for name in agents}
    rows: list[Row] = [{"agent": name, **found.mean(name)._asdict()} for name in agents]
    everything = np.concatenate(list(numbers.values()))
    low, high = float(everything.min()), float(everything.max())
    whole = bool(np.all(everything == np.round(everything)))
    place = max((high - low) / PLACES, 1.0 if whole else 1e-9)
    largest = max(abs(float(numbers[name].mean())) for name in agents)
    digits = 2 if largest < 10 else 1 if largest < 100 else 0
    with looks():
        figure, axes = sheet(found.words.capitalize(), NOTE, left=1.25, right=1.6)
        axes.set_xlim(low - place, high + place)
        blocks = [_blocks(low + place * np.round((numbers[name] - low) / place), 1.0) for name in agents]
        shares = {name: float(found.solved[name].mean()) for name in agents}  # NaN where there is nothing to solve
        ends = [[f"{number(row, side):.{digits}f}" for side in ("low", "high")] for row in rows]
        notes = [
            f"{low} to {high}" + ("" if np.isnan(share) else f", {percent(share)} solved")
            for (low, high), share in zip(ends, shares.values(), strict=True)
        ]
        rows = [row | {"said": f"{number(row, 'mean'):.{digits}f}"} for row in rows]
        _draw_blocks(axes, rows, blocks, notes, place=place, digits=digits)
    return figure


def _blocks(values: Floats, width: float) -> list[Block]:
    """A block for each outcome."""
    outcomes, counts = np.unique(values, return_counts=True)
    return [Block(value, width, int(count)) for value, count in zip(outcomes, counts, strict=True)]


def _draw_blocks(
    axes: "Axes", rows: list[Row], blocks: list[list[Block]], notes: list[str], *, place: float = 1.0, digits: int = 2
) -> None:
    """Draw agents from top to bottom, each on a line of its own; `place` is the width of one outcome, in units."""
    n = len(rows)
    axes.set_ylim(n - 0.72, -0.85)
    axes.set_yticks([])
    box = axes.get_window_extent()
    across, down = box.width * POINT / axes.figure.dpi, box.height * POINT / axes.figure.dpi
    unit = across / float(np.ptp(axes.get_xlim()))  # points
    wide = unit * place
    line = down / float(np.ptp(axes.get_ylim()))
    clear, room = 5.0, 0.8 * line - 5.0  # points between the mean and the dots, and for the dots
    packing = _packing([block for own in blocks for block in own], wide, room)
    for y, (row, own, note) in enumerate(zip(rows, blocks, notes, strict=True)):
        style = style_of(str(row["agent"]))
        colour, weight = style.colour, style.weight
        low, middle, high = (number(row, name) for name in ("low", "mean", "high"))
        dots, heights = _pack(own, unit, packing)
        axes.axhline(y, color=LINE, linewidth=0.6, zorder=1)
        axes.plot(dots, y - (heights + clear) / line, "o", color=colour, alpha=0.6, ms=0.86 * packing.up, mew=0)
        draw_means(axes, Line(style, *(np.array([each]) for each in (middle, y, low, high))), sideways=True)
        _write_beside(axes, y, style.name, 0, (-8, 0), ha="right", color=colour, weight=weight)
        said = str(row.get("said", mean(middle, high - middle, digits)))
        _write_beside(axes, y, said, 1, (8, 5), color=colour, weight=weight)
        _write_beside(axes, y, note, 1, (8, -6), color=FAINT, size=SMALL - 0.5)


def _write_beside(axes: "Axes", place: int, text: str, side: float, away: tuple[float, float], **style: Any) -> None:
    """Write text beside a line, to the left of the axes (side 0) or to the right (side 1), `away` in points."""
    axes.annotate(text, (side, place), away, ("axes fraction", "data"), "offset points", **OUTSIDE, **style)


class Packing(NamedTuple):
    """How dots are packed: how many side by side in a place, and their distances in points."""

    side_by_side: int
    across: float
    up: float


def _packing(blocks: list[Block], wide: float, room: float) -> Packing:
    """The widest packing at which every block fits; layers may overlap a little."""
    for side_by_side in range(1, 1000):
        across = wide / side_by_side
        layers = max(np.ceil(block.trials / _columns(block, side_by_side)) for block in blocks)
        up = float(min(across, room / layers))
        if across <= WIDEST and up >= 0.85 * across:
            break
    return Packing(side_by_side, across, up)


def _columns(block: Block, side_by_side: int) -> int:
    return max(1, int(block.width * side_by_side))


def _pack(blocks: list[Block], unit: float, packing: Packing) -> tuple[Floats, Floats]:
    """Place the dots: x in units of the axis, y in points above the lowest layer; each layer is centred."""
    xs, ys = [], []
    for block in blocks:
        columns = _columns(block, packing.side_by_side)
        layer, column = np.divmod(np.arange(block.trials), columns)
        in_layer = np.minimum(columns, block.trials - layer * columns)
        xs.append(block.middle + (column - (in_layer - 1) / 2) * packing.across / unit)
        ys.append(layer * packing.up)
    return np.concatenate(xs), np.concatenate(ys)


def losses(table: Table) -> list[Row]:
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


def _draw_losses(table: Table, rows: list[Row]) -> "Figure":
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
        look = OUTSIDE | {"color": style.colour, "weight": style.weight}
        words = mean(lost, number(row, "lost_half") or np.nan, 1 if longest > FEW else 2)
        _write_beside(axes, place, style.name, 0, (-8, 0), ha="right", color=style.colour, weight=style.weight)
        axes.annotate(words, (left, place), (5, 0), "data", "offset points", **look)
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


LOSSES = Way(measure="return", data=losses, draw=_draw_losses, words=in_parts)
