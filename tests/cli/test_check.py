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
    done = run_here("check", tmp_path / "bad.pomdp")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "bad.pomdp, line 7, column" in done.stderr
    assert "Traceback" not in done.stderr
    done = run_here("check", tmp_path / "bad.pomdp", "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["mistake"]["line"] == 7


def test_a_misspelt_file_is_guessed(tmp_path):
    (tmp_path / "tiger.pomdp").write_text("")
    assert f"(did you mean '{tmp_path / 'tiger.pomdp'}'?)" in run_here("check", tmp_path / "tigger.pomdp").stderr


@pytest.mark.parametrize("name", ["nothing.pomdp", "picture.png", "."])
def test_what_cannot_be_checked_exits_2_with_one_message(name, tmp_path):
    done = run_here("check", tmp_path / name)
    assert done.returncode == 2
    assert str(tmp_path / name) in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


ROUNDED = """discount: 1
values: reward
states: 3
actions: wait look
goals: 2
observations: 2
start: 0
T: *
0.333333 0.333333 0.333333
0 1 0
0 0 1
O: * uniform
R: wait : * : * : * 1
R: look : 0 : * : * 2
"""


def test_a_file_of_a_dialect_rounded_and_undiscounted_is_described_and_solved_on_request(tmp_path):
    path = tmp_path / "rounded.pomdp"
    path.write_text(ROUNDED)
    refused = run_here("check", path)
    assert refused.returncode == 2
    assert "--skip-unknown" in refused.stderr

    done = run_here("check", path, "--skip-unknown")
    assert done.returncode == 0, done.stderr
    assert (
        "doubtful: the discount is 1: solving needs a horizon or another discount, as in `walkon solve --horizon"
        in done.stdout
    )
    skipped, divided = done.stderr.splitlines()
    assert skipped == f'{path}: skipped line 5 ("goals:")'
    assert divided.startswith(f"{path}: 1 row of T misses 1 by 1e-06, as its digits explain")
    report = json.loads(run_here("check", path, "--skip-unknown", "--json").stdout)
    assert report["notes"] == [skipped, divided]

    refused = run_here("solve", path, "--skip-unknown")
    assert refused.returncode == 2
    assert "needs a horizon, by --horizon 20" in refused.stderr
    short = json.loads(run_here("solve", path, "--skip-unknown", "--horizon", "5", "--json").stdout)
    assert short["lower"] == pytest.approx(2 + 4, abs=1e-2)  # it looks once, and waits four times
    solved = run_here("solve", path, "--skip-unknown", "--discount", "0.5", "--json")
    assert solved.returncode == 0, solved.stderr
    assert [skipped, divided] == solved.stderr.splitlines()[:2]
    found = json.loads(solved.stdout)
    assert found["notes"] == [skipped, divided]
    # The agent looks once (2), has then left state 0 with probability 2/3, and waits for ever (1 a step).
    assert found["lower"] == pytest.approx(2 + 0.5 / (1 - 0.5), abs=1e-3)
