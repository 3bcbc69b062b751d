"""The back of a report: how the paper was read, how to repeat the run, and the files beside the page."""

from walkon.html import Markup, element, joined, link, paragraph
from walkon.paper.report.contents import Contents
from walkon.paper.run import DECISIONS

SHEETS = {
    "headline": "what each agent did at each point of each sweep, with both kinds of interval",
    "differences": "every agent against ATPO, paired and unpaired",
    "claims": "the verdict on each claim, with the numbers it hangs on",
    "claims-timed": "the same for claims about computing time",
    "readings": "the claims under other readings of the paper",
    "timings": "what was timed",
    "beyond-headline": "beyond the paper: what each agent did at each point of each sweep",
    "beyond-differences": "beyond the paper: every agent against ATPO, paired and unpaired",
    "beyond-claims": "beyond the paper: what was expected, and what came of it",
    "beyond-best-possible": "what each agent earned in each library, beside the proven bounds without the task",
    "beyond-plans": "what planning in the union of all tasks took, and what it proved",
    "beyond-trials": "beyond the paper: one row for each trial",
    "trials": "one row for each trial",
    "trials-timed": "one row for each trial in which time was measured",
}


def decisions() -> list[Markup]:
    """The decisions that the numbers hang on."""
    items = []
    for each in DECISIONS:
        links = joined(*(link(f"#figure-{name}", name) for name in each.figures), by=", ")
        items += [
            element("dt", each.question, id=f"reading-{each.anchor}"),
            element("dd", f"{each.answer} ", links),
        ]
    return [
        paragraph(
            "Where the paper is silent, ambiguous or wrong, somebody has to decide. These decisions matter most; the "
            "page "
            '"How we read the paper" of the documentation (docs/reading.md) has all of them with their reasons.'
        ),
        element("dl", *items, class_="decisions"),
    ]


def repeat(contents: Contents) -> list[Markup]:
    """The commands that give the same numbers."""
    settings = contents.settings
    words = ["walkon reproduce", f"--trials {settings.get('trials')}", f"--seed {settings.get('seed')}"]
    words += ["--quick"] if settings.get("quick") else []
    solver = (settings.get("recipe") or {}).get("solver", "perseus")
    words += [f"--solver {solver}"] if solver != "perseus" else []
    return [
        paragraph("With the same version of walkon, one command runs everything and writes this page:"),
        element("pre", " ".join(words)),
        paragraph("This page alone, from the results that are in a folder, without running anything:"),
        element("pre", "walkon report DIR"),
        paragraph(
            "All chance follows from the seed, and no solver is stopped by the clock: any number of processes or "
            "machines gives the same numbers, on one kind of processor to the last bit. On another kind last digits "
            "may differ. Times (figure 4) are those of the machine above."
        ),
    ]


def files(contents: Contents) -> list[Markup]:
    """The tables as files."""
    items = []
    for name in contents.sheets:
        text = SHEETS.get(name, f"the numbers behind {name.replace('-', ' ')}")
        items.append(element("li", link(f"tables/{name}.csv", f"{name}.csv"), f": {text}"))
    return [
        paragraph("Tables are in tables/ beside this page, figures in figures/ as PNG, SVG and PDF."),
        element("ul", *items),
    ]
