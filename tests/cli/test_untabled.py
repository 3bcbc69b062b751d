"""The command line with libraries that have no tables."""

import json
from pathlib import Path

import pytest

import walkon
from command_line import run_here
from untabled_worlds import Walk

FILE = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
import walkon
from untabled_worlds import Walk

def library(far: int = 4):
    return walkon.define([Walk(far), Walk(-far)], tables=False)
"""
HOW = ("--trials", 3, "--jobs", 1, "--score", "steps", "--agent", "atpo", "--agent", "search:simulations=3")


@pytest.fixture
def file(tmp_path):
    (tmp_path / "walks.py").write_text(FILE)
    return tmp_path / "walks.py"


def test_compare_gives_the_numbers_of_python(file):
    found = json.loads(run_here("compare", file, *HOW, "--vary", "far=3,4", "--json").stdout)["points"][1]
    library = walkon.define([Walk(4), Walk(-4)], tables=False)
    expected = walkon.compare(library, ["atpo", "search:simulations=3"], trials=3, score="steps")
    for name, numbers in expected.numbers.items():
        assert found["results"][name]["all"]["mean"]["mean"] == pytest.approx(numbers.mean())


def test_play_saves_an_episode_that_its_library_shows_again(file, tmp_path):
    saved = tmp_path / "episode.json"
    played = run_here("play", file, "--task", 1, "--agent", "search:simulations=3", "--fast", "--save", saved)
    shown = run_here("play", saved, "--library", file, "--fast")
    assert played.stdout.splitlines()[-4:-1] == shown.stdout.splitlines()[-3:]
    assert "--library" in run_here("play", saved).stderr


def test_worlds_have_their_tables_turned_off():
    done = run_here(
        "play", "tag", "--no-tables", "--tasks", 2, "--horizon", 2, "--agent", "search:seconds=0.001", "--json"
    )
    document = json.loads(done.stdout)
    assert document["options"] == {"tables": False, "tasks": 2}
    assert document["states"][0].startswith("(")
    assert run_here("play", "rock-sample", "--no-tables", "--horizon", 1, "--fast").stdout.startswith(
        "rock-sample · search"
    )
