"""The command line as a person meets it: in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import walkon
from random_models import random_pomdp
from walkon.domains.classics import tiger


def run(*arguments, **options):
    command = [sys.executable, "-m", "walkon", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def test_list_names_what_can_be_solved_and_by_what():
    printed = run("list")
    assert printed.returncode == 0
    assert "tiger" in printed.stdout
    assert "perseus" in printed.stdout
    listed = json.loads(run("list", "--json").stdout)
    assert set(listed) == {"problems", "solvers"}
    assert "fast-informed-bound" in listed["solvers"]


def test_solving_prints_the_bound_and_writes_a_solution_that_loads(tmp_path):
    done = run("solve", "tiger", "--tolerance", "1e-6", "--out", tmp_path / "tiger.safetensors", "--episodes", "500")
    assert done.returncode == 0, done.stderr
    assert "19.37" in done.stdout
    assert "500 episodes" in done.stdout
    assert walkon.load(tmp_path / "tiger.safetensors").lower == pytest.approx(19.37, abs=0.01)


def test_json_is_one_document_on_standard_output():
    done = run("solve", "tiger", "--json", "--episodes", "10", "--seed", "3")
    report = json.loads(done.stdout)
    assert report["lower"] == pytest.approx(19.37, abs=0.05)
    assert report["upper"] is None
    assert report["hash"] == tiger().hash
    assert report["simulated"]["episodes"] == 10
    assert report["options"]["beliefs"] == 1000


def test_a_saved_model_can_be_solved(tmp_path):
    walkon.save(tiger().mdp, tmp_path / "seen.safetensors")
    report = json.loads(run("solve", tmp_path / "seen.safetensors", "--json").stdout)
    assert report["lower"] == pytest.approx(200)
    assert report["solver"].startswith("ValueIteration")


BAD = {
    "unknown problem": (["solve", "lion"], 'no problem and no file "lion"'),
    "unknown solver": (["solve", "tiger", "--solver", "magic"], "no solver 'magic'"),
    "wrong solver": (["solve", "tiger", "--solver", "value-iteration"], "give it problem.mdp"),
    "option of another solver": (["solve", "tiger", "--solver", "qmdp", "--beliefs", "5"], "no option --beliefs"),
    "bad number": (["solve", "tiger", "--beliefs", "0"], "beliefs is 0"),
    "no number": (["solve", "tiger", "--beliefs", "x"], "beliefs"),
    "negative episodes": (["solve", "tiger", "--episodes", "-1"], "--episodes is -1"),
    "no folder": (["solve", "tiger", "--out", "/nowhere/at/all"], "not a folder"),
    "no bundle": (["solve", __file__], "not a walkon bundle"),
    "a folder": (["solve", os.path.dirname(__file__)], "is a folder"),
    "unknown command": (["sing"], "sing"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_exits_2_with_one_message_and_no_traceback(case):
    arguments, message = BAD[case]
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_ctrl_c_keeps_what_was_found_and_exits_130(tmp_path):
    big = random_pomdp(0, X=300, A=4, Z=30, discount=0.999, sparsity=0.9)
    walkon.save(big, tmp_path / "big.safetensors")
    command = [sys.executable, "-m", "walkon", "solve", str(tmp_path / "big.safetensors"), "--json"]
    command += ["--out", str(tmp_path / "out.safetensors"), "--tolerance", "1e-12"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert json.loads(out)["stopped"] == "asked"
    assert walkon.load(tmp_path / "out.safetensors").stopped == "asked"


def test_version():
    assert run("--version").stdout.strip() == f"walkon {walkon.__version__}"
