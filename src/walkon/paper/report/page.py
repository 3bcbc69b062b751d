"""The page of a report, made from its contents."""

from collections import Counter
from functools import partial

from walkon.agents.registry import AGENTS
from walkon.figures.files import inline
from walkon.figures.rows import number
from walkon.html import Markup, element, escape, facts, folded, joined, link, paragraph, section, table
from walkon.measuring.summaries import Row
from walkon.paper.figure import Experiment
from walkon.paper.report.beyond import beyond
from walkon.paper.report.claims import claims, decisions, files, readings, repeat, tally
from walkon.paper.report.contents import Contents, Drawn
from walkon.paper.run import DECISIONS, EXPERIMENTS
from walkon.saying import counted, listed, mean, percent

TITLE = "Ad hoc teamwork under partial observability: the paper, run again"
PAPER = (
    "Ribeiro, Martinho, Sardinha and Melo: Assisting Unknown Teammates in Unknown Tasks: Ad Hoc Teamwork under Partial "
    "Observability (AAMAS 2022)."
)
KNOWS = {
    "value-iteration": "knows the task, sees the state",
    "perseus": "knows the task",
    "atpo": "knows neither task nor state",
    "bopa": "knows neither task nor state",
    "assistant": "sees the teammate's actions",
    "random": "knows nothing",
}


def page(contents: Contents, style: str) -> str:
    """Return the page as HTML."""
    more = [contents.beyond] if contents.beyond else []
    parts = [
        section("results", "Results at a glance", _headline(contents), tally(contents.verdicts)),
        section("figures", "Figures", *(_chapter(contents, each) for each in EXPERIMENTS)),
        section("claims", "What the paper claims, and what we found", *claims(contents.verdicts)),
        *([section("readings", "Under other readings", *readings(contents.readings))] if contents.readings else []),
        *(section("beyond", "Beyond the paper", *beyond(each, partial(_figure, contents))) for each in more),
        section("reading", "How the paper was read", *decisions()),
        section("provenance", "Where these numbers come from", facts(contents.provenance)),
        section("repeat", "How to repeat it", *repeat(contents)),
        section("files", "Files", *files(contents)),
    ]
    inside = joined(_head(contents), *parts, by="\n")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(TITLE)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{inside}\n</body>\n</html>\n"
    )


def _head(contents: Contents) -> Markup:
    settings = contents.settings
    each, seed = settings.get("trials", "?"), settings.get("seed", "?")
    lead = f"{contents.trials:,} trials, {each} for each task or point, seed {seed}."
    places = {
        "results": "Results",
        "figures": "Figures",
        "claims": "Claims",
        **({"beyond": "Beyond the paper"} if contents.beyond else {}),
        "reading": "How the paper was read",
        "provenance": "Provenance",
        "repeat": "Repeat it",
        "files": "Files",
    }
    menu = element("ul", *(element("li", link(f"#{anchor}", name)) for anchor, name in places.items()))
    banners = joined(*(paragraph(text, "banner") for text in _warnings(contents)))
    top = joined("", element("h1", TITLE), paragraph(lead, "lead"), paragraph(PAPER), banners, "", by="\n")
    return joined(element("header", top), element("nav", menu, aria_label="On this page"), by="\n")


def _warnings(contents: Contents) -> list[str]:
    """Sentences that a reader has to see first."""
    texts = []
    if contents.settings.get("quick"):
        texts.append(
            "This was a quick run: few trials, few points, rough policies. It shows that everything works; its "
            "numbers are not the paper's experiments. Run without --quick for those."
        )
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
    wanted = [plate for plate in contents.plates if plate.figure.headline]
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
    plates = [_figure(contents, plate) for plate in contents.plates if plate.figure in experiment.figures]
    inside = element("div", joined("", *plates, "", by="\n"), class_="plates")
    return joined(element("h3", experiment.chapter), inside, by="\n")


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
    if counts := Counter(str(verdict.outcome) for verdict in verdicts if verdict.claim.figure == name):
        more.append(link(f"#claims-{name}", f"claims: {counted(counts)}"))
    if concerned := [decision for decision in DECISIONS if name in decision.figures]:
        links = (link(f"#reading-{each.anchor}", each.anchor.replace("-", " ")) for each in concerned)
        more.append(joined("decisions: ", joined(*links, by=", ")))
    words = plate.figure.in_words(plate.rows)
    picture = Markup(inline(plate.pictures["svg"], f"figure-{name}"))
    below = element(
        "figcaption",
        caption,
        element("p", joined(*more, by=" · "), class_="more"),
        folded("In words", paragraph(words)),
    )
    return element(
        "figure", joined(element("div", picture, role="img", aria_label=words), below, by="\n"), id=f"figure-{name}"
    )
