"""Write the documentation's page of results from a folder of `walkon reproduce`.

python benchmarks/results_page.py RESULTS [DOCS]
"""

import csv
import shutil
import sys
from collections import Counter
from pathlib import Path

from walkon import saying
from walkon.agents.registry import AGENTS
from walkon.figures.style import in_order
from walkon.measuring.claims import read_claims
from walkon.measuring.table import Table
from walkon.measuring.verdicts import by_sentence, trials_in_words
from walkon.paper import FITTED, PAPER
from walkon.paper.figure import Figure
from walkon.paper.readings import readings
from walkon.paper.run import FIGURES, Run
from walkon.runs.store import Store
from walkon.runs.sweep import Settings
from walkon.runs.tabulate import tabulate

WORLDS = (
    ("baseline", "Night-time Pursuit", "steps"),
    ("pursuit", "Pursuit", "steps"),
    ("overcooked", "Overcooked", "soups"),
)
PICTURES = "images/results"
TWO = (
    "The paper can be read in several ways. *Literal* is closest to the printed text; *fitted* is one joint reading "
    "that was chosen because it fits what the paper says about figures 2, 3, 5b and 6b, so only figures 5a and 6a test "
    "it. [How we read the paper](reading.md#other-readings) has both, and how sure we are of each part."
)

Row = dict[str, str]


def main() -> None:
    """Write the page and its pictures."""
    run = Path(sys.argv[1])
    docs = Path(sys.argv[2] if len(sys.argv) > 2 else "docs")
    pictures = docs / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    with Store(run) as store:
        sessions, trials = list(store.sessions().values()), store.count()
        begun = Run(Settings.from_record(store.settings())).begun(store)
        results, fitted = (tabulate(begun[part], store) for part in (PAPER, FITTED))
    shown = [(each, table) for one in FIGURES.values() for each, table in ((one, results), (one.under(FITTED), fitted))]
    drawn = [(each, table) for each, table in shown if (run / "figures" / f"{each.name}.svg").exists()]
    for each, _ in drawn:
        shutil.copyfile(run / "figures" / f"{each.name}.svg", pictures / f"{each.name}.svg")
    names = ("headline", "fitted-headline", "differences", "claims", "claims-timed", "fitted-claims", "readings")
    tables = {name: read(run / "tables" / f"{name}.csv") for name in names}
    (docs / "results.md").write_text(page(tables, [figure(*each) for each in drawn], sessions, trials))


def read(path: Path) -> list[Row]:
    """Read a table of the run; without the file it is empty."""
    return list(csv.DictReader(path.open())) if path.exists() else []


def page(tables: dict[str, list[Row]], figures: list[str], sessions: list[dict[str, object]], trials: int) -> str:
    """Return the whole page."""
    parts = [
        "# Results",
        made_by(sessions, trials),
        "## At a glance",
        TWO,
        glance(tables["headline"], tables["fitted-headline"]),
        "## Against ATPO",
        "Literal reading. Each agent minus ATPO in the same trials, on the same luck: paired mean and 95 % interval, "
        "± 1.96 s/√n.",
        against(tables["differences"]),
        "## Figures",
        *figures,
        "## The paper's claims",
        *claims(tables["claims"] + tables["claims-timed"], tables["fitted-claims"]),
        *by_reading(tables["readings"]),
    ]
    return "\n\n".join(parts) + "\n"


def made_by(sessions: list[dict[str, object]], trials: int) -> str:
    """Return the provenance of the numbers."""
    first = sessions[0]
    commands = ", then ".join(dict.fromkeys(f"`{each['command']}`" for each in sessions))
    return (
        f"Every number and picture on this page comes from one run: {commands}, with walkon {first['walkon']} "
        f"(code {first['code']}) and Python {first['python']}, on {first['cores']} cores ({first['processor']}), "
        f"started on {str(first['began'])[:10]}, with {trials:,} trials. `benchmarks/results_page.py` wrote the page "
        "from the files of the run. [The paper in one command](reproduce.md) says how to repeat it, and "
        "[how claims are judged](claims.md) what the verdicts mean."
    )


