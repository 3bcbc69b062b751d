"""The command line as a person meets it: in a process of its own."""

import errno
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

import walkon
from command_line import python, run, run_here
from pressing import pressing
from random_models import random_pomdp
from waiting import PATIENCE
from walkon.cli import terminal
from walkon.domains.classics import tiger
from walkon.domains.registry import OURS
from walkon.formats.cassandra.writer import write_pomdp
from walkon.formats.policy_xml import read_policy


def test_list_names_what_can_be_solved_and_by_what():
    printed = run("list")
    assert printed.returncode == 0
    assert "tiger" in printed.stdout
    assert "perseus" in printed.stdout
    listed = json.loads(run_here("list", "--json").stdout)
    assert set(listed) == {"worlds", "agents", "problems", "solvers", "figures"}
    assert set(listed["worlds"]) == {world.name for world in OURS}
    assert "atpo" in listed["agents"]
    assert "fast-informed-bound" in listed["solvers"]
    assert listed["figures"]["6a"] == "Overcooked: soups"


def test_help_loads_nothing_that_computes():
    done = python("-c", "import sys, walkon.cli.main; print('numpy' in sys.modules, 'scipy' in sys.modules)")
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_nothing_loads_matplotlib_before_it_draws():
    done = python(
        "-c",
        "import sys; from walkon.cli import terminal; import walkon.paper.report.write, walkon.paper.run\n"
        "terminal.check_plot(None); print('matplotlib' in sys.modules, 'scipy.optimize' in sys.modules)",
    )
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_solving_prints_the_bound_and_writes_a_solution_that_loads(tmp_path):
    done = run("solve", "tiger", "--tolerance", "1e-6", "--out", tmp_path / "tiger.safetensors", "--episodes", "500")
    assert done.returncode == 0, done.stderr
    assert "19.37" in done.stdout
    assert "500 episodes" in done.stdout
    assert walkon.load(tmp_path / "tiger.safetensors").lower == pytest.approx(19.37, abs=0.01)


def test_json_is_one_document_on_standard_output():
    done = run_here("solve", "tiger", "--solver", "perseus", "--json", "--episodes", "10", "--seed", "3")
    report = json.loads(done.stdout)
    assert report["lower"] == pytest.approx(19.37, abs=0.05)
    assert report["upper"] is None
    assert report["hash"] == tiger().hash
    assert report["simulated"]["episodes"] == 10
    assert report["simulated"]["half_width_95"] is None  # of so few, an interval would not cover
    assert report["options"]["beliefs"] == 1000


def test_a_saved_model_can_be_solved(tmp_path):
    walkon.save(tiger().mdp, tmp_path / "seen.safetensors")
    report = json.loads(run_here("solve", tmp_path / "seen.safetensors", "--json").stdout)
    assert report["lower"] == pytest.approx(200)
    assert report["solver"].startswith("ValueIteration")


def test_a_task_of_a_world_can_be_solved_with_the_options_of_the_world():
    report = json.loads(run_here("solve", "night-pursuit", "--task", 2, "--size", 3, "--backups", 50, "--json").stdout)
    assert report["hash"] == walkon.make("night-pursuit", size=3)[2].pomdp.hash
    report = json.loads(run_here("solve", "overcooked", "--role", "cook", "--json").stdout)  # the state is seen
    assert report["hash"] == walkon.make("overcooked", role="cook")[0].mdp.hash


def test_a_file_of_cassandras_format_is_solved_and_its_policy_written_for_other_tools(tmp_path):
    write_pomdp(tiger(), tmp_path / "tiger.pomdp")
    done = run_here("solve", tmp_path / "tiger.pomdp", "--out", tmp_path / "tiger.policy", "--json")
    assert json.loads(done.stdout)["hash"] == tiger().hash
    policy = read_policy(tmp_path / "tiger.policy", action_count=3)
    assert policy.value(tiger().start) == pytest.approx(json.loads(done.stdout)["lower"], abs=1e-5)
    (tmp_path / "walk.mdp").write_text(
        "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\nT: 0\n0 1\n0 1\nR: 0 : 0 : 1 1"
    )
    assert json.loads(run_here("solve", tmp_path / "walk.mdp", "--json").stdout)["upper"] == pytest.approx(0.5)


