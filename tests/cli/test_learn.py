"""`walkon learn`: from a log to a task, as a person meets it."""

import errno
import json
from pathlib import Path

import pytest

import walkon
from command_line import run, run_here
from walkon.cli.learn import learn

CORRIDOR = Path(__file__).parents[2] / "examples" / "corridor.py"


def test_a_log_becomes_a_task_that_can_be_checked_and_says_how_sure_it_is(tmp_path):
    library = walkon.read_library(CORRIDOR)
    episodes = walkon.play_many(library[0], walkon.agent("random", library), range(30), horizon=10)
    walkon.write_log(walkon.logged(episodes, library[0]), tmp_path / "log.csv")
    done = run("learn", tmp_path / "log.csv", "--out", tmp_path / "task.safetensors", "--solved", "agent 0, mate 0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith('Task("learned": 9 states, 3 actions, 2 observations) from 330 rows')
    assert "teammates: the log determines 9 of 9 rows, each by " in done.stdout
    assert "episodes that were left out of learning: mean log-likelihood of a step -" in done.stdout
    assert walkon.load(tmp_path / "task.safetensors").solved.sum() == 1
    onto = ["--base", CORRIDOR, "--task", 1, "--fit", "teammates", "--fit", "start", "--json"]
    report = json.loads(run_here("learn", tmp_path / "log.csv", *onto).stdout)
    assert report["tables"].keys() == {"teammates", "start"}
    assert report["tables"]["start"] == {
        "rows": 1, "seen": 1, "determined": 1, "least": 30.0, "median": 30.0, "most": 30.0, "widest": 0.0,
        "mean_width": 0.0, "undetermined": []
    }  # fmt: skip
    assert report["warnings"] == []
    assert report["held_out"]["episodes"] == 30


def test_where_states_are_unknown_it_says_what_the_log_does_not_determine_and_what_was_skipped(tmp_path):
    (tmp_path / "log.csv").write_text(
        "episode,step,action,observation,timestamp\n1,0,,,7\n1,1,stay,nothing,7\n1,2,left,nothing,7\n1,3,left,nothing,7\n"
    )
    done = run_here("learn", tmp_path / "log.csv", "--base", CORRIDOR, "--fit", "teammates")
    assert done.returncode == 0, done.stderr
    assert "warning: " in done.stderr
    assert "log.csv: column 'timestamp' skipped" in done.stderr
    assert "teammates: the log determines 0 of 25 rows\n  not determined: agent 0, mate 0; " in done.stdout
    assert "; and 20 more\nwhat was unknown was inferred, in " in done.stdout
    assert "held-out likelihood: none, because the log has a single episode" in done.stdout


@pytest.mark.parametrize("as_json", [False, True])
def test_what_was_learned_is_reported_even_if_it_cannot_be_written(tmp_path, monkeypatch, capsys, as_json):
    (tmp_path / "log.csv").write_text("episode,step,action,observation,state\n1,0,a,z,x\n1,1,,,x\n")

    def full(what, path):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(walkon, "save", full)
    with pytest.raises(OSError, match="No space left"):
        learn(tmp_path / "log.csv", out=tmp_path / "task.safetensors", json=as_json)
    shown = capsys.readouterr().out
    assert json.loads(shown)["out"] is None if as_json else "the log determines 1 of 1 rows" in shown
    assert "written" not in shown


def test_bad_input_exits_2_with_one_message(tmp_path):
    (tmp_path / "log.csv").write_text("episode,step,action,observation\n1,zero,a,z\n")
    for arguments, told in [
        ([tmp_path / "log.csv"], "log.csv, line 2: step is 'zero'"),
        ([tmp_path / "none.csv"], 'none.csv": expected a log, a CSV file'),
        ([tmp_path / "log.csv", "--base", "nowhere"], 'there is no world and no file with a library "nowhere"'),
    ]:
        done = run_here("learn", *arguments)
        assert done.returncode == 2
        assert told in done.stderr
        assert "Traceback" not in done.stderr
