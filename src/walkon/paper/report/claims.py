"""The parts of the page in words: claims and verdicts, how the paper was read, how to repeat the run, and its files."""

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import Any

from walkon.html import Markup, element, escape, folded, joined, link, paragraph, table
from walkon.measuring.claims import PAPER as CLAIMS
from walkon.measuring.claims import amendment
from walkon.measuring.verdicts import Verdict, count_sentences
from walkon.paper import FITTED
from walkon.paper.parts import UNDRAWN
from walkon.paper.readings import Reading, tests_of_fitted
from walkon.paper.readings import readings as all_readings
from walkon.paper.run import DECISIONS, FIGURES
from walkon.saying import SIGNS, listed, signed

HOW = (
    "A difference holds if it is significant at 5 %, an equivalence if its 90 % interval lies inside the margin (two "
    "one-sided tests). A claim that makes several comparisons holds if all of them do, and fails if one fails; so only "
    "failures are adjusted, after Holm, for all comparisons of the figure. Otherwise it is not decided, and the number "
    "of trials that would decide it is given, with its range over the interval of what was found. Counted are the "
    "paper's sentences: one that makes several claims holds if all of them do, and fails if one fails. Tests, margins "
    "and limits were fixed before the first full run"
)
WHY = (
    "Where the paper can be read in more than one way, the same trials were run under each reading, and every claim "
    "that it touches was tested again. Literal is the reading closest to the printed text. Fitted is one joint "
    "reading of all three worlds that was chosen because it fits what the paper says about figures 2, 3, 5b and 6b: "
    "claims about these cannot confirm it, only those about 5a and 6a test it. A claim that fails under every reading "
    "is a finding about the paper."
)
TALLY = {"holds": "sentences hold", "fails": "fail", "not decided": "are not decided"}
TALLY |= {"not comparable": "are not comparable", "no data": "have no data"}
SHEETS = {
    "headline": "the results of each agent at each point of each sweep, with both kinds of interval",
    "differences": "every agent against ATPO, paired and unpaired",
    "claims": "the verdict on each claim, with the numbers behind it",
    "claims-timed": "the same for claims about computing time",
    "readings": "the claims under other readings of the paper",
    "fitted-headline": "the fitted reading: the results of each agent at each point of each sweep",
    "fitted-differences": "the fitted reading: every agent against ATPO, paired and unpaired",
    "fitted-claims": "the fitted reading: the verdict on each claim, with the numbers behind it",
    "fitted-trials": "the fitted reading: one row for each trial",
    "timings": "the measured times",
    "beyond-headline": "beyond the paper: the results of each agent at each point of each sweep",
    "beyond-differences": "beyond the paper: every agent against ATPO, paired and unpaired",
    "beyond-claims": "beyond the paper: what was expected, and the verdicts",
    "beyond-best-possible": "the return of each agent in each library, beside the proven bounds without the task",
    "beyond-plans": "the cost of planning in the union of all tasks, and the bounds that it proved",
    "beyond-trials": "beyond the paper: one row for each trial",
    "dark-scores": "the second paper: score, return and relative score of each agent in each world, and as published",
    "dark-published": "the second paper: our scores against the published samples, with both errors",
    "dark-targets": "the second paper: ATPO's score for each target of the sweep over libraries",
    "dark-findings": "the second paper: after how many steps each pair of tasks can be told apart; empty if never",
    "dark-times": "the second paper: times beside the published ones",
    "dark-claims": "the second paper: the verdict on each claim, with the numbers behind it",
    "dark-trials": "the second paper: one row for each trial",
    "trials": "one row for each trial",
    "trials-timed": "one row for each trial in which time was measured",
}


def how(source: Traversable) -> str:
    """Say how the claims of a file are judged."""
    date, reason = amendment(source)
    return f"{HOW}; an amendment of {date} is marked by the verdict before it. {reason}" if date else f"{HOW}."


def readings_of() -> dict[str, Reading]:
    """The readings by name."""
    return {reading.name: reading for reading in all_readings()}


def tally(verdicts: Sequence[Verdict]) -> Markup:
    """Count the sentences that hold, fail and are not decided."""
    counts = count_sentences(verdicts)
    items = [
        element("li", element("b", f"{SIGNS[outcome]} {counts[outcome]}", class_=_class(outcome)), words)
        for outcome, words in TALLY.items()
        if counts[outcome] or not outcome.startswith("no")
    ]
    return element("ul", *items, class_="tally")


