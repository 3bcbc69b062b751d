"""The finished trials of a run as a list that can be filtered and sorted."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from walkon.html import Markup, element, joined, link
from walkon.saying import percent, value

AT_ONCE = 50  # trials on one page of the list


class Played(NamedTuple):
    """A finished trial, in brief. Numbers that do not apply are NaN."""

    key: str
    place: int  # of its experiment among all
    experiment: str
    at: float  # the point of the experiment
    agent: str
    task: str
    steps: float
    score: float  # the tally; where there is none, whether it was solved
    outcome: str  # the same in words
    belief: float  # in the true task, at the end


ORDERS: Mapping[str, Callable[[Played], Any]] = {  # the columns of the list, and what each is sorted by
    "experiment": lambda each: each.place,
    "at": lambda each: each.at,
    "agent": lambda each: each.agent,
    "task": lambda each: each.task,
    "steps": lambda each: each.steps,
    "outcome": lambda each: each.score,
    "belief": lambda each: each.belief,
}
FILTERS = ("experiment", "agent", "task", "outcome")


@dataclass(frozen=True)
class Wanted:
    """Which trials are wanted, and in which order; empty values want all, in the order of the experiments."""

    experiment: str = ""
    agent: str = ""
    task: str = ""
    outcome: str = ""
    sort: str = ""  # a column; with a minus before it, the largest come first

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Wanted":
        """Read what an address wants. A column that does not exist is no order."""
        found = cls(**{each.name: query[each.name] for each in fields(cls) if each.name in query})
        return found if found.column in ORDERS else replace(found, sort="")

    @property
    def column(self) -> str:
        """The column that the list is sorted by; empty if none."""
        return self.sort.removeprefix("-")

    @property
    def query(self) -> dict[str, str]:
        """The same as parts of an address."""
        return {name: value for name, value in asdict(self).items() if value}

    def by(self, column: str) -> "Wanted":
        """Sort by a column; the other way round if it is sorted by it already, and then not at all."""
        return replace(self, sort={column: f"-{column}", f"-{column}": ""}.get(self.sort, column))


def offers(played: Sequence[Played]) -> dict[str, list[str]]:
    """Return what each filter can be set to."""
    found = {name: dict.fromkeys(getattr(each, name) for each in played) for name in FILTERS}
    return {name: list(values) if name == "experiment" else sorted(values) for name, values in found.items()}


def select_trials(played: Sequence[Played], wanted: Wanted) -> list[Played]:
    """Return the wanted trials in the wanted order; those that lack what they are sorted by come last."""
    asked = [(name, getattr(wanted, name)) for name in FILTERS if getattr(wanted, name)]
    some = [each for each in played if all(getattr(each, name) == wish for name, wish in asked)]
    if not wanted.sort:
        return some
    order = ORDERS[wanted.column]
    known = sorted((each for each in some if not _missing(order(each))), key=order, reverse=wanted.sort.startswith("-"))
    return known + [each for each in some if _missing(order(each))]


def trial_rows(played: Sequence[Played]) -> Markup:
    """Make the rows of the list, each with a link to its replay."""
    return joined(*map(_row, played))


def _row(each: Played) -> Markup:
    replay = link(f"/trial?{urlencode({'key': each.key})}", "▶ replay", label=f"Replay {each.agent} in {each.task}")
    shown = (each.experiment, value(each.at), each.agent, each.task, value(each.steps), each.outcome)
    cells = zip(ORDERS, (*shown, percent(each.belief)), strict=True)
    return element(
        "tr", element("td", replay), *(element("td", text, data_label=name if text else "") for name, text in cells)
    )


def _missing(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
