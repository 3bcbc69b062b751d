"""`walkon compare`: agents in a library of your own, as a person meets it."""

import csv
import json
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import walkon
from command_line import run, run_here
from pressing import pressing
from waiting import PATIENCE
from walkon.cli.compare import compare
from walkon.cli.main import app
from walkon.domains.classics import tiger
from walkon.errors import InputError
from walkon.runs.store import Store

MINE = """

def library(cells: int = 5):
    return walkon.define([Meeting(0), Meeting(cells - 1)])

agents = {"stubborn": lambda library: walkon.player(lambda history: "left", library)}
"""
CORRIDOR = Path(__file__).parents[2] / "examples" / "corridor.py"
FEW = ("--trials", 10, "--backups", 50)
OWN = "own.py"


def test_a_table_and_a_picture_say_who_is_better(tmp_path):
    done = run("compare", CORRIDOR, *FEW, "--plot", tmp_path / "steps.svg")
    assert done.returncode == 0, done.stderr
    title, cut, heads, *lines = (line.split() for line in done.stdout.splitlines())
    assert " ".join(title).startswith("steps until the task is solved, in 2 tasks with 10 trials each")
    assert " ".join(cut) == "a trial that is not solved counts as 50 steps, the horizon"
    assert heads == ["agent", "steps", "solved", "against", "atpo,", "paired"]
    assert [line[0] for line in lines] == ["value-iteration", "perseus", "atpo", "random"]
    assert float(lines[0][1]) < float(lines[3][1])
    assert len(lines[2]) == 6  # atpo is not compared with itself
    assert "<svg" in (tmp_path / "steps.svg").read_text()


def test_json_has_all_numbers_over_all_tasks_and_for_each():
    who = ("--agent", "random", "--agent", "value-iteration", "--to", "random")
    done = run_here("compare", CORRIDOR, *FEW, *who, "--json")
    document = json.loads(done.stdout)
    assert (document["measure"], document["to"], document["trials"]) == ("steps", "random", 10)
    assert (document["horizon"], document["unsolved_counts_as"], document["bounds"]) == (50, 50, [0.0, 50.0])
    best = document["results"]["value-iteration"]
    assert best.keys() == {"all", "0", "1"}
    assert best["all"]["mean"]["n"] == 20
    assert best["all"]["difference"]["high"] < 0
    assert document["results"]["random"]["all"]["difference"] is None


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """The folder of a comparison of agents, one of them in the file, at two values of an option of the file."""
    folder = tmp_path_factory.mktemp("swept")
    (folder / "mine.py").write_text(CORRIDOR.read_text().replace("library = ", "first = ") + MINE)
    words = ["compare", str(folder / "mine.py"), "--vary", "cells=4,5", "--agent", "stubborn", "--agent", "atpo"]
    words += ["--solver", "perseus", "--backups", "50", "--jobs", "1", "--out", str(folder / "out")]
    done = CliRunner().invoke(app, [*words, "--trials", "4", "--by-task", "--to", "atpo"])
    assert done.exit_code == 0, done.output
    return folder, words, done


