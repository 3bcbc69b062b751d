"""What every solver keeps to."""

import inspect
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from buildings import RING, building
from earned import earned
from random_models import puzzle, random_pomdp
from twins import expectimax
from walkon import MDP, POMDP, solve
from walkon.solvers.solve import SOLVERS


@pytest.fixture(params=SOLVERS)
def solver(request):
    return SOLVERS[request.param]()


def early(solver):
    """The same solver, stopped in the middle of its work if it counts backups."""
    return replace(solver, backups=60) if "backups" in {field.name for field in fields(solver)} else solver


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


@pytest.mark.parametrize("block", range(8))
def test_its_policy_earns_what_its_lower_bound_says(solver, block):
    """All beliefs that the policy meets are looked at; a state that is seen is a belief too. It is stopped early."""
    solver = early(solver)
    for seed in range(25 * block, 25 * block + 25):
        pomdp = puzzle(seed)
        problem = pomdp if solver.solves is POMDP else pomdp.mdp
        solution = solve(problem, solver, seed=seed)
        if solution.lower is None:
            continue
        if solver.solves is MDP:
            seen = [np.eye(len(pomdp.start))] * len(pomdp.P)
            starts = (POMDP(pomdp.P, seen, pomdp.R, x, pomdp.discount) for x in np.eye(len(pomdp.start)))
            found = sum(p * earned(each, solution.policy) for p, each in zip(pomdp.start, starts, strict=True) if p)
        else:
            found = earned(pomdp, solution.policy)
        assert found >= solution.lower - 2e-6


def test_its_policy_earns_what_its_lower_bound_says_in_a_building(solver):
    solver = early(solver)
    for pomdp in building(RING, noise=0.0):
        if solver.solves is POMDP and (solution := solve(pomdp, solver)).lower is not None:
            assert earned(pomdp, solution.policy) >= solution.lower - 2e-6
