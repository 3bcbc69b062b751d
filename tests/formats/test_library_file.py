"""A library in a user's file."""

import json

import pytest

import walkon
from command_line import run_here
from walkon.domains.classics import tiger
from walkon.errors import InputError
from walkon.formats.check import check
from walkon.formats.library_file import read_library

LAMP = """
import walkon
from words import BRIGHT

class Lamp:
    start, actions, teammate_actions = "off", ["press", "wait"], ["wait"]
    def teammates(self, x):
        return "wait"
    def moves(self, x, a, b):
        return [("on", 0.9), (x, 0.1)] if a == "press" else x
    def sensor(self, a, y):
        return BRIGHT if y == "on" else "dark"
    def reward(self, x, a, b, y):
        return 1 if y == "on" else 0

library = walkon.define([Lamp()])
"""


@pytest.fixture
def lamp(tmp_path):
    (tmp_path / "words.py").write_text('BRIGHT = "bright"')
    (tmp_path / "lamp.py").write_text(LAMP)
    return tmp_path / "lamp.py"


def test_a_python_file_is_run_with_what_lies_beside_it(lamp):
    assert read_library(lamp).observations == ("bright", "dark")


def test_a_library_may_be_a_function(lamp):
    lamp.write_text(LAMP.replace("library = ", "def library(): return "))
    assert len(read_library(lamp)) == 1


def test_pomdp_files_are_a_library_of_as_many_tasks(tmp_path):
    walkon.write_pomdp(tiger(), tmp_path / "a.pomdp")
    walkon.write_pomdpx(tiger(0.7), tmp_path / "b.pomdpx")
    assert read_library(tmp_path / "a.pomdp", tmp_path / "b.pomdpx").names == ("a", "b")


def test_a_bundle_of_a_library_a_task_a_model_or_an_agent_is_a_library(lamp, tmp_path):
    library = read_library(lamp)
    for thing in (library, library[0], library[0].pomdp, walkon.agent("random", library)):
        walkon.save(thing, tmp_path / "x.safetensors")
        assert read_library(tmp_path / "x.safetensors")[0].pomdp.hash == library[0].pomdp.hash


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n", r"lamp.py defines nothing as `library`: expected `library = walkon.define"),
        ("library = 7\n", r"lamp.py defines a int as `library`"),
        ("x = (\n", r"lamp.py, line 1: '\(' was never closed"),
        ("import walkon\n\nwalkon.nothing\n", r"lamp.py, line 3: AttributeError: module 'walkon' has no"),
        (LAMP.replace("0.9", "0.8"), r"lamp.py, line 16: Lamp 0: moves\(off; press; wait\) sums to 0.9, not 1"),
        (
            LAMP.replace('return "wait"', "return x.on"),
            r"line 16: Lamp 0: teammates\(off\) failed with AttributeError: .*lamp.py, line 8\)",
        ),
    ],
)
def test_an_error_in_it_names_its_line(lamp, text, told):
    lamp.write_text(text)
    with pytest.raises(InputError, match=told):
        read_library(lamp)
    report = check(lamp)
    assert report.mistake is not None
    assert str(lamp) in report.mistake.message


def test_a_mistake_in_it_exits_2_without_a_traceback(lamp):
    lamp.write_text(LAMP.replace("0.9", "0.8"))
    done = run_here("check", lamp)
    assert done.returncode == 2
    assert "sums to 0.9, not 1 (off by -0.1)" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_no_library_is_refused(tmp_path):
    walkon.save(walkon.solve(tiger(), walkon.QMDP()).policy, tmp_path / "policy.safetensors")
    with pytest.raises(InputError, match="holds an AlphaVectors, expected a library, a task, a POMDP or an agent"):
        read_library(tmp_path / "policy.safetensors")
    with pytest.raises(InputError, match="there is no file"):
        read_library(tmp_path / "none.py")
    (tmp_path / "two.py").write_text("")
    with pytest.raises(InputError, match=r"two\.py: several files make a library only if all of them are \.pomdp"):
        read_library(tmp_path / "policy.safetensors", tmp_path / "two.py")


def test_check_reports_each_task_of_a_library_as_json(lamp, tmp_path):
    walkon.save(read_library(lamp), tmp_path / "lamp.safetensors")
    for path, omitted in ((lamp, ["omitted"]), (tmp_path / "lamp.safetensors", [])):
        done = run_here("check", path, "--json")
        report = json.loads(done.stdout)
        assert report["content"] is None
        assert [task["name"] for task in report["tasks"]] == ["Lamp 0"]
        assert report["tasks"][0]["content"]["states"] == 2
        assert [doubt["kind"] for doubt in report["tasks"][0]["doubts"]] == [*omitted, "absorbing states"]


def test_a_model_in_a_bundle_is_checked_as_a_model(tmp_path):
    walkon.save(tiger(), tmp_path / "tiger.safetensors")
    assert check(tmp_path / "tiger.safetensors").content.kind == "POMDP"


def test_commands_refuse_options_that_are_for_the_worlds(lamp):
    for arguments in (("play", lamp, "--size", 3), ("solve", lamp, "--size", 3)):
        done = run_here(*arguments)
        assert done.returncode == 2
        assert "worlds" in done.stderr
    assert run_here("solve", lamp, "--task", 3).returncode == 2
    assert "--task is an option of the worlds and of libraries" in run_here("solve", "tiger", "--task", 0).stderr
