"""Agents compared in a library: every trial a dot, and the mean with Student's 95 % interval."""

import numpy as np
from matplotlib.figure import Figure

from walkon.figures.by_agent import NOTE, blocks_of, draw_blocks
from walkon.figures.style import in_order, looks, sheet
from walkon.measuring.compare import Comparison
from walkon.measuring.summaries import Row
from walkon.saying import percent

PLACES = 60  # how finely numbers are told apart along the axis


def draw(found: Comparison) -> Figure:
    """The figure. Numbers that lie closer than it can show stand on one another."""
    agents = in_order(found.numbers)
    numbers = {name: found.numbers[name].ravel() for name in agents}
    rows: list[Row] = [{"agent": name, **found.mean(name)._asdict()} for name in agents]
    everything = np.concatenate(list(numbers.values()))
    low, high = float(everything.min()), float(everything.max())
    whole = bool(np.all(everything == np.round(everything)))
    place = max((high - low) / PLACES, 1.0 if whole else 1e-9)
    largest = max(abs(float(numbers[name].mean())) for name in agents)
    digits = 2 if largest < 10 else 1 if largest < 100 else 0
    with looks():
        figure, axes = sheet(found.words.capitalize(), NOTE, left=1.25, right=1.2)
        axes.set_xlim(low - place, high + place)
        blocks = [blocks_of(low + place * np.round((numbers[name] - low) / place), 1.0) for name in agents]
        notes = [_note(found, name) for name in agents]
        draw_blocks(axes, rows, blocks, notes, place=place, digits=digits)
    return figure


def _note(found: Comparison, name: str) -> str:
    solved = found.solved[name]
    return "" if np.isnan(solved).any() else f"{percent(float(solved.mean()))} solved"
