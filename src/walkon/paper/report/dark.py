"""The part of the page about the second paper: scores and differences, findings, times and claims."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from walkon.agents.registry import AGENTS
from walkon.figures.rows import number
from walkon.figures.style import in_order
from walkon.html import Markup, element, folded, paragraph, table
from walkon.measuring.claims import DARK
from walkon.measuring.summaries import Row, claims
from walkon.measuring.verdicts import Verdict
from walkon.paper import against
from walkon.paper.dark import DESCRIBED, EXPECTED, RUN
from walkon.paper.report.claims import how, tally, verdicts_of
from walkon.paper.run import Found
from walkon.saying import listed, mean, seconds

PAPER = (
    "Ribeiro, Martinho, Sardinha and Melo: Making Friends in the Dark: Ad Hoc Teamwork under Partial Observability "
    "(ECAI 2023, arXiv 2310.01439). Eleven worlds, each as its program ran it, which made the published numbers, and "
    "as the text describes it. The score is 100 - s for a task that is solved after s steps, and minus the horizon for "
    "one that is not. Bayes and the relatives of ATPO are ours."
)
SCORES = (
    "Mean score and 95 % interval, ± 1.96 s/√n, with every task played equally often; below it the relative score, 0 "
    "for Random and 100 for Value Iteration. In brackets what the paper gives, from 32 trials with drawn tasks."
)
AGAINST = (
    "Our scores as run against both published samples, tasks weighted as in their trials. {count} comparisons; after "
    "Holm's adjustment over all of them {found}."
)
FINDINGS = (
    "The least number of steps after which an agent's observations can differ between two tasks. Never: no agent can "
    "tell them apart, whatever it does."
)
TARGETS = (
    "The broken task. One target of the paper's sweep over the size of the library, number 24 of the pool, spoils the "
    "curve: its published mean is 9.2, 18 of its 32 trials are unsolved, and its policy took 115 s where others took "
    "409 to 10,985. Here it is {name}, with a mean score of {score}; the other targets lie between {low} and {high}."
)


@dataclass(frozen=True, kw_only=True)
class Dark:
    """What the page shows of the second paper."""

    verdicts: Sequence[Verdict]
    sheets: Mapping[str, list[Row]]  # the tables, by the names of their files

    @classmethod
    def of(cls, found: Found, policies: Sequence[Mapping[str, Any]]) -> "Dark":
        """Make all tables from the results and the facts about the policies."""
        table = found.table
        sheets = {
            "dark-scores": against.scores(table),
            "dark-published": against.differences(table),
            "dark-targets": against.targets(table),
            "dark-findings": against.findings(set(table["sweep"].tolist())),
            "dark-times": against.times(policies, table),
            "dark-claims": claims(found.verdicts),
        }
        return cls(verdicts=found.verdicts, sheets=sheets)

    def shown(self, figures: Markup, titles: Mapping[str, str]) -> list[Markup]:
        """Make the part of the page."""
        theirs = [verdict for verdict in self.verdicts if verdict.claim.figure != EXPECTED]
        ours = [verdict for verdict in self.verdicts if verdict.claim.figure == EXPECTED]
        named = {**titles, "bound": "Proposition 1", EXPECTED: "Beyond the second paper"}
        return [
            paragraph(PAPER),
            tally(theirs),
            *_scores(self.sheets["dark-scores"]),
            *_against(self.sheets["dark-published"]),
            figures,
            *_targets(self.sheets["dark-targets"]),
            *_findings(self.sheets["dark-findings"]),
            *_times(self.sheets["dark-times"]),
            paragraph(how(DARK)),
            *verdicts_of(theirs, named),
            *verdicts_of(ours, named, "we expected"),
        ]


def _scores(rows: Sequence[Row]) -> list[Markup]:
    parts: list[Markup] = []
    for variant, words in ((RUN, "As run"), (DESCRIBED, "As described")):
        own = [row for row in rows if row["variant"] == variant]
        agents = in_order([str(row["agent"]) for row in own])
        body = []
        for world, some in groupby(own, lambda row: str(row["world"])):
            cells = {str(row["agent"]): _cell(row) for row in some}
            body.append([element("b", world), *(cells.get(agent, "") for agent in agents)])
        if body:
            parts += [element("h3", words), table(["world", *map(AGENTS.title, agents)], body)]
    return [*parts, paragraph(SCORES, "reason")] if parts else []


def _cell(row: Row) -> Markup:
    said = mean(number(row, "score"), number(row, "score_high") - number(row, "score"), 1)
    there = not math.isnan(number(row, "published"))
    relative = "" if math.isnan(number(row, "relative")) else f"{number(row, 'relative'):.0f} %"
    if there:
        said += f" ({number(row, 'published'):.1f})"
        relative += (
            "" if math.isnan(number(row, "published_relative")) else f" ({number(row, 'published_relative'):.0f} %)"
        )
    return element("span", said, element("br"), element("small", relative))


def _against(rows: Sequence[Row]) -> list[Markup]:
    if not rows:
        return []
    clear = [row for row in rows if number(row, "p_holm") < 0.05]
    names = [f"{AGENTS.title(str(row['agent']))} in {row['world']} ({row['sample']})" for row in clear]
    found = f"{len(clear)} differ significantly: {listed(names)}" if clear else "none differs significantly"
    body = [
        [str(row["world"]), AGENTS.title(str(row["agent"])), str(row["sample"])]
        + [
            mean(number(row, name), number(row, error))
            for name, error in (("ours", "error"), ("published", "published_error"))
        ]
        + [mean(number(row, "difference"), number(row, "difference_error"), sign="+"), f"{number(row, 'p_holm'):.2g}"]
        for row in rows
    ]
    head = ["world", "agent", "sample", "ours ± error", "published ± error", "difference ± error", "p, Holm"]
    all_of_them = folded("All comparisons", table(head, body))
    return [
        element("h3", "Against the published samples"),
        paragraph(AGAINST.format(count=len(rows), found=found)),
        all_of_them,
    ]


def _targets(rows: Sequence[Row]) -> list[Markup]:
    broken = next((row for row in rows if row["broken"]), None)
    others = [number(row, "score") for row in rows if not row["broken"]]
    if broken is None or not others:
        return []
    score = mean(number(broken, "score"), number(broken, "high") - number(broken, "score"), 1)
    ends = {"low": f"{min(others):.1f}", "high": f"{max(others):.1f}"}
    return [paragraph(TARGETS.format(name=broken["target"], score=score, **ends))]


def _findings(rows: Sequence[Row]) -> list[Markup]:
    body = []
    for world, some in groupby(rows, lambda row: str(row["world"])):
        own = list(some)
        body.append(
            [element("b", world), *(apart([row for row in own if row["variant"] == v]) for v in (RUN, DESCRIBED))]
        )
    head = ["world", "as run", "as described"]
    if not body:
        return []
    return [element("h3", "Which tasks can be told apart"), table(head, body), paragraph(FINDINGS, "reason")]


def apart(rows: Sequence[Row]) -> str:
    """Say in words after how many steps the pairs of tasks can be told apart."""
    never = [f"{row['one']} and {row['other']}" for row in rows if row["steps"] is None]
    steps = sorted({int(str(row["steps"])) for row in rows if row["steps"] is not None})
    after = f"after {listed([str(each) for each in steps])} step{'' if steps == [1] else 's'}" if steps else ""
    if not never:
        return after
    return "never: all tasks are alike" if not steps else f"{after}; never: {listed(never)}"


def _times(rows: Sequence[Row]) -> list[Markup]:
    body = [
        [
            str(row["what"]),
            seconds(number(row, "seconds")),
            seconds(number(row, "most")),
            seconds(number(row, "published")),
        ]
        for row in rows
    ]
    head = ["", "ours, mean", "ours, longest", "published, mean"]
    note = "Seconds by the clock for solving, with whatever else the machine did, and of CPU time for decisions."
    return [element("h3", "Times"), table(head, body), paragraph(note, "reason")] if body else []