def grid(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def glance(rows: list[Row], fitted: list[Row]) -> str:
    """Return the table of each agent's results in each world, under both readings."""
    agents = in_order(row["agent"] for row in rows if row["sweep"] in {sweep for sweep, *_ in WORLDS})
    both = {"literal": rows, "fitted": fitted} if fitted else {"literal": rows}
    found = {(name, row["sweep"], row["agent"]): row for name, some in both.items() for row in some if not row["x"]}

    def cell(name: str, sweep: str, agent: str, measure: str) -> str:
        row = found.get((name, sweep, agent))
        if row is None:
            return ""
        solved = f", {saying.percent(float(row['solved']))} solved" if measure == "steps" else ""
        return saying.mean(float(row[measure]), float(row[f"{measure}_high"]) - float(row[measure])) + solved

    places = [(name, sweep, world, measure) for sweep, world, measure in WORLDS for name in both]
    head = ["agent", *(f"{world}, {measure}, {name}" for name, _, world, measure in places)]
    lines = [
        [AGENTS.title(agent), *(cell(name, sweep, agent, what) for name, sweep, _, what in places)] for agent in agents
    ]
    note = (
        "Mean ± half the paper's 95 % interval, 1.96 s/√n. Fewer steps and more soups are better; an unsolved trial "
        "counts as 50 steps."
    )
    return f"{grid(head, lines)}\n\n{note}"


def against(rows: list[Row]) -> str:
    """Return the paired differences of the experiments without a sweep."""
    worlds = {sweep: world for sweep, world, _ in WORLDS}
    return grid(
        ["world", "agent", "difference", "interval"],
        [
            [
                worlds[row["sweep"]],
                AGENTS.title(row["agent"]),
                f"{float(row['difference']):+.2f} {row['measure']}",
                f"{float(row['paired_low']):+.2f} to {float(row['paired_high']):+.2f}",
            ]
            for row in rows
            if row["sweep"] in worlds and not row["x"]
        ],
    )


def figure(shown: Figure, table: Table) -> str:
    """Return one figure with its caption."""
    return f"### {shown.label}\n\n![{shown.title}]({PICTURES}/{shown.name}.svg)\n\n{shown.caption(table)}"


def claims(rows: list[Row], fitted: list[Row]) -> list[str]:
    """Return the claims of each figure with their verdicts under both readings."""
    written = {claim.id: claim for claim in read_claims()}
    again = {row["id"]: row["verdict"] for row in fitted}
    used = readings()[0].chosen_by
    counts = _count({written[row["id"]]: row["verdict"] for row in rows})
    tests = {written[name]: verdict for name, verdict in again.items() if written[name].figure not in used}
    figures = saying.listed(sorted({claim.figure for claim in tests if claim.section == "claims"}))
    parts = [
        f"Of the paper's sentences about its results, under the literal reading: {counts}. Those about "
        "time depend on the machine. Verdicts in brackets are about figures that the fitted reading was chosen by"
        + (f"; of the sentences about {figures}, which test it, {_count(tests)}." if tests else ".")
        + " Where the amendment of the tests changed a verdict, the former one stands below it."
    ]
    for name in sorted({row["figure"] for row in rows}, key=list(FIGURES).index):
        own, about = [], [row for row in rows if row["figure"] == name]
        for row in about:
            other = saying.signed(again[row["id"]]) if row["id"] in again else ""
            shown = f"({other})" if other and name in used else other
            ours = saying.signed(row["verdict"])
            if row["before"] not in ("", row["verdict"]):
                ours += f"<br>before: {saying.signed(row['before'])}"
            own.append([row["claim"], ours, shown, _found(row)])
        title = FIGURES[name].label if name == "bound" else f"Figure {FIGURES[name].label}"
        told = saying.counted(Counter(row["verdict"] for row in about))
        table = grid(["the paper says", "literal", "fitted", "finding (literal)"], own)
        parts += [f"### {title}", folded(f"{saying.count(len(own), 'claim')}: {told}", table)]
    return parts


def _count(verdicts: dict) -> str:
    """Count the sentences by verdict, in words."""
    return saying.counted(Counter(map(str, by_sentence(verdicts).values())))


def folded(summary: str, table: str) -> str:
    """Return a table that is opened by a press: all of them are long on a phone."""
    return f"<details markdown>\n<summary>{summary}</summary>\n\n{table}\n\n</details>"


def _found(row: Row) -> str:
    needed = ""
    if row["trials_needed"]:
        few, many = (int(float(row[name])) if row[name] else None for name in ("trials_least", "trials_most"))
        needed = " " + trials_in_words(int(float(row["trials_needed"])), few, many).capitalize() + "."
    return f"{row['words']}.{needed}"


def by_reading(rows: list[Row]) -> list[str]:
    """Return the verdicts on all claims under all readings that were run."""
    names = list(dict.fromkeys(row["reading"] for row in rows))
    if len(names) < 2:
        return []
    found = {(row["id"], row["reading"]): row["verdict"] for row in rows}
    said = {row["id"]: (f"{row['figure']}: {row['claim']}", row["literal"]) for row in rows}
    lines = [
        [words, saying.SIGNS[literal], *(saying.SIGNS.get(found.get((claim, name), ""), "") for name in names)]
        for claim, (words, literal) in said.items()
    ]
    told = [f"- *{each.name}*: {each.title}" for each in readings() if each.name in names]
    told += ["", "What speaks for and against each is in [how we read the paper](reading.md#other-readings)."]
    return [
        "## Under other readings",
        "\n".join(told),
        folded("All claims", grid(["the paper says", "literal", *names], lines)),
    ]


if __name__ == "__main__":
    main()
