"""The policies that come with walkon are those that solving gives, to the last bit."""

import importlib.util
import platform
from pathlib import Path

import pytest

import walkon
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.shipped.policies import FOLDER, shipped_file, shipped_policy
from walkon.solvers.solve import solve

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "shipped_policies.py"
REMEDY = "what solving gives was changed: call python benchmarks/shipped_policies.py, and commit the files"


def problems_shipped():
    spec = importlib.util.spec_from_file_location("shipped_policies_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [(problem, solver) for problems, solver in module.problems_shipped() for problem in problems]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other processors may round differently")
def test_solving_gives_every_shipped_policy_to_the_last_bit_and_there_are_no_others():
    wanted = problems_shipped()
    assert {shipped_file(problem, solver, 0) for problem, solver in wanted} == set(FOLDER.iterdir()), REMEDY
    for problem, solver in wanted:
        shipped, solved = shipped_policy(problem, solver, 0), solve(problem, solver, seed=0).policy
        assert shipped.columns.tobytes() == solved.columns.tobytes(), REMEDY
        assert shipped.actions.tobytes() == solved.actions.tobytes(), REMEDY
        assert shipped.action_count == solved.action_count


@pytest.fixture
def nothing_is_solved(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a problem is solved")

    monkeypatch.setattr("walkon.agents.registry.solve_all", refuse)


LIBRARY = walkon.make("night-pursuit", size=3, tasks=2)
DIFFERENT = {
    "another seed": (LIBRARY, {"seed": 1}),
    "another effort": (LIBRARY, {"effort": "quick"}),
    "another option of the solver": (LIBRARY, {"solver": walkon.Perseus(beliefs=101)}),
    "another problem": (walkon.make("night-pursuit", size=3, tasks=2, noise=0.25), {}),
    "one more task": (walkon.make("night-pursuit", size=3, tasks=3), {}),
}


@pytest.mark.parametrize("solver", [walkon.Ascent(backups=4000, wide=0.25), walkon.Perseus(beliefs=100)], ids=repr)
def test_an_agent_takes_the_shipped_policies_where_they_are_what_it_would_solve(solver, nothing_is_solved):
    seen = []
    policies = walkon.agent("atpo", LIBRARY, solver=solver, watch=lambda *count: seen.append(count)).policies
    assert all(isinstance(policy, AlphaVectors) for policy in policies)
    assert seen == [(2, 2)]
    assert len(walkon.agent("perseus", LIBRARY, solver=solver, task=1).policies) == 1


@pytest.mark.parametrize("world", [{}, {"size": 4}, {"size": 3, "tasks": 2}], ids=str)
def test_the_usual_solver_needs_nothing_for_the_libraries_of_the_first_pages(world, nothing_is_solved):
    library = walkon.make("night-pursuit", **world)
    assert len(walkon.agent("atpo", library).policies) == len(library)


@pytest.mark.parametrize("what", DIFFERENT)
def test_an_agent_solves_whatever_differs(what, nothing_is_solved):
    library, options = DIFFERENT[what]
    with pytest.raises(AssertionError, match="a problem is solved"):
        walkon.agent("atpo", library, **options)


def test_a_solver_of_the_same_name_from_elsewhere_gets_no_shipped_policy():
    class Perseus(walkon.Perseus):
        pass

    problem = LIBRARY[0].pomdp
    assert shipped_policy(problem, walkon.Perseus(beliefs=100), 0) is not None
    assert shipped_policy(problem, Perseus(beliefs=100), 0) is None
