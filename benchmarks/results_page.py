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
from walkon.measuring.table import Table
from walkon.paper import PAPER
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

Row = dict[str, str]


def main() -> None:
    """Write the page and its pictures."""
    run = Path(sys.argv[1])
    docs = Path(sys.argv[2] if len(sys.argv) > 2 else "docs")
    pictures = docs / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    drawn = [name for name in FIGURES if (run / "figures" / f"{name}.svg").exists()]
    for name in drawn:
        shutil.copyfile(run / "figures" / f"{name}.svg", pictures / f"{name}.svg")
    with Store(run) as store:
        sessions, trials = list(store.sessions().values()), store.count()
        results = tabulate(Run(Settings.from_record(store.settings())).begun(store)[PAPER], store)
    names = ("headline", "differences", "claims", "claims-timed", "readings")
    tables = {name: read(run / "tables" / f"{name}.csv") for name in names}
    (docs / "results.md").write_text(page(tables, [figure(name, results) for name in drawn], sessions, trials))


def read(path: Path) -> list[Row]:
    """Read a table of the run; without the file it is empty."""
    return list(csv.DictReader(path.open())) if path.exists() else []


def page(tables: dict[str, list[Row]], figures: list[str], sessions: list[dict[str, object]], trials: int) -> str:
    """Return the whole page."""
    parts = [
        "# Results",
        made_by(sessions, trials),
        "## At a glance",
        glance(tables["headline"]),
        "## Against ATPO",
        "Each agent minus ATPO in the same trials, on the same luck: paired mean and 95 % interval, ± 1.96 s/√n.",
        against(tables["differences"]),
        "## Figures",
        *figures,
        "## The paper's claims",
        *claims(tables["claims"] + tables["claims-timed"]),
        *readings(tables["readings"]),
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


def glance(rows: list[Row]) -> str:
    """Return the table of each agent's results in each world."""
    agents = in_order(row["agent"] for row in rows if row["sweep"] in {sweep for sweep, *_ in WORLDS})
    found = {(row["sweep"], row["agent"]): row for row in rows if not row["x"]}

    def cell(sweep: str, agent: str, measure: str) -> str:
        row = found.get((sweep, agent))
        if row is None:
            return ""
        solved = f", {saying.percent(float(row['solved']))} solved" if measure == "steps" else ""
        return saying.mean(float(row[measure]), float(row[f"{measure}_high"]) - float(row[measure])) + solved

    head = ["agent", *(f"{world}, {measure}" for _, world, measure in WORLDS)]
    lines = [[AGENTS.title(agent), *(cell(sweep, agent, what) for sweep, _, what in WORLDS)] for agent in agents]
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


def figure(name: str, table: Table) -> str:
    """Return one figure with its caption."""
    shown = FIGURES[name]
    return f"### {shown.label}\n\n![{shown.title}]({PICTURES}/{name}.svg)\n\n{shown.caption(table)}"


def claims(rows: list[Row]) -> list[str]:
    """Return the claims of each figure with their verdicts."""
    counts = Counter(row["verdict"] for row in rows)
    parts = [
        f"Of the paper's claims about its results: {saying.counted(counts)}. Those about time depend on the machine."
    ]
    for name in sorted({row["figure"] for row in rows}, key=list(FIGURES).index):
        own = [[row["claim"], saying.signed(row["verdict"]), _found(row)] for row in rows if row["figure"] == name]
        title = FIGURES[name].label if name == "bound" else f"Figure {FIGURES[name].label}"
        parts += [f"### {title}", grid(["the paper says", "verdict", "finding"], own)]
    return parts


def _found(row: Row) -> str:
    needed = ""
    if row["trials_needed"]:
        few, many = (f"{int(float(row[name])):,}" if row[name] else "more" for name in ("trials_least", "trials_most"))
        needed = f" About {int(float(row['trials_needed'])):,} trials ({few} to {many}) would decide it."
    return f"{row['words']}.{needed}"


def readings(rows: list[Row]) -> list[str]:
    """Return the verdicts that depend on how the paper is read."""
    if not rows:
        return []
    changed = [row for row in rows if row["changed"] == "yes"]
    lead = (
        f"Where the paper can be read in another way, we ran the same trials and tested the same claims under that "
        f"reading. {len(changed)} of {len(rows)} verdicts change"
    )
    lines = [
        [
            row["reading"],
            f"{row['figure']}: {row['claim']}",
            saying.signed(row["ours"]),
            saying.signed(row["verdict"]),
        ]
        for row in changed
    ]
    table = [grid(["read as", "the paper says", "our reading", "this reading"], lines)] if changed else []
    return ["## Under other readings", lead + (":" if changed else "."), *table]


if __name__ == "__main__":
    main()
