"""The page of results is made from a run, and names it."""

import subprocess
import sys
from pathlib import Path

import pytest

from small_runs import KITCHEN, SETTINGS, small_trials
from waiting import PATIENCE
from walkon.cli.reproduce import conclude
from walkon.runs.provenance import provenance
from walkon.runs.run import Alone, run
from walkon.runs.store import Store

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder of results with the kitchen alone, and the page that was made of it."""
    results, docs = tmp_path_factory.mktemp("results"), tmp_path_factory.mktemp("docs")
    with Store(results, write=True) as store:
        store.begin(provenance("walkon reproduce 6a"), SETTINGS.record())
        run(small_trials(KITCHEN), store, Alone(str(tmp_path_factory.mktemp("policies"))))
        conclude(store, json=True)
    script = ROOT / "benchmarks" / "results_page.py"
    subprocess.run([sys.executable, script, results, docs], check=True, timeout=PATIENCE)
    return docs


def test_it_names_the_run_and_shows_what_was_found(made):
    page = (made / "results.md").read_text()
    assert "comes from one run: `walkon reproduce 6a`, with walkon " in page
    assert "| Value Iteration |" in page
    assert "| Overcooked | Random | -" in page
    assert "no data" in page  # of the claims about figures that were not run


def test_every_picture_exists(made):
    page = (made / "results.md").read_text()
    drawn = sorted(path.stem for path in (made / "images" / "results").iterdir())
    assert drawn == ["6a", "6b"]
    for name in drawn:
        assert f"(images/results/{name}.svg)" in page


def test_the_page_in_the_documentation_is_whole():
    page = (ROOT / "docs" / "results.md").read_text()
    pictures = ROOT / "docs" / "images" / "results"
    assert page.count("](images/results/") == len(list(pictures.iterdir())) == 22
    assert "no data" not in page
