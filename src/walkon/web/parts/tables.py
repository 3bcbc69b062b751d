"""The tables of a run as HTML."""

import math
from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper.sweeps import TALLY
from walkon.web.results import Played
from walkon.web.words import percent

SIGNS = {"holds": "✓ holds", "fails": "✗ fails", "not decided": "? not decided", "no data": "no data"}


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table. The cells are HTML already."""
    columns = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table class="table left"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def headline(rows: Sequence[Row]) -> str:
    """What each agent did; experiments with many points, whose figures say more, are folded away."""
    few, many = (_means([row for row in rows if (row["x"] is not None) == pointed]) for pointed in (False, True))
    folded = f"<details><summary>The experiments with many points</summary>{many}</details>"
    return few + (folded if few and many else many)


def _means(rows: Sequence[Row]) -> str:
    cells = [
        (
            escape(str(row["sweep"])),
            "" if row["x"] is None else f"{row['x']:g}",
            escape(str(row["agent"])),
            str(row["n"]),
            _mean(row, "steps"),
            _share(row, "solved"),
            _mean(row, TALLY),
        )
        for row in rows
    ]
    names = ("experiment", "at", "agent", "trials", "steps", "solved", TALLY)
    return table("Mean and the paper's 95 % interval, ± 1.96 s/√n", names, cells) if cells else ""


def claims(verdicts: Sequence[Verdict]) -> str:
    """What became of the paper's claims."""
    cells = [
        (
            escape(verdict.claim.figure),
            escape(verdict.claim.says),
            f'<span class="verdict">{SIGNS.get(verdict.outcome, verdict.outcome)}</span>',
            escape(verdict.words),
        )
        for verdict in verdicts
        if verdict.outcome != "no data"
    ]
    left = sum(verdict.outcome == "no data" for verdict in verdicts)
    more = f'<p class="quiet">{left} more have no data yet.</p>' if left else ""
    return table("The paper's sentences, tested", ("figure", "the paper says", "verdict", "measured"), cells) + more


def trials(played: Sequence[Played]) -> str:
    """Finished trials, each with the way to its replay."""
    cells = [
        (
            f'<a href="/trial?{urlencode({"key": each.trial.key})}" aria-label="Replay {escape(each.trial.agent)} in '
            f'{escape(each.score.task)}">▶ replay</a>',
            escape(each.sweep) + ("" if math.isnan(each.x) else f" {each.x:g}"),
            escape(each.trial.agent),
            escape(each.score.task),
            _outcome(each),
        )
        for each in played
    ]
    return table("Trials", ("", "experiment", "agent", "task", "outcome"), cells)


def _mean(row: Row, name: str) -> str:
    mean, low, high = (row.get(key) for key in (name, f"{name}_low", f"{name}_high"))
    if not isinstance(mean, float) or math.isnan(mean):
        return ""
    half = (
        f"\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{(high - low) / 2:.2f}"
        if isinstance(high, float) and isinstance(low, float)
        else ""
    )
    return f"{mean:.2f}{half}"


def _share(row: Row, name: str) -> str:
    share = row[name]
    return "" if not isinstance(share, float) or math.isnan(share) else percent(share)


def _outcome(each: Played) -> str:
    if each.score.tally is not None:
        return f"{each.score.tally:.0f} {TALLY}"
    return f"solved in {each.score.steps:.0f}" if each.score.solved else "not solved"
