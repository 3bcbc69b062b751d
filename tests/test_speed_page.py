"""The tables on speed are filled in from what was measured, and nothing else on the page is touched."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import PATIENCE

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "speed.md"
MARKED = re.compile(r"<!-- table: (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)


def solved(problem, solver, seconds, lower, upper=None, stopped="", earned=None):
    return {
        "problem": problem,
        "model": "POMDP(60 states, 5 actions, 21 observations, discount 0.95)",
        "solver": solver,
        "seconds": seconds,
        "lower": lower,
        "upper": upper,
        "vectors": 7,
        "stopped": stopped,
        "earned": earned,
        "half_width_95": None if earned is None else 0.25,
    }


MEASURED = {
    "machine": {
        "kernel_us": 770.4,
        "walkon": "1.2.3",
        "code": "abc",
        "processor": "a fast one",
        "began": "2026-11-15T10:00:00",
        "command": "walkon bench --full --out speed",
    },
    "sections": {
        "solvers": [
            solved("hallway", "ascent", 1.0, 0.5),
            solved("hallway", "ascent", 2.0, 0.75),
            solved("hallway", "ascent", 3.5, 0.875, stopped="converged", earned=1.0),
            solved("hallway", "sarsop", 10.0, 0.625, 1.5),
            solved("hallway", "sarsop", 60.0, 0.6875, 1.25, earned=1.125),
            solved("hallway", "perseus", 1.0, 0.25, earned=0.5),
            *(solved("pursuit 5x5", solver, 1.0, 80.0) for solver in ("ascent", "sarsop", "perseus")),
        ],
        "decisions": [
            {"world": "night 5x5", "states": 625, "tasks": 4, "vectors": 613.25, "decision_us": 22.4}
            | {"decision_p99_us": 151.2, "update_us": 5.25, "scipy_times": 89.4, "numpy_times": 84.2}
        ],
        "batch": [{"world": "night 5x5", "states": 625, "tasks": 4, "decisions_per_second": 26_345.6}],
        "building": [
            {
                "world": "night-pursuit",
                "options": "size=5, teammates=2",
                "tasks": 4,
                "states": 15_625,
                "seconds": 2.125,
            },
            {"world": "pursuit", "options": "", "tasks": 3, "states": 552, "seconds": 0.151},
            {"world": "overcooked", "options": "role=cook", "tasks": 2, "states": 1_728, "seconds": 0.052},
        ],
        "agents": [
            {"library": "night 5x5", "tasks": 4, "solver": "Perseus()", "seconds": 3.58, "lower": 68.63}
            | {"vectors": 322.4, "atpo": 17.61, "told": 7.13, "difference": 0.0, "half_width_95": 0.0},
            {"library": "night 5x5", "tasks": 4, "solver": "Ascent(backups=1_000)", "seconds": 0.46, "lower": 68.1}
            | {"vectors": 289.6, "atpo": 17.75, "told": 7.2, "difference": 0.14, "half_width_95": 0.5},
        ],
        "larger": [
            {"world": "night 10x10", "states": 10_000, "backups": 4_000, "build_seconds": 0.08, "seconds": 3.14}
            | {"lower": 30.02, "vectors": 1_417, "steps": 19.72, "half_width_95": 0.99, "solved": 0.99}
            | {"peak_mib": 614.4}
        ],
        "starting": [{"what": "import walkon", "seconds": 0.031}, {"what": "walkon --help", "seconds": 0.192}],
    },
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A page like the one in the documentation, filled in from what was measured."""
    folder = tmp_path_factory.mktemp("speed")
    (folder / "docs" / "images").mkdir(parents=True)
    (folder / "docs" / "speed.md").write_text(PAGE.read_text())
    (folder / "bench.json").write_text(json.dumps(MEASURED))
    (folder / "growth.png").write_bytes(b"a picture")
    script = ROOT / "benchmarks" / "speed_page.py"
    subprocess.run([sys.executable, script, folder], check=True, timeout=PATIENCE, cwd=folder)
    assert (folder / "docs" / "images" / "growth.png").read_bytes() == b"a picture"
    return (folder / "docs" / "speed.md").read_text()


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("machine", "with walkon 1.2.3 (code abc) on one core of a fast one, 2026-11-15"),
        ("machine", "kernel took 770 µs"),
        (
            "solvers",
            "| Hallway (60 / 5 / 21) | 0.500 | 0.750 | 0.875 | 0.625 .. 1.500 | **0.688 .. 1.250** | 0.992 .. 1.207 |",
        ),
        ("earned", "| Hallway | `Ascent` | 0.875 | 1.000 ± 0.250 |"),
        ("earned", "| Hallway | `Sarsop`, 60 s | 0.688 .. 1.250 | 1.125 ± 0.250 |"),
        ("perseus", "| Hallway | 0.250 | | | 0.500 |"),
        ("decisions", "| 5x5 | 625 | 4 | 613 | 22 µs | 151 µs | 5.2 µs | 89 times | 84 times |"),
        ("batch", "| 5x5 | 625 | 4 | 26,300 |"),
        ("building", "| Night-time Pursuit 5 x 5, two teammates | 15,625 | 4 | 2.12 |"),
        ("building", "| Pursuit | 552 | 3 | 0.15 |"),
        ("building", "| Overcooked, as cook | 1,728 | 2 | 0.05 |"),
        ("agents", "| our night 5 x 5, K = 4 | `Perseus()` | 3.6 | 68.63 | 322 | 17.61 | 7.13 | |"),
        ("agents", "| | `Ascent(backups=1_000)` | 0.5 | 68.10 | 290 | 17.75 | 7.20 | +0.14 ± 0.50 |"),
        (
            "larger",
            "| night 10x10 | 10,000 | 0.08 | 4,000 | 3.1 | 30.02 | 1,417 | 19.72 ± 0.99 | 99.0 % | 0.6 GiB |",
        ),
        ("starting", "0.03 s for `import walkon` and 0.19 s for `walkon --help`."),
    ],
)
def test_a_table_has_what_was_measured(filled, table, line):
    assert line in dict(MARKED.findall(filled))[table]


def test_problems_in_the_peers_files_are_not_listed_twice(filled):
    assert "pursuit 5" not in dict(MARKED.findall(filled))["solvers"]


def test_nothing_else_is_touched(filled):
    assert MARKED.sub("", filled) == MARKED.sub("", PAGE.read_text())


def test_the_page_in_the_documentation_is_whole():
    tables = dict(MARKED.findall(PAGE.read_text()))
    assert {name for name, text in tables.items() if text.strip()} == {
        *("machine", "solvers", "earned", "perseus", "decisions", "batch", "agents"),
        *("larger", "building", "starting"),
    }
