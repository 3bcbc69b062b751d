"""The first game as data: what comes with the package is what the library makes, and a folder can hold it."""

import json

import numpy as np
import pytest

import walkon
from command_line import run_here
from walkon.agents.registry import AGENTS
from walkon.errors import InputError
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.web import first_game
from walkon.web.first_game import contents, export, ready_policies, scripts
from walkon.web.library_script import LibraryScript

SCRIPTS = {script.facts["key"]: script for script in scripts()}
POLICY = ("scales", "levels", "actions", "best")
LARGEST_PAGE = 3_000_000


def library_of(key):
    facts = SCRIPTS[key].facts
    return walkon.make(facts["world"], **facts["options"], tremble=facts["tremble"])


@pytest.mark.parametrize("key", SCRIPTS)
def test_the_models_that_come_with_the_page_are_those_of_the_library(key):
    script, library = SCRIPTS[key], library_of(key)
    made = LibraryScript.of(library, script.policies())
    assert made.facts == {name: script.facts[name] for name in made.facts}
    for name, array in made.arrays.items():
        if not name.startswith(POLICY):
            np.testing.assert_array_equal(script.arrays[name], array.ravel(), err_msg=name)
    assert script.facts["agents"] == {
        name: [AGENTS[name].title, AGENTS[name].summary] for name in script.facts["agents"]
    }


@pytest.mark.parametrize(
    "key", ["overcooked", "night-pursuit-easy", *(pytest.param(key, marks=pytest.mark.long) for key in SCRIPTS)]
)
def test_the_policies_that_come_with_the_page_are_worth_what_the_solver_finds(key):
    library = library_of(key)
    found = walkon.agent("atpo", walkon.TaskLibrary([library[0]]), jobs=1).policies[0]
    ready = ready_policies(library.hash)[0]
    if not isinstance(found, AlphaVectors):
        np.testing.assert_array_equal(ready.choices, found.choices)
        return
    start = library[0].pomdp.start
    assert ready.value(start) == pytest.approx(found.value(start), rel=0.03)


def test_other_libraries_have_no_policies_ready():
    assert ready_policies(walkon.make("night-pursuit", size=3, tasks=2).hash) is None


def test_the_page_is_small_and_names_no_other_host():
    assert sum(map(len, contents().values())) < LARGEST_PAGE
    texts = {name: content.decode("utf-8") for name, content in contents().items()}
    written = {name: text for name, text in texts.items() if name not in {f"{key}.js" for key in SCRIPTS}}
    allowed = "http://www.w3.org/"  # the name of SVG, which nobody loads
    assert not [name for name, text in written.items() if "http" in text.replace(allowed, "").replace("https", "http")]


def test_a_folder_gets_the_page_again_and_again(tmp_path):
    folder = tmp_path / "new" / "page"
    sizes = export(folder)
    (folder / "index.html").write_text("an older copy")
    assert export(folder) == sizes
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == dict(contents())


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("all of it")
    with pytest.raises(InputError, match=r'has "thesis.tex" in it'):
        export(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_in_the_place_of_the_folder_is_left_alone(tmp_path):
    (tmp_path / "page").write_text("mine")
    with pytest.raises(InputError, match="is a file, expected a folder"):
        export(tmp_path / "page")
    with pytest.raises(InputError, match="cannot be made: Not a directory"):
        export(tmp_path / "page" / "below")
    assert (tmp_path / "page").read_text() == "mine"


def test_a_folder_that_cannot_be_written_keeps_the_older_front_page(tmp_path, monkeypatch):
    folder = tmp_path / "page"
    export(folder)
    (folder / "index.html").write_text("older")
    page = contents()
    monkeypatch.setattr(first_game, "contents", lambda: {**page, "game.js": "no bytes"})
    with pytest.raises(TypeError):
        export(folder)
    assert (folder / "index.html").read_text() == "older"
    assert {path.name for path in folder.iterdir()} == page.keys()  # and no draft


def test_the_command_says_where_the_page_is(tmp_path):
    said = json.loads(run_here("export-page", str(tmp_path / "page"), "--json").stdout)
    assert said["page"].endswith("index.html")
    assert said["files"].keys() == contents().keys()
    assert said["bytes"] == sum(map(len, contents().values()))
