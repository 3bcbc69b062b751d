"""The part of a report that goes beyond the paper: what planning for information is worth."""

import math
from collections.abc import Callable, Sequence

from walkon.agents.registry import AGENTS
from walkon.figures.rows import number
from walkon.figures.style import in_order
from walkon.html import Markup, element, joined, paragraph, table
from walkon.measuring.summaries import Row
from walkon.paper.beyond import WORLDS
from walkon.paper.report.claims import verdicts_of
from walkon.paper.report.contents import Beyond, Drawn
from walkon.saying import mean, percent

INTRODUCTION = (
    "ATPO mixes the policies of its tasks and never acts in order to find out which task it is. But the whole problem "
    "of an agent that is not told the task is itself a POMDP, whose hidden state is the pair of task and state. Bayes "
    "plans in it. The bounds are proven: on average no agent that is not told the task can earn more than the upper "
    "bound. The other agents are cheaper approximations."
)
RETURNS = (
    "Mean discounted return with 95 % interval, each trial played until later rewards count for less than 1e-4 of the "
    "first. Perseus and Value Iteration are told the task, so the bounds do not apply to them."
)
BEST = "best possible without the task"


def beyond(found: Beyond, figure: Callable[[Drawn], Markup]) -> list[Markup]:
    """Show tables, figures (as `figure` renders them) and claims."""
    titles = {plate.figure.name: plate.figure.title for plate in found.plates if plate.pictures}
    plates = [figure(plate) for plate in found.plates if plate.pictures]
    return [
        paragraph(INTRODUCTION),
        _scores(found.headline),
        _returns(found.best),
        element("div", joined("", *plates, "", by="\n"), class_="plates"),
        *verdicts_of(found.verdicts, titles, "we expected"),
        *([_plans(found.plans)] if found.plans else []),
    ]


def _scores(rows: Sequence[Row]) -> Markup:
    """Show the steps or soups of each agent in each world."""
    worlds = [sweep for sweep in WORLDS if any(row["sweep"] == sweep for row in rows)]
    agents = in_order([str(row["agent"]) for row in rows if row["sweep"] in worlds])
    units = {sweep: "soups" if sweep == "beyond-overcooked" else "steps" for sweep in worlds}
    cells = {
        (sweep, str(row["agent"])): _score(row, units[sweep])
        for row in rows
        if row["x"] is None and (sweep := str(row["sweep"])) in units
    }
    body = [
        [element("b", AGENTS.title(agent)), *(cells.get((sweep, agent), "") for sweep in worlds)] for agent in agents
    ]
    return table(["agent", *(f"{WORLDS[sweep]}, {unit}" for sweep, unit in units.items())], body)


def _score(row: Row, unit: str) -> str:
    if unit == "steps":
        return _mean(row, unit, 1)
    return f"{_mean(row, unit, 2)}, {percent(number(row, 'dead_end'))} dead ends"


def _returns(rows: Sequence[Row]) -> Markup:
    """Show the return of each agent in each library beside the proven bounds."""
    if not rows:
        return Markup()
    libraries = list(dict.fromkeys(str(row["library"]) for row in rows))
    agents = in_order([str(row["agent"]) for row in rows])
    bounds = {str(row["library"]): f"{_bound(row['lower'])} to {_bound(row['upper'])}" for row in rows}
    cells = {(str(row["library"]), str(row["agent"])): _mean(row, "return", 2) for row in rows}
    head = ["library", f"{BEST} (proven)", *map(AGENTS.title, agents)]
    body = [
        [library, element("b", bounds[library]), *(cells.get((library, agent), "") for agent in agents)]
        for library in libraries
    ]
    return joined(table(head, body), paragraph(RETURNS, "reason"))


def _plans(rows: Sequence[Row]) -> Markup:
    """Say how long planning took."""
    seconds = [number(row, "seconds") for row in rows]
    return paragraph(
        f"{len(rows)} plans for whole libraries took {sum(seconds):,.0f} seconds of one core, the longest "
        f"{max(seconds):,.0f}. All stopped after a number of backups or when they converged, never by the clock."
    )


def _mean(row: Row, name: str, digits: int) -> str:
    return mean(number(row, name), number(row, f"{name}_high") - number(row, name), digits)


def _bound(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) and not math.isnan(value) else "?"
