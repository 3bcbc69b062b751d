"""A person who follows the tutorial word by word gets what it says."""

import os
import sys
from pathlib import Path

import pytest

from following import Command, agree, blocks, commands, follow
from wheels import build_wheel

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "tutorial.md").read_text()
INSTALLING = ("python3 -m venv", "source", "pip")


def environment(**more):
    """That of a person: nothing that concerns the tests, and no window that opens."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "WALKON"))}
    return kept | {"BROWSER": "true", "COLUMNS": "80"} | more


def test_the_tutorial_shows_what_happens(tmp_path):
    """All but the installation, where walkon is installed already."""
    there = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    follow(PAGE, tmp_path, environment(PATH=there), leave_out=INSTALLING)
    assert (tmp_path / "steps.svg").read_text().count("<svg") == 1


@pytest.mark.long
def test_the_tutorial_shows_what_happens_in_an_empty_environment(tmp_path):
    """From a wheel, which is offered to pip in addition to its configured index."""
    wheel = build_wheel(tmp_path / "dist")
    folder, cache = tmp_path / "empty", tmp_path / "cache"
    folder.mkdir()
    offers = f"{wheel.parent} {os.environ.get('PIP_FIND_LINKS', '')}".strip()
    alone = environment(PIP_FIND_LINKS=offers, XDG_CACHE_HOME=str(cache))
    alone.pop("PYTHONPATH", None)
    alone.pop("VIRTUAL_ENV", None)
    alone["PATH"] = os.pathsep.join(
        each for each in alone["PATH"].split(os.pathsep) if Path(each) != Path(sys.executable).parent
    )
    follow(PAGE, folder, alone)
    assert list((folder / "env").rglob("site-packages/walkon/paper/report/report.css"))


def test_its_own_task_is_the_first_example():
    (written,) = (block.text for block in blocks(PAGE) if block.title == "corridor.py")
    assert written == (ROOT / "examples" / "corridor.py").read_text()


def test_commands_are_told_apart_from_output():
    assert commands("$ a b\n$ c\nsaid\n  more\n") == [Command("a b", ""), Command("c", "said\n  more\n")]


def test_the_output_must_be_what_the_page_shows():
    agree("a", "one ... three\n", "one two three\n")
    with pytest.raises(AssertionError, match="is shown to say"):
        agree("a", "one\n", "two\n")
