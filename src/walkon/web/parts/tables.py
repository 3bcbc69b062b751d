"""The tables of a run as HTML."""

import math
from collections.abc import Sequence
from urllib.parse import urlencode

from walkon.html import Markup, element, folded, joined, link, paragraph, table
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper import TALLY
from walkon.saying import mean, percent, signed
from walkon.web.results import Played


def headline(rows: Sequence[Row]) -> Markup:
    """What each agent did; experiments with many points, whose figures say more, are folded away."""
    few, many = (_means([row for row in rows if (row["x"] is not None) == pointed]) for pointed in (False, True))
    return joined(few, folded("The experiments with many points", many) if few and many else many)


def _wide(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    return element("div", table(head, rows, "table left", caption=caption), class_="wide")


def _means(rows: Sequence[Row]) -> Markup:
    cells = [
        (
            str(row["sweep"]),
            "" if row["x"] is None else f"{row['x']:g}",
            str(row["agent"]),
            str(row["n"]),
            _mean(row, "steps"),
            percent(_number(row, "solved")),
            _mean(row, TALLY),
        )
        for row in rows
    ]
    names = ("experiment", "at", "agent", "trials", "steps", "solved", TALLY)
    return _wide("Mean and the paper's 95 % interval, ± 1.96 s/√n", names, cells) if cells else Markup()


def claims(verdicts: Sequence[Verdict]) -> Markup:
    """What became of the claims."""
    cells = [
        (
            verdict.claim.figure,
            verdict.claim.says,
            element("span", signed(verdict.outcome), class_="verdict"),
            verdict.words,
        )
        for verdict in verdicts
        if verdict.outcome != "no data"
    ]
    left = sum(verdict.outcome == "no data" for verdict in verdicts)
    more = paragraph(f"{left} more have no data yet.", "quiet") if left else ""
    head = ("figure", "what is claimed", "verdict", "measured")
    return joined(_wide("The paper's sentences and ours, tested", head, cells), more)


def trials(played: Sequence[Played]) -> Markup:
    """Finished trials, each with the way to its replay."""
    cells = [
        (
            link(
                f"/trial?{urlencode({'key': each.trial.key})}",
                "▶ replay",
                label=f"Replay {each.trial.agent} in {each.score.task}",
            ),
            each.sweep + ("" if math.isnan(each.x) else f" {each.x:g}"),
            each.trial.agent,
            each.score.task,
            _outcome(each),
        )
        for each in played
    ]
    return _wide("Trials", ("", "experiment", "agent", "task", "outcome"), cells)


def _number(row: Row, name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, float | int) else math.nan


def _mean(row: Row, name: str) -> str:
    value, high = _number(row, name), _number(row, f"{name}_high")
    return mean(value, high - value).replace(" ", "\N{NO-BREAK SPACE}")


def _share(row: Row, name: str) -> str:
    share = row[name]
    return "" if not isinstance(share, float) or math.isnan(share) else percent(share)


def _outcome(each: Played) -> str:
    if each.score.tally is not None:
        return f"{each.score.tally:.0f} {TALLY}"
    return f"solved in {each.score.steps:.0f}" if each.score.solved else "not solved"
