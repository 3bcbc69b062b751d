"""The part of a report that goes beyond the paper: what planning for what one does not know is worth."""

import math
from collections.abc import Callable, Sequence
from html import escape

from walkon.figures.rows import number
from walkon.figures.style import in_order, style_of
from walkon.measuring.summaries import Row
from walkon.paper.report.claims import verdicts_of
from walkon.paper.report.contents import Beyond, Drawn
from walkon.paper.report.pieces import grid, paragraph

INTRODUCTION = (
    "ATPO mixes the policies of its tasks and never acts in order to find out which it is. But the whole problem of an "
    "agent that is not told the task is itself one POMDP, whose hidden state is the pair of task and state. Bayes "
    "plans in it. The bounds are proven: no agent that is not told the task can earn more than the upper one on "
    "average, however it works. The other agents are cheaper ways in the same direction."
)
RETURNS = (
    "Mean discounted return with 95 % interval, each trial played until what follows counts for less than 1e-4 of the "
    "first step. Perseus and Value Iteration are told the task, so the bounds are none for them."
)
BEST = "best possible without the task"
WORLDS = {
    "beyond-night": "Night-time Pursuit",
    "beyond-pursuit": "Pursuit",
    "beyond-overcooked": "Overcooked",
    "beyond-large": "6 × 6, ten tasks",
}


def beyond(found: Beyond, figure: Callable[[Drawn], str]) -> list[str]:
    """Tables, figures and claims.

    Args:
        found: What was measured.
        figure: What a figure looks like on the page.
    """
    titles = {plate.figure.name: plate.figure.title for plate in found.plates if plate.pictures}
    plates = "\n".join(figure(plate) for plate in found.plates if plate.pictures)
    return [
        paragraph(INTRODUCTION),
        _scores(found.headline),
        _returns(found.best),
        f'<div class="plates">\n{plates}\n</div>',
        *verdicts_of(found.verdicts, titles, "we expected"),
        *([_plans(found.plans)] if found.plans else []),
    ]


def _scores(rows: Sequence[Row]) -> str:
    """Steps or soups of each agent in each world."""
    worlds = [sweep for sweep in WORLDS if any(row["sweep"] == sweep for row in rows)]
    agents = in_order([str(row["agent"]) for row in rows if row["sweep"] in worlds])
    cells = {(str(row["sweep"]), str(row["agent"])): _score(row) for row in rows if row["x"] is None}
    body = [[_bold(agent), *(cells.get((sweep, agent), "") for sweep in worlds)] for agent in agents]
    return grid(["agent", *(f"{WORLDS[sweep]}, {_unit(sweep)}" for sweep in worlds)], body)


def _unit(sweep: str) -> str:
    return "soups" if sweep == "beyond-overcooked" else "steps"


def _score(row: Row) -> str:
    name = _unit(str(row["sweep"]))
    more = f", {100 * number(row, 'dead_end'):.0f} % dead ends" if name == "soups" else ""
    digits = 2 if name == "soups" else 1
    return escape(_mean(row, name, digits) + more)


def _returns(rows: Sequence[Row]) -> str:
    """What each agent earned in each library, beside the proven bounds."""
    if not rows:
        return ""
    libraries = list(dict.fromkeys(str(row["library"]) for row in rows))
    agents = in_order([str(row["agent"]) for row in rows])
    bounds = {str(row["library"]): f"{_number(row['lower'])} to {_number(row['upper'])}" for row in rows}
    cells = {(str(row["library"]), str(row["agent"])): escape(_mean(row, "return", 2)) for row in rows}
    head = ["library", f"{BEST} (proven)", *(style_of(agent).name for agent in agents)]
    body = [
        [escape(library), f"<b>{escape(bounds[library])}</b>", *(cells.get((library, agent), "") for agent in agents)]
        for library in libraries
    ]
    return grid(head, body) + paragraph(RETURNS, "reason")


def _plans(rows: Sequence[Row]) -> str:
    """What planning took."""
    seconds = [number(row, "seconds") for row in rows]
    return paragraph(
        f"{len(rows)} plans for whole libraries took {sum(seconds):,.0f} seconds of one core, the longest "
        f"{max(seconds):,.0f}. All are stopped by a count of backups or by convergence, never by the clock."
    )


def _bold(agent: str) -> str:
    return f"<b>{escape(style_of(agent).name)}</b>"


def _mean(row: Row, name: str, digits: int) -> str:
    mean, half = number(row, name), number(row, f"{name}_high") - number(row, name)
    return f"{mean:.{digits}f}" + ("" if math.isnan(half) else f" ± {half:.{digits}f}")


def _number(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) and not math.isnan(value) else "?"
