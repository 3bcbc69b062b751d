"""The contents of a report, and the page that is made from them."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from walkon.agents.registry import AGENTS
from walkon.figures.files import FORMATS, as_bytes, inline
from walkon.figures.rows import number
from walkon.figures.style import in_order
from walkon.html import Markup, element, escape, facts, folded, joined, link, paragraph, section, table
from walkon.measuring.summaries import Row
from walkon.measuring.table import Table
from walkon.measuring.verdicts import Verdict
from walkon.paper import FITTED
from walkon.paper.beyond import WORLDS
from walkon.paper.experiments import EXPERIMENTS
from walkon.paper.figure import Experiment, Figure
from walkon.paper.report.claims import claims, decisions, files, readings, repeat, tallies, verdicts_of
from walkon.paper.report.dark import Dark
from walkon.paper.run import DECISIONS
from walkon.runs.sweep import QUICK_UNION, UNION
from walkon.saying import counted, listed, mean, percent

TITLE = "Ad hoc teamwork under partial observability: the paper, run again"
PAPER = (
    "Ribeiro, Martinho, Sardinha and Melo: Assisting Unknown Teammates in Unknown Tasks: Ad Hoc Teamwork under Partial "
    "Observability (arXiv 2201.03538, 2022)."
)
KNOWS = {
    "value-iteration": "knows the task, sees the state",
    "perseus": "knows the task",
    "atpo": "knows neither task nor state",
    "bopa": "knows neither task nor state",
    "assistant": "sees the teammate's actions",
    "random": "knows nothing",
}
INTRODUCTION = (
    "ATPO mixes the policies of its tasks and never acts in order to find out which task it is. But the whole problem "
    "of an agent that is not told the task is itself a POMDP, whose hidden state is the pair of task and state. Bayes "
    "plans in it. The bounds are proven: on average no agent that is not told the task can earn more than the upper "
    "bound. The other agents are cheaper approximations."
)
RETURNS = (
    "Mean discounted return with 95 % interval, each trial played until later rewards count for less than 1e-4 of the "
    "first. Perseus and Value Iteration are told the task, so the bounds do not apply to them. By default, the "
    f"bounds are those that {UNION.call} proves for the union of the library's tasks, all equally likely; in a quick "
    f"run, {QUICK_UNION.call}. More backups bring them closer together."
)
QUICK_RUN = (
    "This was a quick run: few trials, few points, rough policies. It shows that everything works; its "
    "numbers are not the paper's experiments. Run without --quick for those."
)
BEST = "best possible without the task"


class Drawn(NamedTuple):
    """A figure in all formats."""

    figure: Figure
    rows: list[Row]
    pictures: dict[str, bytes]  # by format; empty if it was not run
    caption: str  # or how to run it

    @classmethod
    def of(cls, figure: Figure, table: Table) -> "Drawn":
        """Draw a figure, or say how to run it."""
        rows = figure.rows(table)
        if not rows:
            return cls(figure, [], {}, f"`{figure.command}` runs it.")
        drawn = figure.draw(table)
        return cls(figure, rows, {form: as_bytes(drawn, form, figure.name) for form in FORMATS}, figure.caption(table))


@dataclass(frozen=True, kw_only=True)
class Beyond:
    """The part beyond the paper."""

    plates: Sequence[Drawn]
    verdicts: Sequence[Verdict]
    headline: Sequence[Row]  # the results of each agent
    best: Sequence[Row]  # the return of each, beside the proven bounds
    plans: Sequence[Row]  # the cost of planning in the union of all tasks


@dataclass(frozen=True, kw_only=True)
class Contents:
    """All that a report shows."""

    plates: Sequence[Drawn]
    verdicts: Sequence[Verdict]
    provenance: Mapping[str, Any]
    settings: Mapping[str, Any]
    missing: int
    fitted: Sequence[Drawn]  # the same figures under the fitted reading; empty if it was not run
    readings: Mapping[str, Sequence[Verdict]]  # the verdicts under other readings, by name
    trials: int
    sheets: Sequence[str]  # the CSV files, by name
    beyond: Beyond | None = None  # if it was run
    dark: tuple[Dark, Sequence[Drawn]] | None = None  # the second paper and its figures, if it was run


def page(contents: Contents, style: str) -> str:
    """Return the page as HTML."""
    beyond = _beyond(contents, contents.beyond) if contents.beyond else []
    fitted = contents.readings.get(FITTED, ())
    parts: list[tuple[str, str, str, Sequence[Markup]]] = [  # anchor, name in the menu, heading, content
        ("results", "Results", "Results at a glance", [_headline(contents), *tallies(contents.verdicts, fitted)]),
        ("figures", "Figures", "Figures", [_chapter(contents, each) for each in EXPERIMENTS]),
        ("claims", "Claims", "What the paper claims, and what we found", claims(contents.verdicts, fitted)),
        ("readings", "Readings", "Under other readings", readings(contents.verdicts, contents.readings)),
        ("beyond", "Beyond the paper", "Beyond the paper", beyond),
        ("dark", "The second paper", "The second paper", _dark(contents)),
        ("reading", "How the paper was read", "How the paper was read", decisions()),
        ("provenance", "Provenance", "Where these numbers come from", [facts(contents.provenance)]),
        ("repeat", "Repeat it", "How to repeat it", repeat(contents.settings)),
        ("files", "Files", "Files", files(contents.sheets)),
    ]
    menu = element("ul", *(element("li", link(f"#{at}", name)) for at, name, _, content in parts if name and content))
    sections = (section(anchor, heading, *content) for anchor, _, heading, content in parts if content)
    inside = joined(_header(contents), element("nav", menu, aria_label="On this page"), *sections, by="\n")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(TITLE)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{inside}\n</body>\n</html>\n"
    )


def _header(contents: Contents) -> Markup:
    settings = contents.settings
    each, seed = settings.get("trials", "?"), settings.get("seed", "?")
    lead = f"{contents.trials:,} trials, {each} for each task or point, seed {seed}."
    banners = joined(*(paragraph(text, "banner") for text in _warnings(contents)))
    top = joined("", element("h1", TITLE), paragraph(lead, "lead"), paragraph(PAPER), banners, "", by="\n")
    return element("header", top)


def _warnings(contents: Contents) -> list[str]:
    """Sentences that a reader has to see first."""
    texts = []
    if contents.settings.get("quick"):
        texts.append(QUICK_RUN)
    if contents.missing:
        texts.append(
            f"This run is incomplete: {contents.missing:,} trials are missing. The page shows those that are "
            "finished; the same command runs the rest."
        )
    absent = [plate.figure.name for plate in contents.plates if not plate.pictures]
    if absent:
        texts.append(f"Not run: {', '.join(absent)}. Claims about them have no data.")
    return texts


def _headline(contents: Contents) -> Markup:
    literal = [plate for plate in contents.plates if plate.figure.headline]
    again = {plate.figure.part: plate for plate in contents.fitted}
    wanted = [plate for each in literal for plate in (each, again.get(each.figure.name)) if plate]
    found = [plate for plate in wanted if plate.pictures]
    if not found:
        return paragraph(f"None of the figures {listed([each.figure.name for each in wanted])} was run.")
    agents = {str(row["agent"]): None for plate in found for row in plate.rows}
    rows = []
    for agent in dict.fromkeys(agent for agent in (*KNOWS, *agents) if agent in agents):
        cells = [next((_result(row) for row in plate.rows if row["agent"] == agent), "") for plate in found]
        rows.append([element("b", AGENTS.title(agent)), KNOWS.get(agent, ""), *cells])
    note = (
        "Mean and the paper's 95 % interval, ± 1.96 s/√n. With few trials it covers less: 92 % with 10, 86 % "
        "with 4. Fewer steps and more soups are better; a trial that is not solved counts as the horizon."
    )
    head = ["agent", "what it has", *(plate.figure.headline for plate in found)]
    return joined(table(head, rows), paragraph(note, "reason"))


def _result(row: Row) -> str:
    half = number(row, "high") - number(row, "mean")
    more = f", {percent(number(row, 'solved'))} solved" if "solved" in row else ""
    return mean(number(row, "mean"), half, 1 if "solved" in row else 2) + more


def _chapter(contents: Contents, experiment: Experiment) -> Markup:
    mine = {figure.name for figure in experiment.figures}
    plates = [
        plate for plate in (*contents.plates, *contents.fitted) if (plate.figure.part or plate.figure.name) in mine
    ]
    return joined(element("h3", experiment.chapter), _figures(contents, plates), by="\n")


def _figures(contents: Contents, plates: Sequence[Drawn]) -> Markup:
    return element("div", joined("", *(_figure(contents, plate) for plate in plates), "", by="\n"), class_="plates")


def _figure(contents: Contents, plate: Drawn) -> Markup:
    name, label = plate.figure.name, plate.figure.label
    label += "" if label.endswith("?") else "."
    caption = element("p", element("b", label), f" {plate.caption}")
    if not plate.pictures:
        nothing = paragraph("Not run.", "missing")
        return element("figure", nothing, element("figcaption", caption), id=f"figure-{name}")
    more = [link(f"figures/{name}.{form}", form.upper()) for form in plate.pictures]
    more.append(link(f"tables/figure-{name}.csv", "the numbers (CSV)"))
    verdicts = [*contents.verdicts, *(contents.beyond.verdicts if contents.beyond else [])]
    verdicts += contents.dark[0].verdicts if contents.dark else []
    if counts := Counter(str(verdict.outcome) for verdict in verdicts if verdict.claim.figure == name):
        more.append(link(f"#claims-{name}", f"claims: {counted(counts)}"))
    if concerned := [decision for decision in DECISIONS if (plate.figure.part or name) in decision.figures]:
        read = (link(f"#reading-{each.anchor}", each.anchor.replace("-", " ")) for each in concerned)
        more.append(joined("decisions: ", joined(*read, by=", ")))
    words = plate.figure.in_words(plate.rows)
    picture = Markup(inline(plate.pictures["svg"], f"figure-{name}"))
    shown, links = element("div", picture, role="img", aria_label=words), joined(*more, by=" · ")
    below = element("figcaption", caption, element("p", links, class_="more"), folded("In words", paragraph(words)))
    return element("figure", joined(shown, below, by="\n"), id=f"figure-{name}")


def _beyond(contents: Contents, found: Beyond) -> list[Markup]:
    """Show what planning for information is worth: tables, figures and claims."""
    plates = [plate for plate in found.plates if plate.pictures]
    titles = {plate.figure.name: plate.figure.title for plate in plates}
    return [
        paragraph(INTRODUCTION),
        _scores(found.headline),
        _returns(found.best),
        _figures(contents, plates),
        *verdicts_of(found.verdicts, titles, "we expected"),
        *([_plans(found.plans)] if found.plans else []),
    ]


def _dark(contents: Contents) -> list[Markup]:
    """Show the second paper, if it was run."""
    if contents.dark is None:
        return []
    found, plates = contents.dark
    drawn = [plate for plate in plates if plate.pictures]
    return found.shown(_figures(contents, drawn), {plate.figure.name: plate.figure.title for plate in drawn})


def _scores(rows: Sequence[Row]) -> Markup:
    """Show the steps or soups of each agent in each world."""
    worlds = [sweep for sweep in WORLDS if any(row["sweep"] == sweep for row in rows)]
    agents = in_order([str(row["agent"]) for row in rows if row["sweep"] in worlds])
    units = {sweep: "soups" if sweep == "beyond-overcooked" else "steps" for sweep in worlds}
    cells = {
        (sweep, str(row["agent"])): _score(row, units[sweep])
        for row in rows
        if row["x"] is None and (sweep := str(row["sweep"])) in units
    }
    body = [
        [element("b", AGENTS.title(agent)), *(cells.get((sweep, agent), "") for sweep in worlds)] for agent in agents
    ]
    return table(["agent", *(f"{WORLDS[sweep]}, {unit}" for sweep, unit in units.items())], body)


def _score(row: Row, unit: str) -> str:
    if unit == "steps":
        return _with_interval(row, unit, 1)
    return f"{_with_interval(row, unit, 2)}, {percent(number(row, 'dead_end'))} dead ends"


def _returns(rows: Sequence[Row]) -> Markup:
    """Show the return of each agent in each library beside the proven bounds."""
    if not rows:
        return Markup()
    libraries = list(dict.fromkeys(str(row["library"]) for row in rows))
    agents = in_order([str(row["agent"]) for row in rows])
    bounds = {str(row["library"]): f"{_bound(row['lower'])} to {_bound(row['upper'])}" for row in rows}
    cells = {(str(row["library"]), str(row["agent"])): _with_interval(row, "return", 2) for row in rows}
    head = ["library", f"{BEST} (proven)", *map(AGENTS.title, agents)]
    body = [
        [library, element("b", bounds[library]), *(cells.get((library, agent), "") for agent in agents)]
        for library in libraries
    ]
    return joined(table(head, body), paragraph(RETURNS, "reason"))


def _plans(rows: Sequence[Row]) -> Markup:
    """Say how long planning took."""
    seconds = [number(row, "seconds") for row in rows]
    return paragraph(
        f"{len(rows)} plans for whole libraries took {sum(seconds):,.0f} seconds of one core, the longest "
        f"{max(seconds):,.0f}. All stopped after a number of backups or when they converged, never by the clock."
    )


def _with_interval(row: Row, name: str, digits: int) -> str:
    return mean(number(row, name), number(row, f"{name}_high") - number(row, name), digits)


def _bound(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) and not math.isnan(value) else "?"