def test_a_folder_has_one_row_for_each_trial_a_table_for_latex_and_the_figure(swept):
    folder, _, done = swept
    with (folder / "out" / "trials.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 2 * 4
    assert list(rows[0])[:8] == ["cells", "agent", "task", "trial", "seed", "horizon", "steps", "solved"]
    table = (folder / "out" / "table.tex").read_text()
    for cells in ("4", "5"):
        for name in ("stubborn", "atpo"):
            own = [float(row["steps"]) for row in rows if (row["cells"], row["agent"]) == (cells, name)]
            assert re.search(rf"^{cells} +{name} +{sum(own) / 8:.2f} \[", done.stdout, re.MULTILINE)
            assert f"{cells} & {name} & {sum(own) / 8:.2f} [" in table
    assert table.startswith("\\begin{tabular}{llrrr}\n\\toprule\n")
    assert r"50 \% &" in table
    assert "interquartile mean" in done.stdout
    assert "<svg" in (folder / "out" / "figure.svg").read_text()
    assert (folder / "out" / "figure.pdf").read_bytes().startswith(b"%PDF")


def test_a_second_call_resumes_and_json_has_every_point(swept):
    _, words, _ = swept
    done = CliRunner().invoke(app, [*words, "--trials", "6", "--json"])
    assert "32 trials are already there" in done.stderr
    document = json.loads(done.stdout)
    assert (document["vary"], [each["cells"] for each in document["points"]]) == ("cells", [4, 5])
    stubborn = document["points"][1]["results"]["stubborn"]
    assert (stubborn["0"]["solved"], stubborn["1"]["solved"], stubborn["all"]["mean"]["n"]) == (1.0, 0.0, 12)
    assert stubborn["1"]["regret"] == 50 - document["points"][1]["results"]["atpo"]["1"]["mean"]["mean"]


@pytest.mark.parametrize("command", ["play", "prepare"])
def test_other_commands_say_who_plays_an_agent_of_the_file(command, tmp_path):
    path = tmp_path / OWN
    path.write_text(CORRIDOR.read_text() + MINE)
    done = run_here(command, path, "--agent", "stubborn")
    assert done.returncode == 2
    assert f"'stubborn' is an agent of {path}: `walkon compare {path} --agent 'stubborn'` plays it" in done.stderr


def test_pomdp_files_are_compared_by_the_return_without_an_end(tmp_path):
    walkon.write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    words = ["compare", tmp_path / "tiger.pomdp", "--agent", "perseus", "--agent", "random", "--horizon", "8"]
    done = CliRunner().invoke(app, [*map(str, words), "--trials", "20", "--backups", "50", "--json", "--to", "random"])
    document = json.loads(done.stdout)
    assert (document["measure"], document["unsolved_counts_as"]) == ("return", None)
    assert document["bounds"][0] == pytest.approx(-100 * (1 - 0.95**8) / 0.05)
    assert document["results"]["perseus"]["all"]["difference"]["mean"] > 0


def test_ctrl_c_keeps_the_trials_that_are_finished(tmp_path):
    words = ["compare", CORRIDOR, *FEW, "--agent", "random", "--agent", "value-iteration", "--out", tmp_path / "out"]
    pressed = pressing("walkon.runs.store", "Store.add", *words, side="after", n=2)
    done = subprocess.run(pressed, capture_output=True, text=True, timeout=PATIENCE, start_new_session=True)
    assert done.returncode == 130, done.stderr
    assert "what is finished is kept in" in done.stderr
    assert "Traceback" not in done.stderr
    with Store(tmp_path / "out") as store:
        assert store.count() == 16
    done = CliRunner().invoke(app, [*map(str, words)])
    assert "16 trials are already there" in done.stderr


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"what": "nowhere"}, 'no file with a library "nowhere"'),
        ({"agent": ["nobody"]}, "there is no agent 'nobody'"),
        (
            {"what": OWN, "agent": ["stubbon"]},
            "no agent 'stubbon' .did you mean 'stubborn'.*: expected one of stubborn, atpo",
        ),
        ({"what": OWN, "agent": ["stubborn:hazard=0.1"]}, "'stubborn' is an agent of the file and has no options"),
        ({"what": OWN, "agent": ["stubborn,atpo"]}, "is more than one agent"),
        ({"to": "bopa"}, "--to is 'bopa', which is not compared"),
        ({"plot": Path("steps.txt")}, "no picture that can be drawn"),
        ({"trials": 1}, "trials is 1"),
        ({"horizon": 0}, "--horizon is 0"),
        ({"backups": -1}, "--backups is -1"),
        ({"agent": ["atpo", "atpo"]}, "'atpo' is given twice"),
        ({"trials": 2**31}, "trials is 2147483648, expected at most 1,000,000"),
        ({"trials": 200_000}, "1,600,000 trials in all"),
        ({"solver": "persues"}, "did you mean 'perseus'"),
        ({"jobs": 2, "cluster": "tcp://somewhere:1"}, "give one"),
        ({"vary": "size"}, "--vary is 'size'"),
        ({"vary": "size=3,4"}, "corridor.py has no option 'size'"),
        ({"vary": "tremble=0.1,0.1"}, "has a value twice"),
        ({"teammates_of": 5}, "is 5, expected a whole number from 0 to 1"),
        ({"hazard": 2.0}, "hazard is 2.0"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_solved(given, told, tmp_path):
    if given.get("what") == OWN:
        path = tmp_path / OWN
        path.write_text(CORRIDOR.read_text() + MINE)
        given = given | {"what": str(path)}
    with pytest.raises(InputError, match=told):
        compare(**{"context": SimpleNamespace(obj={}), "what": str(CORRIDOR)} | given)
