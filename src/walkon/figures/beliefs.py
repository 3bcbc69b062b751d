"""Draws a replayed log: the belief over tasks after each step, one small set of axes for each episode."""

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from walkon.errors import InputError
from walkon.figures.style import FAINT, INK, LETTERS, LINE, LOOKS, SMALL, WIDTH, looks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from walkon.simulation.replay import Replay

COLUMNS, MOST = 3, 30  # sets of axes in a row, and in all
TALL, TOP, GAP, KEY = 1.15, 0.75, 0.5, 0.17  # inches: of axes, above all of them, below each, of a task's name
COLOURS = [look[0] for look in LOOKS.values() if look[0] != INK]


def draw_beliefs(replay: "Replay") -> "Figure":
    """Draw p(task) after each step, one line for each task, and a heavy one for the task that the log names."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    if replay.beliefs is None:
        raise InputError(f"{replay.agent} has no belief over tasks that could be drawn: take another agent")
    names = list(dict.fromkeys(replay.episodes))
    shown = names[:MOST]
    deep = ceil(len(shown) / COLUMNS)
    keys = min(len(replay.task_names), len(COLOURS))
    height = TOP + deep * (TALL + GAP) + keys * KEY
    with looks():
        figure = Figure(figsize=(WIDTH, height), dpi=200)
        figure.text(0.12 / WIDTH, 1 - 0.1 / height, "Belief over tasks", va="top", weight="bold", size=LETTERS + 0.5)
        rest = "" if len(shown) == len(names) else f"; the first {MOST} of {len(names)} episodes"
        note = f"{replay.agent}, after each step; heavy: the task that the log names{rest}"
        figure.text(0.12 / WIDTH, 1 - 0.29 / height, note, va="top", color=FAINT, size=SMALL)
        for k, task in enumerate(replay.task_names[:keys]):
            figure.text(
                0.45 / WIDTH, (0.1 + (keys - 1 - k) * KEY) / height, f"p{k}: {task}", color=COLOURS[k], size=SMALL,
                parse_math=False,
            )  # fmt: skip
        wide = (WIDTH - 0.45 - 0.1) / COLUMNS
        for i, name in enumerate(shown):
            left, row = 0.45 + (i % COLUMNS) * wide, i // COLUMNS
            bottom = height - TOP - (row + 1) * TALL - row * GAP
            axes = figure.add_axes((left / WIDTH, bottom / height, (wide - 0.25) / WIDTH, TALL / height))
            places = np.flatnonzero(np.array(replay.episodes) == name)
            for k in range(len(replay.task_names)):
                heavy = replay.truths[places[0]] == k
                axes.plot(
                    replay.steps[places],
                    replay.beliefs[places, k],
                    color=COLOURS[k % len(COLOURS)],
                    linewidth=2.2 if heavy else 1.0,
                    marker="o" if len(places) == 1 else None,
                    clip_on=False,
                )
            axes.set_title(f"episode {name}", size=SMALL, loc="left", color=INK, parse_math=False)
            axes.set_ylim(0, 1)
            axes.set_yticks([0, 0.5, 1], ["0", ".5", "1"] if i % COLUMNS == 0 else [""] * 3)
            axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
            axes.grid(axis="y", color=LINE)
    return figure
