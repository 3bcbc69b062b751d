"""The view `results` of a run, as the documentation queries it."""

import json
import re
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from small_runs import few_sweeps
from walkon.cli.main import app
from walkon.paper.run import FIGURES

PAGE = Path(__file__).parents[2] / "docs" / "reproduce.md"
QUERY = re.search(r'sqlite3 results/results.sqlite "(.*)"', PAGE.read_text())[1]


def test_the_mean_that_the_documentation_computes_is_that_of_the_report(tmp_path, monkeypatch):
    """However many calls with other seeds and settings wrote to the folder before."""
    monkeypatch.setattr("walkon.paper.run.Run.parts", property(few_sweeps))
    monkeypatch.setattr("walkon.runs.run.cores", lambda: 1)
    monkeypatch.setattr("walkon.formats.policy_cache.cache_folder", lambda kind: tmp_path / kind)
    figure = next(name for name, each in FIGURES.items() if each.sweep == "pursuit")
    out = ["--quick", "--reading", "literal", "--json", "--out", str(tmp_path / "results")]
    for settings in (["--seed", "1"], ["--trials", "10"]):
        done = CliRunner().invoke(app, ["reproduce", figure, *settings, *out])
        assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["results"]
    reported = {row["agent"]: (row["steps"], row["solved"]) for row in rows if row["sweep"] == "pursuit"}
    base = sqlite3.connect(tmp_path / "results" / "results.sqlite")
    found = {agent: numbers for agent, *numbers in base.execute(QUERY)}
    of_all = dict(base.execute("SELECT agent, avg(steps) FROM trials GROUP BY agent"))
    facts = base.execute("SELECT DISTINCT quick, size FROM results").fetchall()
    base.close()
    assert reported
    assert found == {agent: pytest.approx(numbers) for agent, numbers in reported.items()}
    assert of_all != {agent: pytest.approx(steps) for agent, (steps, _) in reported.items()}  # other seeds are in it
    assert facts == [(1, 3)]
