"""The page of a report, from its contents."""

from collections.abc import Sequence
from html import escape

from walkon.figures.rows import number, percent
from walkon.figures.style import style_of
from walkon.measuring.summaries import Row
from walkon.paper.report.appendix import files, reading, repeat
from walkon.paper.report.beyond import beyond
from walkon.paper.report.claims import claims, count, counted, readings, tally
from walkon.paper.report.contents import Contents, Drawn
from walkon.paper.report.pieces import facts, folded, grid, link, paragraph, section
from walkon.paper.report.reading import DECISIONS

TITLE = "Ad hoc teamwork under partial observability: the paper, run again"
PAPER = (
    "Ribeiro, Martinho, Sardinha and Melo: Assisting Unknown Teammates in Unknown Tasks: Ad Hoc Teamwork under Partial "
    "Observability (AAMAS 2022)."
)
GROUPS = (
    ("Figure 2. Night-time Pursuit, the baseline", ("2a", "2b")),
    ("Figure 3. Night-time Pursuit as the world changes", ("3a", "3b", "3c")),
    ("Figure 4. Computing time", ("4a", "4b")),
    ("Figure 5. Pursuit under partial observability", ("5a", "5b")),
    ("Figure 6. Overcooked", ("6a", "6b")),
    ("Proposition 1", ("bound",)),
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
    """The whole page."""
    parts = [
        section("results", "Results at a glance", _headline(contents), tally(contents.verdicts)),
        section("figures", "Figures", *(_group(contents, title, names) for title, names in GROUPS)),
        section("claims", "What the paper claims, and what we found", *claims(contents.verdicts)),
        *([section("readings", "Under other readings", *readings(contents.readings))] if contents.readings else []),
        *(
            [section("beyond", "Beyond the paper", *beyond(contents.beyond, lambda plate: _figure(contents, plate)))]
            if contents.beyond
            else []
        ),
        section("reading", "How the paper was read", *reading()),
        section("provenance", "Where these numbers come from", facts(contents.provenance)),
        section("repeat", "How to repeat it", *repeat(contents)),
        section("files", "Files", *files(contents)),
    ]
    inside = "\n".join([_head(contents), *parts])
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(TITLE)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{inside}\n</body>\n</html>\n"
    )


def _head(contents: Contents) -> str:
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
    menu = "".join(f"<li>{link(f'#{anchor}', name)}</li>" for anchor, name in places.items())
    banners = "".join(paragraph(text, "banner") for text in _warnings(contents))
    return (
        f"<header>\n<h1>{escape(TITLE)}</h1>\n{paragraph(lead, 'lead')}\n{paragraph(PAPER)}\n{banners}\n"
        f'</header>\n<nav aria-label="On this page"><ul>{menu}</ul></nav>'
    )


def _warnings(contents: Contents) -> list[str]:
    """What a reader has to know first."""
    texts = []
    if contents.settings.get("quick"):
        texts.append(
            "This was a quick run: few trials, few points, rough policies. It shows that everything works; its "
            "numbers are not the paper's experiments. Run without --quick for those."
        )
    if contents.missing:
        texts.append(
            f"This run is incomplete: {contents.missing:,} trials are missing. What is here was finished; the same "
            "command runs the rest."
        )
    absent = [plate.figure.name for plate in contents.plates if not plate.pictures]
    if absent:
        texts.append(f"Not run: {', '.join(absent)}. Claims about them have no data.")
    return texts


def _headline(contents: Contents) -> str:
    worlds = (("2a", "Night-time Pursuit", "steps"), ("5a", "Pursuit", "steps"), ("6a", "Overcooked", "soups"))
    found = [(plate, f"{world}, {unit}") for name, world, unit in worlds if (plate := contents.plate(name))]
    if not found:
        return paragraph("None of the figures 2a, 5a and 6a was run.")
    agents = {str(row["agent"]): None for plate, _ in found for row in plate.rows}
    order = [agent for agent in (*KNOWS, *agents) if agent in agents]
    rows = []
    for agent in dict.fromkeys(order):
        name = f"<b>{escape(style_of(agent).name)}</b>"
        cells = [next((_result(row) for row in plate.rows if row["agent"] == agent), "") for plate, _ in found]
        rows.append([name, escape(KNOWS.get(agent, "")), *cells])
    note = (
        "Mean and the paper's 95 % interval, ± 1.96 s/√n. Where there are few trials it covers less: 92 % with 10, 86 "
        "% with 4. Fewer steps and more soups are better; a trial that is not solved counts as 50 steps."
    )
    return grid(["agent", "what it has", *(world for _, world in found)], rows) + paragraph(note, "reason")


def _result(row: Row) -> str:
    mean, half = number(row, "mean"), number(row, "high") - number(row, "mean")
    digits = 1 if "solved" in row else 2
    interval = f" ± {half:.{digits}f}" if half == half else ""
    more = f", {percent(number(row, 'solved'))} solved" if "solved" in row else ""
    return f"{mean:.{digits}f}{interval}{more}"


def _group(contents: Contents, title: str, names: Sequence[str]) -> str:
    plates = "\n".join(_figure(contents, plate) for plate in contents.plates if plate.figure.name in names)
    return f'<h3>{escape(title)}</h3>\n<div class="plates">\n{plates}\n</div>'


def _figure(contents: Contents, plate: Drawn) -> str:
    name = plate.figure.name
    label = f"{name}. {plate.figure.title}" if name[0].isdigit() else plate.figure.title
    label += "" if label.endswith("?") else "."
    if not plate.pictures:
        return (
            f'<figure id="figure-{escape(name)}">{paragraph("Not run.", "missing")}'
            f"<figcaption><p><b>{escape(label)}</b> {escape(plate.caption)}</p></figcaption></figure>"
        )
    forms = " · ".join(link(f"figures/{name}.{form}", form.upper()) for form in plate.pictures)
    more = f"{forms} · {link(f'tables/figure-{name}.csv', 'the numbers (CSV)')}"
    verdicts = [*contents.verdicts, *(contents.beyond.verdicts if contents.beyond else [])]
    counts = count(verdict for verdict in verdicts if verdict.claim.figure == name)
    if counts:
        more += f" · {link(f'#claims-{name}', f'claims: {counted(counts)}')}"
    decisions = [decision for decision in DECISIONS if name in decision.figures]
    if decisions:
        more += " · decisions: " + ", ".join(
            link(f"#reading-{each.anchor}", each.anchor.replace("-", " ")) for each in decisions
        )
    return (
        f'<figure id="figure-{escape(name)}"><div role="img" aria-label="{escape(plate.words)}">{plate.inline}</div>\n'
        f"<figcaption><p><b>{escape(label)}</b> {escape(plate.caption)}</p>"
        f'<p class="more">{more}</p>{folded("In words", paragraph(plate.words))}</figcaption></figure>'
    )
