"""The parts of the page in words: claims and verdicts, how the paper was read, how to repeat the run, and its files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from walkon.html import Markup, element, escape, joined, link, paragraph, table
from walkon.measuring.claims import amendment
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict, by_sentence
from walkon.paper.beyond import UNDRAWN
from walkon.paper.run import DECISIONS, FIGURES
from walkon.saying import SIGNS, signed

HOW = (
    "A difference holds if it is significant at 5 %, an equivalence if its 90 % interval lies inside the margin (two "
    "one-sided tests). A claim that makes several comparisons holds if all of them do, and fails if one fails; so only "
    "failures are adjusted, after Holm, for all comparisons of the figure. Otherwise it is not decided, and the number "
    "of trials that would decide it is given, with its range over the interval of what was found. Counted are the "
    "paper's sentences: one that makes several claims holds if all of them do, and fails if one fails. Tests, margins "
    "and limits were fixed before the first full run; an amendment of {date} is marked by the verdict that the test "
    "before it gives. {reason}"
)
TALLY = {"holds": "sentences hold", "fails": "fail", "not decided": "are not decided"}
TALLY |= {"not comparable": "are not comparable", "no data": "have no data"}
SHEETS = {
    "headline": "the results of each agent at each point of each sweep, with both kinds of interval",
    "differences": "every agent against ATPO, paired and unpaired",
    "claims": "the verdict on each claim, with the numbers behind it",
    "claims-timed": "the same for claims about computing time",
    "readings": "the claims under other readings of the paper",
    "timings": "the measured times",
    "beyond-headline": "beyond the paper: the results of each agent at each point of each sweep",
    "beyond-differences": "beyond the paper: every agent against ATPO, paired and unpaired",
    "beyond-claims": "beyond the paper: what was expected, and the verdicts",
    "beyond-best-possible": "the return of each agent in each library, beside the proven bounds without the task",
    "beyond-plans": "the cost of planning in the union of all tasks, and the bounds that it proved",
    "beyond-trials": "beyond the paper: one row for each trial",
    "trials": "one row for each trial",
    "trials-timed": "one row for each trial in which time was measured",
}


def tally(verdicts: Sequence[Verdict]) -> Markup:
    """Count the sentences that hold, fail and are not decided."""
    counts = Counter(map(str, by_sentence(verdicts).values()))
    items = [
        element("li", element("b", f"{SIGNS[outcome]} {counts[outcome]}", class_=_class(outcome)), words)
        for outcome, words in TALLY.items()
        if counts[outcome] or not outcome.startswith("no")
    ]
    return element("ul", *items, class_="tally")


def claims(verdicts: Sequence[Verdict]) -> list[Markup]:
    """List all claims in the order of the figures."""
    numbered = {name: f"{'Figure ' if name[0].isdigit() else ''}{figure.label}" for name, figure in FIGURES.items()}
    date, reason = amendment()
    return [paragraph(HOW.format(date=date, reason=reason)), *verdicts_of(verdicts, numbered)]


def verdicts_of(verdicts: Sequence[Verdict], titles: Mapping[str, str], said: str = "the paper says") -> list[Markup]:
    """List the claims about each figure, in the order of the titles; a figure without a title shows its name."""
    parts = []
    for figure in dict.fromkeys([*titles, *(verdict.claim.figure for verdict in verdicts)]):
        own = [verdict for verdict in verdicts if verdict.claim.figure == figure]
        if own:
            title = link(f"#figure-{figure}", titles[figure]) if figure in titles else UNDRAWN.get(figure, figure)
            rows = [[_claim(each), _verdict(each), _found(each)] for each in own]
            heading = element("h3", title, id=f"claims-{figure}")
            parts.append(joined(heading, table([said, "verdict", "what we found"], rows, "claims"), by="\n"))
    return parts


def readings(rows: Sequence[Row]) -> list[Markup]:
    """List the verdicts under other readings of the paper beside ours."""
    changed = sum(row["changed"] == "yes" for row in rows)
    counted = f"{changed} of {len(rows)} verdicts change" if changed else f"none of the {len(rows)} verdicts changes"
    cells = []
    for row in rows:
        ours, other = _mark(str(row["ours"])), _mark(str(row["verdict"]))
        cells.append([str(row["reading"]), f"{row['figure']}: {row['claim']}", ours, other, str(row["changed"])])
    return [
        paragraph(
            "Where the paper can be read in another way, the same trials were run again under that reading, and the "
            f"same claims tested: {counted}."
        ),
        table(["read as", "the paper says", "our reading", "this reading", "changed"], cells),
    ]


def _claim(verdict: Verdict) -> Markup:
    claim = verdict.claim
    said = " ".join(filter(None, [claim.reason, claim.differs and f"Not comparable: {claim.differs}"]))
    why = paragraph(said, "reason") if said else ""
    return joined(claim.says, why, " ", element("code", claim.id, class_="name", id=f"claim-{claim.id}"))


def _verdict(verdict: Verdict) -> Markup:
    """Mark the outcome, with the one before the amendment if it differs."""
    if verdict.before in (None, verdict.outcome):
        return _mark(verdict.outcome)
    return joined(_mark(verdict.outcome), paragraph(f"before: {signed(verdict.before)}", "reason"))


def _mark(outcome: str) -> Markup:
    return element("span", signed(outcome), class_=f"verdict {_class(outcome)}")


def _found(verdict: Verdict) -> Markup:
    """List all findings, with their outcomes where these differ."""
    mixed = len({finding.outcome for finding in verdict.findings}) > 1
    lines = dict.fromkeys(
        f"{finding.words[:1].upper()}{finding.words[1:]}{f': {finding.outcome}' if mixed else ''}."
        for finding in verdict.findings
    )
    needed = f"{verdict.needed[:1].upper()}{verdict.needed[1:]}." if verdict.needed else ""
    return joined(*(paragraph(line, "finding") for line in lines), paragraph(needed, "reason") if needed else "")


def _class(outcome: str) -> str:
    return escape(outcome.replace(" ", "-"))


def decisions() -> list[Markup]:
    """List the decisions that the numbers depend on."""
    items = []
    for each in DECISIONS:
        links = joined(*(link(f"#figure-{name}", name) for name in each.figures), by=", ")
        items += [element("dt", each.question, id=f"reading-{each.anchor}"), element("dd", f"{each.answer} ", links)]
    return [
        paragraph(
            "These are the decisions that matter most where the paper is silent, ambiguous or wrong. The page "
            '"How we read the paper" of the documentation (docs/reading.md) has all of them with their reasons.'
        ),
        element("dl", *items, class_="decisions"),
    ]


def repeat(settings: Mapping[str, Any]) -> list[Markup]:
    """Show the commands that give the same numbers."""
    words = ["walkon reproduce", f"--trials {settings.get('trials')}", f"--seed {settings.get('seed')}"]
    words += ["--quick"] if settings.get("quick") else []
    solver = (settings.get("recipe") or {}).get("solver", "perseus")
    words += [f"--solver {solver}"] if solver != "perseus" else []
    return [
        paragraph("With the same version of walkon, this command runs everything and writes this page:"),
        element("pre", " ".join(words)),
        paragraph("This one writes only the page, from the results in a folder:"),
        element("pre", "walkon report DIR"),
        paragraph(
            "All random numbers follow from the seed, and no solver is stopped by the clock: any number of processes "
            "or machines gives the same numbers, to the last bit on the same kind of processor. On another kind the "
            "last digits may differ. Times (figure 4) are those of the machine above."
        ),
    ]


def files(sheets: Sequence[str]) -> list[Markup]:
    """List the tables as files."""
    items = []
    for name in sheets:
        text = SHEETS.get(name, f"the numbers behind {name.replace('-', ' ')}")
        items.append(element("li", link(f"tables/{name}.csv", f"{name}.csv"), f": {text}"))
    return [
        paragraph("Tables are in tables/ beside this page, figures in figures/ as PNG, SVG and PDF."),
        element("ul", *items),
    ]
