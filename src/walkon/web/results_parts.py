"""The HTML of a part of a run: its results by agent, its claims with their verdicts, and its figures."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from walkon.agents.registry import AGENTS
from walkon.html import Markup, element, folded, joined, link, paragraph, table
from walkon.measuring.summaries import Row
from walkon.measuring.verdicts import Verdict
from walkon.paper.parts import UNDRAWN, Part
from walkon.paper.readings import readings
from walkon.paper.report.claims import how, tally, verdicts_of
from walkon.paper.report.write import TIMED_SWEEPS
from walkon.saying import SIGNS, counted, listed, mean, percent, value

SECTIONS = {"results": "Results by agent", "figures": "Figures", "claims": "Claims", "trials": "Trials"}
MOST_TABLES = 16  # beside each other; of more, those with the same words at the end of their titles are folded
FEW = 3  # readings beside the first that need no folding
INTERVALS = "Mean and the paper's 95 % interval, ± 1.96 s/√n; a trial that is not solved counts as the horizon."


class Plate(NamedTuple):
    """A figure, without the picture."""

    name: str  # of its file
    anchor: str
    label: str
    caption: str
    words: str  # for those who cannot see it


def results_tables(rows: Sequence[Row], titles: Mapping[str, str], tally: str) -> Markup:
    """Tabulate the mean of each agent; of experiments with several points, one folded table of agents by points."""
    parts: dict[str, list[Markup]] = {}  # by the end of their titles
    folds = []
    for sweep in dict.fromkeys(str(row["sweep"]) for row in rows if row["sweep"] not in TIMED_SWEEPS):
        own, title = [row for row in rows if row["sweep"] == sweep], titles.get(sweep, sweep)
        if all(row["x"] is None for row in own):
            head = ("agent", "trials", tally) if _counts(own[0], tally) else ("agent", "trials", "steps", "solved")
            cells = [
                (_agent(row), str(row["n"]), _mean(row, tally), percent(_number(row, "solved")))[: len(head)]
                for row in own
            ]
            made = element("div", element("h3", title), _wide(table(head, cells, "table", label=title, named=True)))
            parts.setdefault(title.partition(" · ")[2], []).append(made)
        else:
            folds.append(folded(title, _by_point(own, title, tally)))
    if not parts and not folds:
        return paragraph("No trial is finished yet.", "quiet")
    every = [each for found in parts.values() for each in found]
    open_ = parts.pop("", []) if len(every) > MOST_TABLES else every
    if len(every) > MOST_TABLES:
        folds = [*(folded(end[0].upper() + end[1:], _beside(found)) for end, found in parts.items()), *folds]
    return joined(paragraph(INTERVALS, "quiet"), _beside(open_), *folds)


def _beside(tables: Sequence[Markup]) -> Markup:
    return element("div", *tables, class_="side-by-side")


def _by_point(rows: Sequence[Row], title: str, tally: str) -> Markup:
    points = sorted({_number(row, "x") for row in rows})
    cells = {(str(row["agent"]), _number(row, "x")): _mean(row, tally) for row in rows}
    agents = {str(row["agent"]): _agent(row) for row in rows}
    body = [[name, *(cells.get((agent, x), "") for x in points)] for agent, name in agents.items()]
    return _wide(table(["agent", *map(value, points)], body, "table", label=title, named=True))


def claims_part(part: Part, verdicts: Sequence[Verdict], plates: Iterable[Plate]) -> Markup:
    """Count the verdicts, and list the claims that have data."""
    if not verdicts:
        return paragraph("No claims are made about these experiments.", "quiet")
    there = [each for each in verdicts if each.outcome != "no data"]
    left, counting = len(verdicts) - len(there), part.counted(tuple(verdicts))
    used = sorted({each.claim.figure for each in verdicts} - {each.claim.figure for each in counting})
    titles = {plate.anchor: plate.label for plate in plates}
    groups = dict.fromkeys([*titles, *(each.claim.figure for each in there)])
    return joined(
        paragraph(f"Only claims that this reading was not chosen by are counted: not {listed(used)}.") if used else "",
        tally(counting),
        folded("How they are judged", paragraph(how(part.source))),
        *(_group([each for each in there if each.claim.figure == name], titles, part.said) for name in groups),
        paragraph(f"{left} more have no data.", "quiet") if left else "",
    )


def _group(verdicts: Sequence[Verdict], titles: Mapping[str, str], said: str) -> Markup:
    """Fold the claims about one figure under its title and the number of each verdict."""
    if not verdicts:
        return Markup()
    figure, counts = verdicts[0].claim.figure, Counter(str(each.outcome) for each in verdicts)
    marks = [
        element("span", f"{sign} {counted({each: counts[each]})}", class_=f"verdict {each.replace(' ', '-')}")
        for each, sign in SIGNS.items()
        if counts[each]
    ]
    title = titles.get(figure) or UNDRAWN.get(figure, figure)
    return folded(joined(element("b", title), *marks, by=" "), joined(*verdicts_of(verdicts, {figure: title}, said)))


def figures_part(plates: Iterable[Plate], versions: Mapping[str, str]) -> Markup:
    """Show the figures whose pictures there are, by the version of each picture; a press opens one large."""
    return joined(*(_figure(plate, versions[plate.name]) for plate in plates if plate.name in versions))


def _figure(plate: Plate, version: str) -> Markup:
    place = f"/results/figures/{plate.name}.svg?{version}"
    pictures = [
        Markup(f'<img class="by-{light}" src="{escape(place + more)}" loading="lazy" alt="{escape(plate.words)}">')
        for light, more in (("light", ""), ("dark", "&dark"))
    ]
    opens = f'<a href="{escape(place)}" data-large aria-label="Open large: {escape(plate.label)}">'
    caption = element("figcaption", paragraph(joined(element("b", plate.label), f" {plate.caption}")))
    inside = joined(Markup(opens), *pictures, Markup("</a>"), caption, folded("In words", paragraph(plate.words)))
    return element("figure", inside, id=f"figure-{plate.anchor}")


def contents(plates: Sequence[Plate], sections: Iterable[str] = SECTIONS) -> Markup:
    """List the sections of the page, and its figures."""
    figures = element("ul", *(element("li", link(f"#figure-{each.anchor}", each.label)) for each in plates))
    items = [
        element("li", link(f"#{at}", SECTIONS[at]), figures if at == "figures" and plates else "") for at in sections
    ]
    return element("ul", *items)


def parts_menu(parts: Mapping[str, str], now: str) -> Markup:
    """Link to the parts of the run that have trials; readings of the paper are folded if there are many."""
    links = {
        name: element("a", title, href=f"/results?part={quote(name)}", aria_current="page" if name == now else "")
        for name, title in parts.items()
    }
    rest = [each.name for each in readings()[1:] if each.name in parts]
    if len(parts) < 2 or len(rest) <= FEW:
        return joined(*links.values()) if len(parts) > 1 else Markup()
    first = [each for name, each in links.items() if name not in rest]
    more = Markup(f"<details{' open' if now in rest else ''}><summary>{len(rest)} more readings</summary>")
    return joined(*first, more, *(links[name] for name in rest), Markup("</details>"))


def _agent(row: Row) -> str:
    return AGENTS.title(str(row["agent"]))


def _counts(row: Row, tally: str) -> bool:
    return not math.isnan(_number(row, tally))


def _mean(row: Row, tally: str) -> str:
    name = tally if _counts(row, tally) else "steps"
    found = _number(row, name)
    return mean(found, _number(row, f"{name}_high") - found).replace(" ", "\N{NO-BREAK SPACE}")


def _number(row: Row, name: str) -> float:
    found = row.get(name)
    return float(found) if isinstance(found, float | int) else math.nan


def _wide(inside: Markup) -> Markup:
    """Let a table scroll by itself; with the keyboard too."""
    return Markup(f'<div class="wide" tabindex="0">{inside}</div>')
