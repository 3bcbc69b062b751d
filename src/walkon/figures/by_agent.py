"""How each agent did: every trial a dot, and the mean with its 95 % interval.

The dots of one outcome are packed into a block above it, all at the same spacing, so that the area of a block is the
share of the trials. Trials in which the task was not solved have a block of their own, and count as the horizon.
"""

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from walkon.arrays import Floats
from walkon.figures.rows import agents_of, horizon_of, number, summary
from walkon.figures.style import FAINT, LINE, POINT, SMALL, sheet, style_of
from walkon.figures.way import Way
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.saying import mean, percent

WIDE = 6.0  # the block of the unsolved trials, and how far its middle lies beyond the horizon
WIDEST = 3.6  # points from dot to dot
NOTE = "a dot for each trial; mean and 95 % interval below them"


class Block(NamedTuple):
    """Trials with one outcome."""

    middle: float  # in units of the axis
    width: float  # in places
    trials: int


def _data(table: Table, measure: str, share: str) -> list[Row]:
    """For each agent the mean of a column, and that of a share."""
    return [
        {"agent": agent, **summary(own[measure]), share: float(own[share].mean())}
        for agent in agents_of(table)
        for own in [table.where(agent=agent)]
    ]


def _draw_steps(table: Table, rows: list[Row]) -> Figure:
    horizon = horizon_of(table) or int(table["steps"].max())
    unsolved = horizon + WIDE
    blocks = []
    for row in rows:
        own = table.where(agent=row["agent"])
        solved = own["solved"] == 1
        blocks.append([*blocks_of(own["steps"][solved], 1.0), Block(unsolved, WIDE, int((~solved).sum()))])
    figure, axes = sheet("Steps until the task is solved", NOTE, left=1.18, right=1.0)
    axes.set_xlim(0, unsolved + WIDE / 2)
    ticks = range(0, horizon + 1, 10)
    axes.set_xticks([*ticks, unsolved], [*map(str, ticks), "not\nsolved"])
    draw_blocks(axes, rows, blocks, [f"{percent(1 - number(row, 'solved'))} not solved" for row in rows], digits=1)
    return figure


def _draw_tally(table: Table, rows: list[Row], title: str) -> Figure:
    blocks = [blocks_of(table.where(agent=row["agent"])["tally"], 0.84) for row in rows]
    within = f" in {horizon} steps" if (horizon := horizon_of(table)) else ""
    figure, axes = sheet(title + within, NOTE, left=1.18, right=1.0)
    most = max(5, int(table["tally"].max()))
    axes.set_xlim(-0.5, most + 0.5)
    axes.set_xticks(range(most + 1))
    draw_blocks(axes, rows, blocks, [f"{percent(number(row, 'dead_end'))} dead ends" for row in rows])
    return figure


STEPS = Way(measure="steps", data=lambda table: _data(table, "steps", "solved"), draw=_draw_steps)


def tally(title: str) -> Way:
    """How much was counted, and how many trials ended in dead ends."""
    return Way(
        measure="tally",
        data=lambda table: _data(table, "tally", "dead_end"),
        draw=lambda table, rows: _draw_tally(table, rows, title),
    )


def blocks_of(values: Floats, width: float) -> list[Block]:
    """The trials of each outcome."""
    return [
        Block(value, width, int(count)) for value, count in zip(*np.unique(values, return_counts=True), strict=True)
    ]


def draw_blocks(
    axes: Axes, rows: list[Row], blocks: list[list[Block]], notes: list[str], *, place: float = 1.0, digits: int = 2
) -> None:
    """Agents from top to bottom, each on a line of its own. A place is what dots are packed into, in units."""
    n = len(rows)
    axes.set_ylim(n - 0.72, -0.85)
    axes.set_yticks([])
    box = axes.get_window_extent()
    across, down = box.width * POINT / axes.figure.dpi, box.height * POINT / axes.figure.dpi
    unit = across / float(np.ptp(axes.get_xlim()))  # points
    wide = unit * place
    line = down / float(np.ptp(axes.get_ylim()))
    clear, room = 5.0, 0.8 * line - 5.0  # the mean stands clear of the dots; what is left for them
    packing = _packing([block for own in blocks for block in own], wide, room)
    for seat, (row, own, note) in enumerate(zip(rows, blocks, notes, strict=True)):
        style = style_of(str(row["agent"]))
        x, y = _pack(own, unit, packing)
        axes.axhline(seat, color=LINE, linewidth=0.6, zorder=1)
        axes.plot(x, seat - (y + clear) / line, "o", color=style.colour, alpha=0.6, ms=0.86 * packing.up, mew=0)
        axes.plot(
            [number(row, "low"), number(row, "high")],
            [seat] * 2,
            color=style.colour,
            linewidth=3,
            solid_capstyle="butt",
        )
        axes.plot(number(row, "mean"), seat, color=style.colour, marker=style.marker, markersize=style.size + 1)
        hero = "bold" if style.width > 2 else "normal"
        write_beside(axes, seat, style.name, 0, (-8, 0), ha="right", color=style.colour, weight=hero)
        write_beside(
            axes,
            seat,
            mean(number(row, "mean"), number(row, "high") - number(row, "mean"), digits),
            1,
            (8, 5),
            color=style.colour,
            weight=hero,
        )
        write_beside(axes, seat, note, 1, (8, -6), color=FAINT, size=SMALL - 0.5)


def write_beside(axes: Axes, place: int, text: str, side: float, away: tuple[float, float], **looks: Any) -> None:
    """Text beside a line: left of the axes (0) or right of them (1), so many points away."""
    axes.annotate(
        text,
        (side, place),
        away,
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="center_baseline",
        annotation_clip=False,
        parse_math=False,
        **looks,
    )


class Packing(NamedTuple):
    """How dots are packed: how many side by side in a place, and how far apart, in points."""

    side_by_side: int
    across: float
    up: float


def _packing(blocks: list[Block], wide: float, room: float) -> Packing:
    """The widest packing at which every block stays within its room; layers may overlap a little."""
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
    """The dots of the blocks: x in units of the axis, y in points from the lowest layer; each layer is centred."""
    xs, ys = [], []
    for block in blocks:
        columns = _columns(block, packing.side_by_side)
        layer, column = np.divmod(np.arange(block.trials), columns)
        in_layer = np.minimum(columns, block.trials - layer * columns)
        xs.append(block.middle + (column - (in_layer - 1) / 2) * packing.across / unit)
        ys.append(layer * packing.up)
    return np.concatenate(xs), np.concatenate(ys)
