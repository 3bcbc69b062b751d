"""Standard output under --json: one document whatever happens, and nothing else; and both streams in a pipe."""

import json
import os
import re
import subprocess

import pytest

import walkon
from command_line import run, run_here
from pressing import pressing
from waiting import PATIENCE
from walkon.cli.main import Interrupted

CORRIDOR = """
import os, sys, walkon

print("building")
os.write(1, b"from below\\n")

class Meeting:
    start = {"left": 0.5, "right": 0.5}
    actions = ("left", "right")

    def teammates(self, x):
        print("asked")
        return "left"

    def moves(self, x, a, b):
        return a

    def reward(self, x, a, b, y):
        return 1.0 if x == "left" else 0.0

library = walkon.define([Meeting()])
"""


@pytest.fixture
def talker(tmp_path):
    (tmp_path / "talker.py").write_text(CORRIDOR)
    return tmp_path / "talker.py"


def test_what_a_users_file_prints_is_no_part_of_the_document(talker):
    done = run("check", talker, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tasks"]
    for said in ("building", "from below", "asked"):
        assert said in done.stderr
    assert "building" in run_here("check", talker).stdout


def test_a_file_that_calls_exit_is_an_error(tmp_path):
    (tmp_path / "leaves.py").write_text("import sys\n\nsys.exit(0)\n")
    done = run_here("check", tmp_path / "leaves.py")
    assert done.returncode == 2
    assert "line 3: it calls sys.exit(0), expected to run to its end" in done.stderr


BAD = {
    "bad input": (["play", "nowhere"], 'no world and no file "nowhere"'),
    "a missing file": (["check", "nowhere.pomdp"], "nowhere.pomdp"),
    "wrong usage": (["solve", "tiger", "--beliefs", "x"], "--beliefs"),
    "an unknown option": (["list", "--colour"], "--colour"),
    "an unknown command": (["sing"], "sing"),
    "a negative seed": (["solve", "tiger", "--seed", "-1"], "--seed is -1, expected a whole number from 0 on"),
    "a negative seed of an agent": (["prepare", "pursuit", "--seed", "-1"], "--seed is -1"),
    "an unknown agent": (["prepare", "pursuit", "--agent", "nobody"], "there is no agent 'nobody'"),
    "an agent that is not told the task": (["prepare", "pursuit", "--target", "0"], "atpo is not told the task"),
    "two agents in one word": (["play", "pursuit", "--agent", "atpo,random"], "'atpo,random' is more than one agent"),
}


@pytest.mark.parametrize(("case", "how"), [(case, run_here) for case in BAD] + [(case, run) for case in list(BAD)[:1]])
def test_an_error_is_a_document_too(case, how):
    words, message = BAD[case]
    done = how(*words, "--json")
    assert done.returncode == 2
    assert message in json.loads(done.stdout)["error"]
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_json_may_come_first_and_the_version_is_a_document():
    assert json.loads(run_here("--json", "list").stdout)["worlds"]
    assert json.loads(run_here("--version", "--json").stdout) == {"version": walkon.__version__}


@pytest.mark.parametrize("words", [["-h"], ["play", "-h"], ["solve", "-h"]])
def test_help_has_a_short_name(words):
    done = run_here(*words)
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_shells_can_complete():
    done = run("--show-completion", "bash", env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    assert done.returncode == 0, done.stderr
    assert "_WALKON_COMPLETE" in done.stdout or "_COMPLETE" in done.stdout


ESCAPE = re.compile("\x1b\\[[0-9;?]*([A-Za-z])")


@pytest.mark.parametrize(
    ("colours", "codes"), [({"FORCE_COLOR": "1"}, {"m"}), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, set())]
)
def test_a_pipe_gets_colours_only_where_they_are_asked_for_and_never_a_moving_cursor(colours, codes):
    done = run("solve", "tiger", "--backups", 20, "--episodes", 100, env=os.environ | colours)
    assert done.returncode == 0, done.stderr
    assert set(ESCAPE.findall(done.stdout + done.stderr)) <= codes
    assert "" not in done.stderr.splitlines()  # where the bars would be


def test_without_a_locale_every_command_writes_utf_8():
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    bare = plain | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run("solve", "tiger", "--backups", 20, "--episodes", 100, env=bare, encoding="utf-8")
    assert "±" in done.stdout
    again = run("play", "pursuit", "--size", 3, "--agent", "random", "--fast", env=bare, encoding="utf-8")
    assert "pursuit · random · seed 0" in again.stdout


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_ctrl_c_while_an_import_makes_a_class_is_an_interrupt_too(words, monkeypatch):
    def press(*_, **__):
        class Pressed:
            def __set_name__(self, *_):
                raise Interrupted(130)

        return type("Late", (), {"pressed": Pressed()})

    monkeypatch.setattr("walkon.identify", press)
    done = run_here("identify", "night-pursuit", "--size", 3, "--tasks", 2, "--trials", 2, *words)
    assert done.returncode == 130
    assert done.stderr.split()[-1] == "interrupted"


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_ctrl_c_while_a_kernel_returns_its_arrays_is_an_interrupt_too(words, monkeypatch):
    def press(*_, **__):
        """What CPython raises where compiled code returns although a signal handler has raised."""
        try:
            raise SystemError("the first array returned a result with an exception set") from Interrupted(130)
        except SystemError as problem:
            raise SystemError("episode returned a result with an exception set") from problem

    monkeypatch.setattr("walkon.identify", press)
    done = run_here("identify", "night-pursuit", "--size", 3, "--tasks", 2, "--trials", 2, *words)
    assert done.returncode == 130
    assert done.stderr.split()[-1] == "interrupted"


def test_ctrl_c_stops_the_playing_and_keeps_what_was_played():
    most = 2**31
    words = ["solve", "tiger", "--backups", 20, "--episodes", most, "--json"]
    done = subprocess.run(
        pressing("walkon.simulation.play", "discounted_returns", *words, side="after", n=300),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
    )
    assert done.returncode == 130, done.stderr
    assert 300 <= json.loads(done.stdout)["simulated"]["episodes"] < most
    assert re.search(r"playing 2,147,483,648 episodes will take about \d+ (minutes|hours|days)", done.stderr)
