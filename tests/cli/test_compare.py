"""`walkon compare`: agents in a library of your own, as a person meets it."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from command_line import run
from walkon.cli.compare import compare
from walkon.errors import InputError

CORRIDOR = Path(__file__).parents[2] / "examples" / "corridor.py"
FEW = ("--trials", 10, "--backups", 50)


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
    done = run("compare", CORRIDOR, *FEW, *who, "--json")
    document = json.loads(done.stdout)
    assert (document["measure"], document["to"], document["trials"]) == ("steps", "random", 10)
    assert (document["horizon"], document["unsolved_counts_as"], document["bounds"]) == (50, 50, [0.0, 50.0])
    best = document["results"]["value-iteration"]
    assert best.keys() == {"all", "0", "1"}
    assert best["all"]["mean"]["n"] == 20
    assert best["all"]["difference"]["high"] < 0
    assert document["results"]["random"]["all"]["difference"] is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"what": "nowhere"}, 'no file with a library "nowhere"'),
        ({"agent": ["nobody"]}, "there is no agent 'nobody'"),
        ({"to": "bopa"}, "--to is 'bopa', which is not compared"),
        ({"plot": Path("steps.txt")}, "no picture that can be drawn"),
        ({"trials": 1}, "trials is 1"),
        ({"horizon": 0}, "--horizon is 0"),
        ({"backups": -1}, "--backups is -1"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_solved(given, told):
    with pytest.raises(InputError, match=told):
        compare(**{"context": SimpleNamespace(obj={}), "what": str(CORRIDOR)} | given)
