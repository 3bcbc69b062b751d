"""`walkon replay`: a recorded log, as a person meets it."""

import csv
import json
from pathlib import Path

import walkon
from command_line import run, run_here

EXAMPLES = Path(__file__).parents[2] / "examples"
RUNS = EXAMPLES / "hotspot_runs.csv"


def test_the_robots_runs_are_shown_step_by_step_and_written_and_drawn(tmp_path):
    out, plot = tmp_path / "steps.csv", tmp_path / "beliefs.svg"
    done = run_here("replay", RUNS, "hotspot", "--agent", "tebopa", "--out", out, "--plot", plot)
    assert done.returncode == 0, done.stderr
    assert "episode 8, task 1: balls at middle, station, bench 3" in done.stdout
    assert "the action taken is the one that tebopa prefers in 111 of 111 steps" in done.stdout
    assert f"written to {out}" in done.stdout.replace("\n", "")
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert len(rows) == 111
    assert abs(float(rows[-1]["p0"]) - 0.9840050556) < 1e-9
    assert plot.read_text().startswith("<?xml")


def test_its_check_says_what_the_model_does_not_explain(tmp_path):
    done = run_here("replay", RUNS, "hotspot", "--agent", "tebopa", "--check")
    assert done.returncode == 0, done.stderr
    first = next(line for line in done.stdout.splitlines() if line.startswith("- "))
    assert first == (
        '- "hears nothing" after Ask: 39 of 62 steps where 20.8 are expected (14 to 28); P of so many: 1e-06'
    )
    report = json.loads(run_here("replay", RUNS, "hotspot", "--agent", "tebopa", "--check", "--json").stdout)
    assert report["check"]["findings"][0] == first[2:]
    assert report["check"]["counts"][0]["observed"] == 39
    assert len(report["steps"]) == 111


def test_a_log_of_the_users_own_task_with_an_alarm_in_a_process_of_its_own(tmp_path):
    library = walkon.read_library(EXAMPLES / "corridor.py")
    episodes = walkon.play_many(library[0], walkon.agent("random", library), range(3), horizon=10)
    walkon.write_log(walkon.logged(episodes, library[0]), tmp_path / "log.csv")
    options = ["--agent", "bopa", "--alarm", 0.05, "--json"]
    done = run("replay", tmp_path / "log.csv", EXAMPLES / "corridor.py", *options)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [row["alarm"] for row in report["steps"]] == [False] * 30
    assert report["check"] is None
    checked = run_here("replay", tmp_path / "log.csv", EXAMPLES / "corridor.py", "--agent", "bopa", "--check")
    assert "none contradicts the model" in checked.stdout


def test_an_option_of_the_world_goes_to_the_world():
    report = json.loads(run_here("replay", RUNS, "hotspot", "--tasks", 3, "--agent", "tebopa", "--json").stdout)
    assert len(report["tasks"]) == 3


def test_bad_input_exits_2_with_one_message(tmp_path):
    copy = tmp_path / "runs.csv"
    copy.write_bytes(RUNS.read_bytes())
    for arguments, told in [
        ([tmp_path / "none.csv", "hotspot"], 'none.csv": expected a log, a CSV file'),
        ([RUNS, "nowhere"], 'there is no world and no file with a library "nowhere"'),
        ([RUNS, "hotspot", "--agent", "perseus"], "perseus is told the task"),
        ([RUNS, "hotspot", "--agent", "random", "--check"], "random predicts no observations"),
        ([RUNS, "hotspot", "--agent", "random", "--plot", "x.png"], "random has no belief over tasks"),
        ([RUNS, "overcooked", "--agent", "random"], "line 3: action 4 does not exist"),
        ([RUNS, "hotspot", "--size", 3], "hotspot has no option 'size'"),
        ([RUNS, "hotspot", "--out", "never.py"], "cannot be written as .py: name it .csv"),
        ([copy, "hotspot", "--out", copy], "the log itself: name another file"),
    ]:
        done = run_here("replay", *arguments)
        assert done.returncode == 2, told
        assert told in done.stderr.replace("\n", " ")
        assert "Traceback" not in done.stderr
