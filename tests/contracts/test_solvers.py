"""The contract of every solver: `walkon.testing.check_solver`, and a problem that is less random."""

import inspect
from dataclasses import fields, replace

import pytest

from buildings import RING, building
from conftest import LONG
from walkon import POMDP, solve
from walkon.solvers.solve import SOLVERS
from walkon.testing import check_solver
from walkon.testing.problems import earned
from walkon.testing.solvers import MANY


@pytest.fixture(params=SOLVERS)
def solver(request):
    """A solver with its defaults, but fewer beliefs, which decide how long it takes and not what is promised."""
    solver = SOLVERS[request.param]()
    return replace(solver, beliefs=200) if "beliefs" in {field.name for field in fields(solver)} else solver


def test_it_passes_the_check_for_solvers(solver):
    check_solver(solver, problems=MANY if LONG else MANY // 4)


def test_its_module_explains_it(solver):
    assert inspect.getmodule(type(solver)).__doc__


def test_its_policy_earns_what_its_lower_bound_says_in_a_building(solver):
    if "backups" in {field.name for field in fields(solver)}:
        solver = replace(solver, backups=60)  # it is stopped in the middle of its work
    for pomdp in building(RING, noise=0.0):
        if solver.solves is POMDP and (solution := solve(pomdp, solver)).lower is not None:
            assert earned(pomdp, solution.policy) >= solution.lower - 2e-6
