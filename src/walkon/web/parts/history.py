"""The belief over tasks over time: a line for each task, told apart by dashes and numbers as well as by colour."""

from html import escape

import numpy as np

from walkon.arrays import Floats, Names
from walkon.saying import percent, probability
from walkon.web.parts.bars import colour

WIDTH, HEIGHT = 420.0, 150.0
LEFT, RIGHT, TOP, BOTTOM = 40.0, 30.0, 8.0, 22.0
DASHES = ("", "6 3", "2 2", "8 3 2 3", "10 4", "4 4", "1 3", "12 2 2 2")
APART = 11.0  # the least distance between two numbers at the lines' ends


def history(beliefs: Floats, names: Names, at: int, horizon: int) -> str:
    """The lines up to the end, and a mark at the step that is looked at."""
    T, K = len(beliefs) - 1, int(beliefs.shape[1])
    span = max(T, min(10, horizon), 1)

    def x(t: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * t / span

    def y(p: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - p)

    grid = "".join(
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(p):.1f}" y2="{y(p):.1f}"/>'
        f'<text class="tick" x="{LEFT - 5}" y="{y(p) + 3.5:.1f}" text-anchor="end">{percent(p)}</text>'
        for p in (0, 0.5, 1)
    )
    ticks = "".join(
        f'<text class="tick" x="{x(t):.1f}" y="{HEIGHT - 6}" text-anchor="middle">{t}</text>' for t in _ticks(span)
    )
    mark = f'<line class="mark" x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
    lines = "".join(
        f'<polyline class="task-line" stroke="{colour(k)}" stroke-dasharray="{DASHES[k % len(DASHES)]}" points="'
        + " ".join(f"{x(t):.1f},{y(p):.1f}" for t, p in enumerate(beliefs[:, k].tolist()))
        + '"/>'
        + f'<circle cx="{x(at):.1f}" cy="{y(beliefs[at, k]):.1f}" r="3" fill="{colour(k)}"/>'
        for k in range(K)
    )
    ends = "".join(
        f'<text class="line-end" x="{x(T) + 7:.1f}" y="{height + 3.5:.1f}">{k}</text>'
        for k, height in enumerate(_spread([y(p) for p in beliefs[-1].tolist()]))
    )
    now = ", ".join(f"{name} {probability(p)}" for name, p in zip(names, beliefs[at].tolist(), strict=True))
    label = escape(f"Belief over the tasks from step 0 to {T}; at step {at}: {now}")
    return (
        f'<svg class="history" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{label}">'
        f"{grid}{ticks}{mark}{lines}{ends}</svg>"
    )


def _ticks(span: int) -> range:
    return range(0, span + 1, max(1, round(span / 5)))


def _spread(heights: list[float]) -> list[float]:
    """Heights pushed apart, so that no two numbers lie on each other; in their order, as near as may be."""
    order = np.argsort(heights, kind="stable")
    placed = np.array(heights)[order]
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + APART)
    lowest = HEIGHT - 8
    for i in reversed(range(len(placed))):
        placed[i] = lowest = min(placed[i], lowest)
        lowest -= APART
    result = [0.0] * len(heights)
    for i, k in enumerate(order.tolist()):
        result[k] = float(placed[i])
    return result
