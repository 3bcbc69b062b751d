"""The gallery shows what the examples print and draw, and `walkon examples` brings them to whoever has the package."""

import json
import runpy
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

import walkon
from command_line import run_here
from walkon.trials.notebook import episode_film

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
GALLERY = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
PAGE = (ROOT / "docs" / "gallery.md").read_text()
DRAWN_BY_WALKON = {"museum", "robot", "notebook"}  # matplotlib draws the others, each version a little differently


@pytest.mark.parametrize("name", GALLERY["SHOWN"])
def test_an_example_prints_and_draws_what_the_gallery_shows(name, tmp_path, monkeypatch):
    monkeypatch.setattr("walkon.solvers.parallel.cores", lambda: 1)
    monkeypatch.setattr("walkon.formats.policy_cache.cache_folder", lambda kind: tmp_path / kind)
    found = GALLERY["run"](GALLERY["find"](name), tmp_path)
    assert GALLERY["section"](name, found.output) in PAGE, (
        f"`python docs/gallery.py` makes the page new: {found.output}"
    )
    shown = (GALLERY["PICTURES"] / f"{name}.svg").read_text()
    if name in DRAWN_BY_WALKON:
        assert found.picture == shown
    assert ElementTree.fromstring(found.picture).tag == ElementTree.fromstring(shown).tag


def test_the_gallery_has_every_example_and_nothing_else():
    outputs = {name: PAGE.partition(f"{name}.svg)\n\n```text\n")[2].partition("```")[0] for name in GALLERY["SHOWN"]}
    assert GALLERY["page"](outputs) == PAGE
    assert {path.stem for path in GALLERY["PICTURES"].iterdir()} == set(GALLERY["SHOWN"])


def test_a_trained_policy_beats_chance():
    trained, chance = (float(line.split()[1]) for line in PAGE.partition("train.svg)\n\n```text\n")[2].splitlines()[:2])
    assert trained < 0.6 * chance


def test_a_notebook_holds_no_output_and_no_place_of_a_machine():
    document = json.loads((EXAMPLES / "notebook.ipynb").read_text())
    assert document["nbformat"] == 4
    code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_an_episode_without_its_task_cannot_be_filmed():
    library = walkon.make("night-pursuit", size=3, tasks=1)
    episode = walkon.play(library[0], walkon.agent("random", library), horizon=2)
    assert episode_film(episode).count('class="f"') == 1 + episode.steps
    with pytest.raises(walkon.InputError, match=r"does not hold its task: play it with walkon\.play"):
        episode_film(replace(episode, played=None))


def test_all_examples_are_listed_with_a_sentence():
    done = run_here("examples")
    assert done.returncode == 0, done.stderr
    listed = json.loads(run_here("examples", "--json").stdout)
    assert set(listed) == {path.stem for path in EXAMPLES.glob("*.*")}
    assert all(text.endswith((".", "?")) for text in listed.values())
    assert all(f"  {name} " in done.stdout for name in listed)


def test_one_is_printed_to_the_letter():
    text = (EXAMPLES / "corridor.py").read_text()
    assert run_here("examples", "corridor").stdout == text
    assert json.loads(run_here("examples", "corridor", "--json").stdout)["text"] == text
    wrong = run_here("examples", "corridors")
    assert wrong.returncode == 2
    assert "NAME is 'corridors', expected one of 'cluster', 'comparing', 'corridor'" in wrong.stderr.replace("\n", " ")


def test_one_is_copied_with_what_it_reads_and_replaces_nothing(tmp_path):
    assert run_here("examples", "robot", "--out", tmp_path / "new").returncode == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"robot.py", "museum.py"}
    (tmp_path / "new" / "robot.py").unlink()
    assert run_here("examples", "robot", "--out", tmp_path / "new").returncode == 0  # what it reads is there already
    (tmp_path / "new" / "robot.py").unlink()
    (tmp_path / "new" / "museum.py").write_text("mine")
    again = run_here("examples", "robot", "--out", tmp_path / "new")
    assert again.returncode == 2
    assert "museum.py" in again.stderr
    assert (tmp_path / "new" / "museum.py").read_text() == "mine"
    assert not (tmp_path / "new" / "robot.py").exists()
    done = run_here("examples", "corridor", "--out", tmp_path / "mine.py", "--json")
    assert json.loads(done.stdout) == {"written": [str(tmp_path / "mine.py")]}
    assert len(walkon.read_library(tmp_path / "mine.py")) == 2
    assert run_here("examples", "--out", tmp_path / "all").returncode == 0
    assert len(list((tmp_path / "all").iterdir())) == len(list(EXAMPLES.glob("*.*")))
