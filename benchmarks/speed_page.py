"""Fill in the tables of the documentation's page on speed from the folders of `walkon bench --out FOLDER`.

python benchmarks/speed_page.py FOLDER [FOLDER ...]

Each table is between two marks, <!-- table: NAME --> and <!-- end -->. Only the text between them is replaced.
"""

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

PAGE = Path("docs/speed.md")
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
NAMES = {
    "night 6x6": "our night 6 x 6",
    "night 5x5": "our night 5 x 5",
    "pursuit 5x5": "our pursuit 5 x 5",
    "tag": "Tag",
    "hallway": "Hallway",
    "hallway2": "Hallway2",
    "rock-sample": "RockSample 4x4",
}
PEERS = {  # after 60 s: the best lower bound of APPL SARSOP or ZMDP's HSVI2, and the best upper bound
    "night-5x5.pomdp": "66.42 .. 71.33",
    "pursuit-5x5.pomdp": "86.62 .. 87.31",
    "Tag": "-6.20 .. -1.83",
    "Hallway": "0.992 .. 1.207",
    "Hallway2": "0.350 .. 0.902",
    "RockSample 4x4": "17.924, closed in 0.3 s",
}
WORLDS = {"night-pursuit": "Night-time Pursuit", "pursuit": "Pursuit", "overcooked": "Overcooked"}

Row = dict[str, Any]


def main() -> None:
    """Fill in the tables, and copy the figure of growth."""
    folders = [Path(each) for each in sys.argv[1:]]
    runs = [json.loads((folder / "bench.json").read_text()) for folder in folders]
    rows: dict[str, list[Row]] = {}
    for run in runs:
        solved = rows.get("solvers", []) + run["sections"].get("solvers", [])
        rows |= run["sections"] | {"solvers": solved}  # of the rest, what was measured last
    tables = {
        "machine": machine(runs),
        "solvers": solvers(rows["solvers"]),
        "earned": earned(rows["solvers"]),
        "perseus": perseus(rows["solvers"]),
        "decisions": decisions(rows["decisions"]),
        "batch": batch(rows["batch"]),
        "agents": agents(rows["agents"]),
        "larger": larger(rows["larger"]),
        "building": building(rows["building"]),
        "starting": starting(rows["starting"]),
    }
    PAGE.write_text(TABLE.sub(lambda mark: mark[1] + tables[mark[2]] + "\n" + mark[3], PAGE.read_text()))
    for folder in folders:
        if (folder / "growth.png").exists():
            shutil.copyfile(folder / "growth.png", PAGE.parent / "images" / "growth.png")


def machine(runs: list[dict[str, Any]]) -> str:
    """Return the provenance of the numbers."""
    first = runs[0]["machine"]
    commands = " and ".join(f"`{run['machine']['command'].split(' --out')[0]}`" for run in runs)
    codes = " and ".join(dict.fromkeys(run["machine"]["code"] for run in runs))
    kernels = sorted(run["machine"]["kernel_us"] for run in runs)
    return (
        f"The tables come from {commands}, with walkon {first['walkon']} (code {codes}) on one core of "
        f"{first['processor']}, {str(first['began'])[:10]}. The fixed NumPy kernel took "
        + " and ".join(f"{each:.0f}" for each in kernels)
        + " µs. `benchmarks/speed_page.py` wrote them."
    )


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("|".join(["", *(f" {cell} " if cell else " " for cell in cells), ""]) for cells in lines)


def by_problem(rows: list[Row]) -> dict[str, dict[str, list[Row]]]:
    """Group the rows by problem and solver, without our own worlds that are also among the peers' files."""
    found: dict[str, dict[str, list[Row]]] = {}
    for row in sorted(rows, key=lambda row: "." not in row["problem"]):  # files first
        name = Path(row["problem"]).name
        if name not in ("night 5x5", "pursuit 5x5"):
            found.setdefault(NAMES.get(name, name), {}).setdefault(row["solver"], []).append(row)
    return found


def after(rows: list[Row], seconds: float) -> Row | None:
    """Return the row after that many seconds, or the last row of a solver that had finished before."""
    reached = [row for row in rows if row["seconds"] >= seconds - 1e-9]
    return reached[0] if reached else rows[-1] if rows[-1]["stopped"] else None


def digits(problem: str) -> int:
    """Return the number of decimals that tell bounds apart."""
    return 3 if problem in ("Tag", "Hallway", "Hallway2", "RockSample 4x4") else 2


def said(row: Row | None, problem: str) -> str:
    """Format a lower bound, or both bounds."""
    if row is None:
        return ""
    lower = f"{row['lower']:.{digits(problem)}f}"
    return lower if row["upper"] is None else f"{lower} .. {row['upper']:.{digits(problem)}f}"


def size(row: Row) -> str:
    """Return the numbers of states, actions and observations."""
    return " / ".join(re.findall(r"([\d,]+) (?:states|actions|observations)", row["model"]))


