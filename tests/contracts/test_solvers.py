"""What every solver keeps to."""

import inspect
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from random_models import random_pomdp
from twins import expectimax
from walkon import MDP, POMDP, solve
from walkon.solvers.solve import SOLVERS


@pytest.fixture(params=SOLVERS)
def solver(request):
    return SOLVERS[request.param]()


def problem_for(solver, seed=0, **sizes):
    pomdp = random_pomdp(seed, **sizes)
    return pomdp if solver.solves is POMDP else pomdp.mdp


def test_its_options_are_frozen_keyword_only_fields_with_defaults(solver):
    assert is_dataclass(solver)
    assert type(solver).__dataclass_params__.frozen
    assert all(field.kw_only for field in fields(solver))
    assert inspect.getmodule(type(solver)).__doc__
    assert solver.solves in (MDP, POMDP)


def test_the_same_seed_gives_the_same_solution(solver):
    problem = problem_for(solver)
    one, two = (solve(problem, solver, seed=3) for _ in range(2))
    assert (one.lower, one.upper, one.iterations) == (two.lower, two.upper, two.iterations)


@pytest.mark.parametrize("seed", range(10))
def test_its_bounds_hold(solver, seed):
    """Below what the best agent without the state can get is no upper bound, and above what it gets no lower one."""
    problem = problem_for(solver, seed, X=3, A=2, Z=2, discount=0.5)
    solution = solve(problem, solver)
    if isinstance(problem, POMDP):
        low, high = expectimax(problem, depth=6)
    else:
        low = high = problem.start @ solve(problem).policy.table.max(axis=1)
    assert solution.lower is None or solution.lower <= high + 1e-9
    assert solution.upper is None or solution.upper >= low - 1e-9
    assert (solution.lower, solution.upper) != (None, None)


def test_its_policy_gives_a_distribution_over_actions_and_a_value(solver):
    problem = problem_for(solver)
    policy = solve(problem, solver).policy
    probabilities = policy.probabilities(problem.start)
    assert probabilities.shape == (problem.R.shape[1],)
    assert probabilities.sum() == pytest.approx(1)
    assert (probabilities >= 0).all()
    assert np.isfinite(policy.value(problem.start))


@pytest.mark.parametrize(("X", "A", "Z", "discount"), [(1, 1, 1, 0.9), (1, 3, 2, 0.0), (3, 1, 1, 0.99), (2, 2, 5, 0.0)])
def test_it_solves_the_smallest_problems(solver, X, A, Z, discount):
    solution = solve(problem_for(solver, 1, X=X, A=A, Z=Z, discount=discount), solver)
    assert solution.stopped == "converged"


def test_it_solves_a_problem_that_pays_nothing(solver):
    nothing = POMDP([np.eye(2)] * 2, [np.eye(2)] * 2, np.zeros((2, 2)))
    solution = solve(nothing if solver.solves is POMDP else nothing.mdp, solver)
    assert {solution.lower, solution.upper} <= {0.0, None}