def tallies(verdicts: Sequence[Verdict], fitted: Sequence[Verdict]) -> list[Markup]:
    """Count the claims under the literal reading; under the fitted one, only those it was not chosen by."""
    if not fitted:
        return [tally(verdicts)]
    tested = tests_of_fitted(fitted)
    names = listed(sorted({verdict.claim.figure for verdict in tested}))
    return [
        paragraph("Literal reading:"),
        tally(verdicts),
        paragraph(f"Fitted reading, only the claims about {names}: the others were used to choose it."),
        tally(tested),
    ]


def claims(verdicts: Sequence[Verdict], fitted: Sequence[Verdict] = ()) -> list[Markup]:
    """List all claims in the order of the figures."""
    numbered = {name: f"{'Figure ' if name[0].isdigit() else ''}{figure.label}" for name, figure in FIGURES.items()}
    return [paragraph(how(CLAIMS)), *verdicts_of(verdicts, numbered, fitted=fitted)]


def verdicts_of(
    verdicts: Sequence[Verdict],
    titles: Mapping[str, str],
    said: str = "the paper says",
    fitted: Sequence[Verdict] = (),
) -> list[Markup]:
    """List the claims about each figure, in the order of the titles; a figure without a title shows its name."""
    again, used = {verdict.claim.id: verdict for verdict in fitted}, readings_of()[FITTED].chosen_by
    head = [said, *(["literal", "fitted"] if fitted else ["verdict"]), "what we found"]

    def row(verdict: Verdict) -> list[Markup]:
        if not fitted:
            return [_claim(verdict), _verdict(verdict), _found(verdict)]
        other = again.get(verdict.claim.id)
        if other is None:
            return [_claim(verdict), _verdict(verdict), Markup(), _found(verdict)]
        note = paragraph("used to choose the reading", "reason") if verdict.claim.figure in used else ""
        below = folded("Under the fitted reading", _found(other))
        return [
            _claim(verdict),
            _verdict(verdict),
            joined(_verdict(other), note),
            joined(_found(verdict), below),
        ]

    parts = []
    for figure in dict.fromkeys([*titles, *(verdict.claim.figure for verdict in verdicts)]):
        own = [verdict for verdict in verdicts if verdict.claim.figure == figure]
        if own:
            title = link(f"#figure-{figure}", titles[figure]) if figure in titles else UNDRAWN.get(figure, figure)
            heading = element("h3", title, id=f"claims-{figure}")
            parts.append(joined(heading, table(head, map(row, own), "claims both" if fitted else "claims"), by="\n"))
    return parts


def readings(literal: Sequence[Verdict], under: Mapping[str, Sequence[Verdict]]) -> list[Markup]:
    """Show the verdict on every claim under every reading that touches it, and what each reading changes."""
    if not under:
        return []
    names = [name for name in readings_of() if name in under]
    found = {name: {verdict.claim.id: verdict for verdict in under[name]} for name in names}
    rows = [
        [joined(element("b", verdict.claim.figure), f" {verdict.claim.says}"), _mark(verdict.outcome, short=True)]
        + [_cell(found[name].get(verdict.claim.id)) for name in names]
        for verdict in literal
        if any(verdict.claim.id in found[name] for name in names)
    ]
    shown = dict.fromkeys(each for name in names for each in (name, *readings_of()[name].parts))
    told = [joined(*_told(readings_of()[name])) for name in shown]
    return [
        paragraph(WHY),
        table(["the paper says", "literal", *names], rows, "readings"),
        folded("What each reading changes, and the evidence for and against it", element("dl", *told)),
        paragraph("Point at a sign for the numbers behind it; readings.csv has all of them.", "reason"),
    ]


def _cell(verdict: Verdict | None) -> Markup:
    return Markup() if verdict is None else _mark(verdict.outcome, short=True, title=verdict.words)


def _told(reading: Reading) -> list[Markup]:
    lines = {"For it": reading.pro, "Against it": reading.con, "How sure we are": reading.sure}
    parts = [paragraph(reading.title), *(paragraph(f"{label}: {text}") for label, text in lines.items() if text)]
    return [element("dt", reading.name, id=f"under-{reading.name}"), element("dd", *parts)]


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


def _mark(outcome: str, *, short: bool = False, title: str = "") -> Markup:
    shown = SIGNS[outcome] if short else signed(outcome)
    more = {"title": f"{outcome}. {title}".strip(), "aria_label": outcome} if short else {}
    return element("span", shown, class_=f"verdict {_class(outcome)}", **more)


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
