"""The commands take POMDPX files wherever they take `.pomdp` files."""

import json

import pytest

import walkon
from command_line import run_here
from walkon.domains.classics import tiger


@pytest.fixture
def path(tmp_path):
    walkon.write_pomdpx(tiger(), tmp_path / "tiger.pomdpx")
    return tmp_path / "tiger.pomdpx"


def test_a_file_is_solved_and_its_policy_evaluated(path):
    done = run_here("solve", path, "--out", path.with_suffix(".policy"), "--tolerance", "1e-6", "--json")
    assert json.loads(done.stdout)["hash"] == walkon.read_pomdpx(path).hash
    assert "at least 19.37" in run_here("evaluate", path, path.with_suffix(".policy")).stdout


def test_another_discount_may_be_given(path):
    report = json.loads(run_here("solve", path, "--discount", "0.5", "--backups", "5", "--json").stdout)
    assert report["model"] == "POMDP(2 states, 3 actions, 2 observations, discount 0.5)"
    assert run_here("solve", path, "--discount", "1.5").returncode == 2


def test_a_file_is_checked(path):
    report = json.loads(run_here("check", path, "--json").stdout)
    assert report["content"]["kind"] == "POMDP"
    assert report["mistake"] is None
    path.write_text(path.read_text().replace("<Discount>", "<Horizon>3</Horizon><Discount>"))
    failed = run_here("check", path)
    assert failed.returncode == 2
    assert "tiger.pomdpx, line 11, column 1: expected <Description>" in failed.stderr.replace("\n", " ")
    skipped = run_here("check", path, "--skip-unknown")
    assert skipped.returncode == 0
    assert "skipped line 11 (<Horizon>)" in skipped.stderr.replace("\n", " ")


def test_a_file_is_a_library_of_one_task(path):
    assert json.loads(run_here("identify", path, "--json").stdout)
    assert walkon.read_library(path).names == ("tiger",)


def test_a_file_of_a_team_is_no_model_for_a_single_agent(tmp_path):
    (tmp_path / "team.dpomdp").write_text("agents: 2\n")
    failed = run_here("solve", tmp_path / "team.dpomdp")
    assert failed.returncode == 2
    assert "read it with walkon.read_dpomdp" in failed.stderr.replace("\n", " ")