def solvers(rows: list[Row]) -> str:
    """Compare the bounds of Ascent and Sarsop over time with the peers'."""
    lines = []
    for problem, own in by_problem(rows).items():
        ascent, sarsop = own["ascent"], own["sarsop"]
        last = said(after(sarsop, 60), problem)
        cells = [f"{problem} ({size(ascent[0])})", *(said(after(ascent, s), problem) for s in (1, 2, 10))]
        lines.append([*cells, said(after(sarsop, 10), problem), last and f"**{last}**", PEERS.get(problem, "")])
    heads = ["problem (states / actions / observations)", "`Ascent` 1 s", "2 s", "10 s", "`Sarsop` 10 s", "60 s"]
    return table([*heads, "peers 60 s"], lines)


def earned(rows: list[Row]) -> str:
    """Compare what the policies earned with what was proven."""
    lines = []
    for problem, own in by_problem(rows).items():
        for solver in ("ascent", "sarsop"):
            last = own[solver][-1]
            seconds = "" if last["stopped"] else f", {last['seconds']:.0f} s"
            played = f"{last['earned']:.{digits(problem)}f} ± {last['half_width_95']:.{digits(problem)}f}"
            lines.append([problem, f"`{solver.capitalize()}`{seconds}", said(last, problem), played])
    return table(["problem", "solver", "proven", "earned (95 %)"], lines)


def perseus(rows: list[Row]) -> str:
    """Compare Perseus with Ascent."""
    lines = []
    for problem, own in by_problem(rows).items():
        below = [after(own["perseus"], seconds) for seconds in (1, 2, 10)]
        lines.append([problem, *(said(each, problem) for each in [*below, after(own["ascent"], 1)])])
    return table(["lower bound", "`Perseus` 1 s", "2 s", "10 s", "`Ascent` 1 s"], lines)


def room(row: Row) -> list[str]:
    """Return the room, the number of states and the number of tasks."""
    return [row["world"].removeprefix("night "), f"{row['states']:,}", str(row["tasks"])]


def decisions(rows: list[Row]) -> str:
    """Return the table of decision times."""
    lines = [
        [
            *room(row),
            f"{row['vectors']:.0f}",
            f"{row['decision_us']:.0f} µs",
            f"{row['decision_p99_us']:.0f} µs",
            f"{row['update_us']:.1f} µs",
            f"{row['scipy_times']:.0f} times",
            f"{row['numpy_times']:.0f} times",
        ]
        for row in sorted(rows, key=lambda row: (row["states"], row["tasks"]))
    ]
    heads = ["Night-time Pursuit", "states", "K", "vectors", "decision, median", "99 % are below", "update"]
    return table([*heads, "SciPy takes", "dense NumPy takes"], lines)


def batch(rows: list[Row]) -> str:
    """Return the table of decisions per second."""
    lines = [[*room(row), f"{round(row['decisions_per_second'], -2):,.0f}"] for row in rows]
    return table(["Night-time Pursuit", "states", "K", "decisions per second"], lines)


def agents(rows: list[Row]) -> str:
    """Return the table of how agents play with the policies of each solver."""
    lines, before = [], ""
    for row in rows:
        named = f"{NAMES[row['library']]}, K = {row['tasks']}" if row["library"] != before else ""
        less = f"{row['difference']:+.2f} ± {row['half_width_95']:.2f}" if not named else ""
        cells = [f"{row['seconds']:.1f}", f"{row['lower']:.2f}", f"{row['vectors']:,.0f}"]
        lines.append([named, f"`{row['solver']}`", *cells, f"{row['atpo']:.2f}", f"{row['told']:.2f}", less])
        before = row["library"]
    heads = ["library", "solver", "CPU s", "mean lower bound", "vectors", "ATPO", "told the task"]
    return table([*heads, "ATPO minus the first"], lines)


def larger(rows: list[Row]) -> str:
    """Return the table of how larger worlds are built, solved and played."""
    lines = [
        [
            row["world"],
            f"{row['states']:,}",
            f"{row['build_seconds']:.2f}",
            f"{row['backups']:,}",
            f"{row['seconds']:.1f}",
            f"{row['lower']:.2f}",
            f"{row['vectors']:,}",
            f"{row['steps']:.2f} ± {row['half_width_95']:.2f}",
            f"{100 * row['solved']:.1f} %",
            f"{row['peak_mib'] / 1024:.1f} GiB",
        ]
        for row in rows
    ]
    heads = [
        "world",
        "states",
        "built, s",
        "backups",
        "solved, s",
        "lower bound",
        "vectors",
        "steps (95 %)",
        "captured",
    ]
    return table([*heads, "peak memory"], lines)


def building(rows: list[Row]) -> str:
    """Return the table of the times to build a library."""
    lines = []
    for row in rows:
        options = row["options"].replace("size=", "").replace("teammates=2", "two teammates").replace("role=", "as ")
        grid = re.sub(r"^(\d+)", r"\1 x \1", options)
        name = f"{WORLDS[row['world']]} {grid}".strip() if grid[:1].isdigit() else f"{WORLDS[row['world']]}, {grid}"
        lines.append([name.strip(", "), f"{row['states']:,}", str(row["tasks"]), f"{row['seconds']:.2f}"])
    return table(["library", "states", "K", "CPU s"], lines)


def starting(rows: list[Row]) -> str:
    """Return a sentence with the times to start."""
    return (
        "Starting a process takes " + " and ".join(f"{row['seconds']:.2f} s for `{row['what']}`" for row in rows) + "."
    )


if __name__ == "__main__":
    main()