def test_a_policy_is_evaluated_in_its_model_and_refused_in_another(tmp_path):
    run_here("solve", "tiger", "--tolerance", "1e-6", "--out", tmp_path / "tiger.policy")
    report = json.loads(run("evaluate", "tiger", tmp_path / "tiger.policy", "--episodes", "4000", "--json").stdout)
    assert report["value"] == pytest.approx(19.3714, abs=1e-3)
    assert report["proven"] == pytest.approx(report["value"], abs=1e-4)
    assert report["earned"]["low"] < 19.3714 < report["earned"]["high"]
    assert "at least 19.37" in run_here("evaluate", "tiger", tmp_path / "tiger.policy").stdout
    text = (tmp_path / "tiger.policy").read_text()
    liar = re.sub(r">[^<]*</Vector>", ">99 99 </Vector>", text)
    (tmp_path / "liar.policy").write_text(liar)
    told = run_here("evaluate", "tiger", tmp_path / "liar.policy").stdout
    assert "It earns less than it says." in told
    assert "at least 99" not in told


def test_both_bounds_are_told_drawn_and_written(tmp_path):
    arguments = [
        "--solver",
        "sarsop",
        "--gap",
        "0.1",
        "--plot",
        tmp_path / "bounds.svg",
        "--plot-policy",
        tmp_path / "policy.svg",
        "--out",
        tmp_path / "t.policy",
    ]
    report = json.loads(run_here("solve", "tiger", *arguments, "--json").stdout)
    assert report["lower"] <= 19.3713683748 <= report["upper"] <= report["lower"] + 0.1
    assert report["stopped"] == "converged"
    assert report["options"] == {"gap": 0.1, "backups": None, "seconds": None, "wide": 0.0}
    assert (tmp_path / "bounds.svg").read_text().startswith("<?xml")
    assert (tmp_path / "policy.svg").read_text().startswith("<?xml")
    policy = read_policy(tmp_path / "t.policy", action_count=3)
    assert policy.value(tiger().start) == pytest.approx(report["lower"])
    assert "upper bound" in run_here("solve", "tiger", "--solver", "sarsop").stdout


POLICY = Path(__file__).parent / "two_states.policy"
BAD = {
    "unknown problem": (["solve", "lion"], 'no problem and no file "lion"'),
    "a misspelt problem": (["solve", "tigr"], "did you mean 'tiger'?"),
    "unknown solver": (["solve", "tiger", "--solver", "magic"], "no solver 'magic'"),
    "wrong solver": (["solve", "tiger", "--solver", "value-iteration"], "give it problem.mdp"),
    "option of another solver": (["solve", "tiger", "--solver", "qmdp", "--beliefs", "5"], "no option --beliefs"),
    "policy of another problem": (["evaluate", "tag", POLICY], "was made for 2 states"),
    "no alpha vectors": (["evaluate", "tiger", Path(__file__).parents[2] / "pyproject.toml"], "not a walkon bundle"),
    "one episode": (["evaluate", "tiger", POLICY, "--episodes", "1"], "--episodes is 1"),
    "no problem to evaluate in": (["evaluate", "lion", POLICY], 'no problem and no file "lion"'),
    "bad number": (["solve", "tiger", "--solver", "perseus", "--beliefs", "0"], "beliefs is 0"),
    "no number": (["solve", "tiger", "--beliefs", "x"], "beliefs"),
    "negative seed": (["solve", "tiger", "--seed", "-1"], "seed is -1, expected a whole number"),
    "negative episodes": (["solve", "tiger", "--episodes", "-1"], "--episodes is -1"),
    "no folder": (["solve", "tiger", "--out", "/nowhere/at/all"], "not a folder"),
    "no bundle": (["solve", Path(__file__).parents[2] / "pyproject.toml"], "not a walkon bundle"),
    "a folder": (["solve", os.path.dirname(__file__)], "is a folder"),
    "an option of worlds": (["solve", "tiger", "--size", "3"], "--size is an option of the worlds, and tiger is none"),
    "a task of no world": (["solve", "tiger", "--task", "0"], "--task is an option of the worlds"),
    "an option of another world": (["solve", "pursuit", "--noise", "0.3"], "pursuit has no option 'noise'"),
    "no such task": (
        ["solve", "pursuit", "--size", "3", "--task", "3"],
        "--task 3 does not exist: they are numbered 0 to 2",
    ),
    "vectors of an MDP": (["solve", "overcooked", "--out", "x.policy"], "overcooked is an MDP"),
    "out is a folder": (["solve", "tiger", "--out", os.path.dirname(__file__)], "is a folder"),
    "negative gap": (["solve", "tiger", "--solver", "sarsop", "--gap", "-1"], "gap is -1"),
    "gap of another solver": (["solve", "tiger", "--gap", "1"], "ascent has no option --gap"),
    "no such suffix": (["solve", "tiger", "--out", "x.xyz"], "x.xyz cannot be written as .xyz: name it .safetensors"),
    "no picture of a policy": (["solve", "tiger", "--plot-policy", "p.doc"], "p.doc is no picture that can be drawn"),
    "a policy of an MDP": (["solve", "overcooked", "--plot-policy", "p.png"], "overcooked is an MDP"),
    "no picture": (["solve", "tiger", "--plot", "bounds.doc"], "bounds.doc is no picture that can be drawn"),
    "no discount": (["solve", "tiger", "--discount", "1"], "needs a horizon, by --horizon 20"),
    "a discount above one": (["solve", "tiger", "--discount", "1.5"], "discount is 1.5, expected a number in [0, 1)"),
    "no discount to evaluate with": (
        ["evaluate", "tiger", POLICY, "--discount", "1"],
        "give --horizon 20 or --discount 0.95",
    ),
    "unknown lines of no file": (["solve", "tiger", "--skip-unknown"], "tiger is none"),
    "unknown command": (["sing"], "sing"),
}


