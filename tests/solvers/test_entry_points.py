"""Solvers of other packages, found by their entry points."""

import json
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

import pytest
from typer.testing import CliRunner

from declaring import declaring
from random_models import random_pomdp
from walkon import POMDP, InputError, Perseus, solve
from walkon.cli.main import app
from walkon.solvers.solve import SOLVERS


@dataclass(frozen=True, kw_only=True)
class Foreign:
    """Somebody's own way."""

    depth: int | None = None
    eager: bool = False

    solves: ClassVar[type] = POMDP

    def solve(self, problem, *, seed=0, watch=None):
        """As another one does it."""
        assert self.depth in (None, 7)
        return Perseus(beliefs=5, backups=10).solve(problem, seed=seed, watch=watch)


@pytest.fixture(autouse=True)
def packages(monkeypatch):
    module = ModuleType("somebodys_package")
    module.Foreign = Foreign
    module.nothing = 3
    monkeypatch.setitem(sys.modules, "somebodys_package", module)
    named = {"foreign": "somebodys_package:Foreign", "none": "somebodys_package:nothing", "broken": "missing_package:X"}
    with declaring(SOLVERS, named):
        yield


def test_a_solver_of_another_package_is_found_by_its_name():
    assert SOLVERS["foreign"] is Foreign
    assert {"perseus", "foreign", "none", "broken"} <= set(SOLVERS)
    assert len(SOLVERS) == len(set(SOLVERS))
    assert solve(random_pomdp(0), SOLVERS["foreign"](depth=7)).policy is not None


@pytest.mark.parametrize(
    ("name", "said"), [("broken", "cannot be used: ModuleNotFoundError"), ("none", "expected a frozen dataclass")]
)
def test_a_broken_solver_is_reported_when_it_is_requested(name, said):
    with pytest.raises(InputError, match=said):
        SOLVERS[name]


def test_the_command_line_lists_and_uses_it():
    listed = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)["solvers"]
    assert listed["foreign"] == "Somebody's own way"
    assert "cannot be used" in listed["broken"]
    options = ["solve", "tiger", "--solver", "foreign", "--set", "depth=7", "--set", "eager=true", "--json"]
    report = json.loads(CliRunner().invoke(app, options).stdout)
    assert report["options"] == {"depth": 7, "eager": True}


@pytest.mark.parametrize(("setting", "said"), [("depth=deep", "expected int"), ("width=1", "has no option --width")])
def test_a_setting_that_makes_no_sense_is_refused(setting, said):
    result = CliRunner().invoke(app, ["solve", "tiger", "--solver", "foreign", "--set", setting])
    assert result.exit_code != 0
    assert said in result.stderr + str(result.exception)
