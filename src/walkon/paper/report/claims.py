"""The claims of the paper and their verdicts, as parts of a page."""

from collections import Counter
from collections.abc import Mapping, Sequence

from walkon.html import Markup, element, escape, joined, link, paragraph, table
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper.beyond import UNDRAWN
from walkon.paper.run import FIGURES
from walkon.saying import SIGNS, signed

HOW = (
    "Tests, margins and limits were written down before the first full run. A difference holds if it is significant "
    "at 5 % after Holm's adjustment for all comparisons of its figure; an equivalence holds if its 90 % interval "
    "lies inside the margin (two one-sided tests). A claim that makes several comparisons holds if all of them do, "
    "and fails if one fails. Else it is not decided, and the number of trials is given that would decide it."
)
TALLY = {"holds": "claims hold", "fails": "fail", "not decided": "are not decided", "no data": "have no data"}


def tally(verdicts: Sequence[Verdict]) -> Markup:
    """How many claims hold, fail, and are not decided."""
    counts = Counter(str(verdict.outcome) for verdict in verdicts)
    items = [
        element("li", element("b", f"{SIGNS[outcome]} {counts[outcome]}", class_=_class(outcome)), words)
        for outcome, words in TALLY.items()
        if counts[outcome] or outcome != "no data"
    ]
    return element("ul", *items, class_="tally")


def claims(verdicts: Sequence[Verdict]) -> list[Markup]:
    """All claims, in the order of the figures."""
    numbered = {name: f"{'Figure ' if name[0].isdigit() else ''}{figure.label}" for name, figure in FIGURES.items()}
    return [paragraph(HOW), *verdicts_of(verdicts, numbered)]


def verdicts_of(verdicts: Sequence[Verdict], titles: Mapping[str, str], said: str = "the paper says") -> list[Markup]:
    """The claims about each figure, in the order of the titles; figures that have none are named by themselves."""
    parts = []
    for figure in dict.fromkeys([*titles, *(verdict.claim.figure for verdict in verdicts)]):
        own = [verdict for verdict in verdicts if verdict.claim.figure == figure]
        if own:
            title = link(f"#figure-{figure}", titles[figure]) if figure in titles else UNDRAWN.get(figure, figure)
            rows = [[_claim(each), _mark(each.outcome), _found(each)] for each in own]
            heading = element("h3", title, id=f"claims-{figure}")
            parts.append(joined(heading, table([said, "verdict", "what we found"], rows, "claims"), by="\n"))
    return parts


def readings(rows: Sequence[Row]) -> list[Markup]:
    """The verdicts under other readings of the paper, beside ours."""
    changed = sum(row["changed"] == "yes" for row in rows)
    counted = f"{changed} of {len(rows)} verdicts change" if changed else f"none of the {len(rows)} verdicts changes"
    cells = [
        [
            str(row["reading"]),
            f"{row['figure']}: {row['claim']}",
            _mark(str(row["ours"])),
            _mark(str(row["verdict"])),
            str(row["changed"]),
        ]
        for row in rows
    ]
    return [
        paragraph(
            "Where the paper can be read in another way, the same trials were run again under that reading, and the "
            f"same claims tested: {counted}."
        ),
        table(["read as", "the paper says", "our reading", "this reading", "changed"], cells),
    ]


def _claim(verdict: Verdict) -> Markup:
    claim = verdict.claim
    why = paragraph(claim.reason, "reason") if claim.reason else ""
    return joined(claim.says, why, " ", element("code", claim.id, class_="name", id=f"claim-{claim.id}"))


def _mark(outcome: str) -> Markup:
    return element("span", signed(outcome), class_=f"verdict {_class(outcome)}")


def _found(verdict: Verdict) -> Markup:
    """All findings, with their own outcomes where these differ."""
    mixed = len({finding.outcome for finding in verdict.findings}) > 1
    lines = dict.fromkeys(
        f"{finding.words[:1].upper()}{finding.words[1:]}{f': {finding.outcome}' if mixed else ''}."
        for finding in verdict.findings
    )
    needed = f"About {verdict.trials:,} trials would decide it." if verdict.trials else ""
    return joined(*(paragraph(line, "finding") for line in lines), paragraph(needed, "reason") if needed else "")


def _class(outcome: str) -> str:
    return escape(outcome.replace(" ", "-"))
