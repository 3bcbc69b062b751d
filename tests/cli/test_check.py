"""`walkon check`: what is wrong with a file, in words."""

import json

import pytest

from command_line import run, run_here
from walkon.domains.classics import tiger
from walkon.formats.cassandra.writer import write_pomdp

STUCK = """discount: 0.9
values: reward
states: here there
actions: wait
observations: 1
start: here
T: wait identity
O: wait uniform
R: wait : * : * : * 0
"""


def test_a_sound_file_gives_its_sizes(tmp_path):
    write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    done = run("check", tmp_path / "tiger.pomdp")
    assert done.returncode == 0, done.stderr
    assert "2 states, 3 actions, 2 observations" in done.stdout
    assert "nothing doubtful" in done.stdout


def test_what_is_doubtful_is_said_and_is_no_error(tmp_path):
    (tmp_path / "stuck.pomdp").write_text(STUCK)
    done = run_here("check", tmp_path / "stuck.pomdp")
    assert done.returncode == 0
    assert "doubtful: never reached from the start: 1 of 2 states (there)" in done.stdout
    assert "every reward is 0" in done.stdout
    kinds = [
        doubt["kind"] for doubt in json.loads(run_here("check", tmp_path / "stuck.pomdp", "--json").stdout)["doubts"]
    ]
    assert kinds == ["unreached states", "constant reward", "absorbing states"]


def test_a_mistake_is_said_with_its_place_and_exits_2(tmp_path):
    (tmp_path / "bad.pomdp").write_text(STUCK.replace("T: wait identity", "T: wait identify"))
    done = run("check", tmp_path / "bad.pomdp")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "bad.pomdp, line 7, column" in done.stderr
    assert "Traceback" not in done.stderr
    done = run_here("check", tmp_path / "bad.pomdp", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["mistake"]["line"] == 7


@pytest.mark.parametrize("name", ["nothing.pomdp", "picture.png", "."])
def test_what_cannot_be_checked_exits_2_with_one_message(name, tmp_path):
    done = run_here("check", tmp_path / name)
    assert done.returncode == 2
    assert str(tmp_path / name) in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
