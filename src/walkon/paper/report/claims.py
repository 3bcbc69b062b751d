"""The claims of the paper and their verdicts, as parts of a page."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper.figures import FIGURES
from walkon.paper.report.pieces import grid, link, paragraph

MARKS = {"holds": "✓", "fails": "✗", "not decided": "?", "no data": "–"}
UNDRAWN = {  # what claims are about that has no figure
    "beyond-large": "Ten tasks in a room of 6 × 6",
    "beyond-kitchen": "Overcooked, a thousand trials with each teammate",
}
HOW = (
    "Tests, margins and limits were written down before the first full run. A difference holds if it is significant "
    "at 5 % after Holm's adjustment for all comparisons of its figure; an equivalence holds if its 90 % interval "
    "lies inside the margin (two one-sided tests). A claim that makes several comparisons holds if all of them do, "
    "and fails if one fails. Else it is not decided, and the number of trials is given that would decide it."
)


def tally(verdicts: Sequence[Verdict]) -> str:
    """How many claims hold, fail, and are not decided."""
    counts = count(verdicts)
    said = {"holds": "claims hold", "fails": "fail", "not decided": "are not decided", "no data": "have no data"}
    items = [
        f'<li><b class="{_class(outcome)}">{MARKS[outcome]} {counts[outcome]}</b>{escape(words)}</li>'
        for outcome, words in said.items()
        if counts[outcome] or outcome != "no data"
    ]
    return f'<ul class="tally">{"".join(items)}</ul>'


def count(verdicts: Iterable[Verdict]) -> Counter[str]:
    """The number of verdicts by outcome."""
    return Counter(str(verdict.outcome) for verdict in verdicts)


def counted(counts: Mapping[str, int]) -> str:
    """The same in a few words.

    >>> counted({"holds": 1, "not decided": 2, "fails": 2})
    '1 holds, 2 fail, 2 not decided'
    """
    plural = {"holds": "hold", "fails": "fail"}
    found = [(outcome, counts[outcome]) for outcome in MARKS if counts.get(outcome)]
    return ", ".join(f"{count} {outcome if count == 1 else plural.get(outcome, outcome)}" for outcome, count in found)


def claims(verdicts: Sequence[Verdict]) -> list[str]:
    """All claims, in the order of the figures."""
    titles = {
        name: f"Figure {name}. {figure.title}" if name[0].isdigit() else figure.title
        for name, figure in FIGURES.items()
    }
    return [paragraph(HOW), *verdicts_of(verdicts, titles)]


def verdicts_of(verdicts: Sequence[Verdict], titles: Mapping[str, str], said: str = "the paper says") -> list[str]:
    """The claims about each figure, in the order of the titles; figures that have none are named by themselves."""
    parts = []
    for figure in dict.fromkeys([*titles, *(verdict.claim.figure for verdict in verdicts)]):
        own = [verdict for verdict in verdicts if verdict.claim.figure == figure]
        if own:
            rows = [[_claim(each), _mark(each.outcome), _found(each)] for each in own]
            title = (
                link(f"#figure-{figure}", titles[figure]) if figure in titles else escape(UNDRAWN.get(figure, figure))
            )
            parts.append(
                f'<h3 id="claims-{escape(figure)}">{title}</h3>\n'
                + grid([said, "verdict", "what we found"], rows, "claims")
            )
    return parts


def readings(rows: Sequence[Row]) -> list[str]:
    """The verdicts under other readings of the paper, beside ours."""
    changed = sum(row["changed"] == "yes" for row in rows)
    counted = f"{changed} of {len(rows)} verdicts change" if changed else f"none of the {len(rows)} verdicts changes"
    cells = [
        [
            escape(str(row["reading"])),
            escape(f"{row['figure']}: {row['claim']}"),
            _mark(str(row["ours"])),
            _mark(str(row["verdict"])),
            escape(str(row["changed"])),
        ]
        for row in rows
    ]
    return [
        paragraph(
            "Where the paper can be read in another way, the same trials were run again under that reading, and the "
            f"same claims tested: {counted}."
        ),
        grid(["read as", "the paper says", "our reading", "this reading", "changed"], cells),
    ]


def _claim(verdict: Verdict) -> str:
    why = paragraph(verdict.claim.reason, "reason") if verdict.claim.reason else ""
    name = f'<code class="name" id="claim-{escape(verdict.claim.id)}">{escape(verdict.claim.id)}</code>'
    return f"{escape(verdict.claim.says)}{why} {name}"


def _mark(outcome: str) -> str:
    return f'<span class="verdict {_class(outcome)}">{MARKS[outcome]} {escape(outcome)}</span>'


def _found(verdict: Verdict) -> str:
    """All findings, with their own outcomes where these differ."""
    mixed = len({finding.outcome for finding in verdict.findings}) > 1
    lines = dict.fromkeys(
        f"{finding.words[:1].upper()}{finding.words[1:]}{f': {finding.outcome}' if mixed else ''}."
        for finding in verdict.findings
    )
    needed = paragraph(f"About {verdict.trials:,} trials would decide it.", "reason") if verdict.trials else ""
    return "".join(f'<p class="finding">{escape(line)}</p>' for line in lines) + needed


def _class(outcome: str) -> str:
    return outcome.replace(" ", "-")
