"""Probabilities as bars: each with its name and its number, so that nothing is told by length or colour alone."""

from collections.abc import Sequence
from html import escape

import numpy as np

from walkon.arrays import Floats, Names
from walkon.saying import probability
from walkon.simulation.moment import Moment

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#8c93a3")  # after Okabe, Ito
MOST_STATES = 8


def bars(label: str, names: Sequence[str], shares: Floats, notes: Sequence[str], colours: Sequence[str]) -> str:
    """A list of bars."""
    rows = "".join(
        f'<li><span class="bar-name">{escape(name)}</span>'
        f'<span class="bar-track" aria-hidden="true"><span class="bar-fill" '
        f'style="width:{100 * share:.1f}%;--fill:{colour}"></span></span>'
        f'<span class="bar-value">{probability(share)}</span><span class="bar-note">{escape(note)}</span></li>'
        for name, share, note, colour in zip(names, shares.tolist(), notes, colours, strict=True)
    )
    return f'<ol class="bars" aria-label="{escape(label)}">{rows}</ol>'


def tasks(moment: Moment, refuted: Sequence[bool]) -> str:
    """The belief over tasks; what the agent knows instead, where it has none."""
    if moment.belief is None:
        return f'<p class="quiet">{escape(moment.knows).capitalize()}.</p>'
    notes = [
        " ".join(filter(None, ("★ is played" if k == moment.truth else "", "ruled out" if out else "")))
        for k, out in enumerate(refuted)
    ]
    names = [f"{k} · {name}" for k, name in enumerate(moment.tasks)]
    return bars("Belief over the tasks", names, moment.belief, notes, [colour(k) for k in range(len(names))])


def actions(moment: Moment) -> str:
    """What the agent will do next, or did."""
    if np.isnan(moment.choices).any():
        return '<p class="quiet">Its probabilities were not recorded.</p>'
    notes = ["then taken" if a == moment.taken else "" for a in range(len(moment.actions))]
    fills = ["var(--accent)"] * len(notes)
    return bars("Probabilities of its next action", moment.actions, moment.choices, notes, fills)


def states(names: Names | None, belief: Floats, truth: int | None) -> str:
    """The most probable states, for a task without a board."""
    order = np.argsort(-belief, kind="stable")[:MOST_STATES]
    shown = [names[x] if names else f"state {x}" for x in order.tolist()]
    notes = ["is true" if x == truth else "" for x in order.tolist()]
    rest = 1 - belief[order].sum()
    more = f'<p class="quiet">{probability(float(rest))} on the other states.</p>' if len(belief) > MOST_STATES else ""
    return bars("Most probable states", shown, belief[order], notes, ["var(--accent)"] * len(shown)) + more


def colour(k: int) -> str:
    """The colour of a task."""
    return COLOURS[k % len(COLOURS)]