@pytest.mark.parametrize(("case", "how"), [(case, run_here) for case in BAD] + [(case, run) for case in list(BAD)[:1]])
def test_bad_input_exits_2_with_one_message_and_no_traceback(case, how):
    arguments, message = BAD[case]
    done = how(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_ctrl_c_keeps_what_was_found_and_exits_130(tmp_path):
    big = random_pomdp(0, X=300, A=4, Z=30, discount=0.999, sparsity=0.9)
    walkon.save(big, tmp_path / "big.safetensors")
    arguments = ["solve", tmp_path / "big.safetensors", "--json", "--out", tmp_path / "out.safetensors"]
    done = subprocess.run(
        pressing("walkon.solvers.solution", "Budget.report", *arguments, "--tolerance", "1e-12", n=3),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
    )
    assert done.returncode == 130, done.stderr
    assert json.loads(done.stdout)["stopped"] == "asked"
    assert walkon.load(tmp_path / "out.safetensors").stopped == "asked"


def unable_to_write():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))


def test_nothing_that_was_solved_is_lost_because_it_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python would cut off the bytecode that it keeps
    arguments = [
        "solve",
        "tiger",
        "--solver",
        "sarsop",
        "--out",
        tmp_path / "t.policy",
        "--plot-policy",
        tmp_path / "p.svg",
    ]
    done = run(*arguments, preexec_fn=unable_to_write)  # neither here nor in the folder for temporary files
    assert done.returncode == 2
    assert "lower bound  19.3" in done.stdout
    assert "written to" not in done.stdout
    told = " ".join(done.stderr.split())
    assert f"{tmp_path / 't.policy'} cannot be written: File too large; nor could it be written" in told
    assert f"{tmp_path / 'p.svg'} was not drawn: " in told
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--out", "--plot"])
def test_a_folder_that_cannot_be_written_is_named_before_anything_is_solved(option, tmp_path, monkeypatch):
    def writes_elsewhere(*, dir=None):
        if dir is not None:
            raise OSError(errno.EROFS, "Read-only file system")
        return usual()

    usual = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", writes_elsewhere)
    monkeypatch.delattr("walkon.solvers.solve.solve")
    path = tmp_path / ("t.policy" if option == "--out" else "t.svg")
    done = run_here("solve", "tiger", option, path)
    assert done.returncode == 2
    assert f"{path} cannot be written (Read-only file system): give another {option}" in " ".join(done.stderr.split())


def test_a_solution_that_cannot_be_written_goes_to_another_place(tmp_path):
    failed, elsewhere = [], tmp_path / "elsewhere"
    elsewhere.mkdir()

    def write(path):
        if path.parent == tmp_path:
            raise OSError(errno.EROFS, "Read-only file system")
        path.write_text("solved")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(elsewhere))
        found = terminal.write_or_rescue(tmp_path / "t.policy", write, failed)
    assert found.read_text() == "solved"
    assert found.parent.parent == elsewhere
    assert failed == [f"[Errno 30] Read-only file system; it was written to {found} instead"]


def test_version():
    assert run("--version").stdout.strip() == f"walkon {walkon.__version__}"
