"""Check a solver: seeds decide its results, budgets and watches stop it, and its bounds hold."""

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace

import numpy as np

from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.policies.tabular import TabularPolicy
from walkon.solvers.solution import Progress, Solution
from walkon.solvers.solve import Solver
from walkon.testing.problems import TAIL, earned, optimal, puzzle, random_pomdp

SMALLEST = ((1, 1, 1, 0.9), (1, 3, 2, 0.0), (3, 1, 1, 0.99), (2, 2, 5, 0.0))  # states, actions, observations, discount
FEW = 60  # backups, for a solver that is stopped in the middle of its work
MANY = 200  # random problems


def check_solver(solver: Solver, *, problems: int = MANY) -> None:
    """Check a solver against brute force.

    Args:
        solver: A frozen dataclass with `solves` and `solve(problem, *, seed, watch)`.
        problems: On how many random problems its policies have to earn their lower bounds.
    """
    name = type(solver).__name__
    assert is_dataclass(solver), f"{name} is not a dataclass: its fields are its options"
    assert type(solver).__hash__ is not None, f"{name} is not frozen: write @dataclass(frozen=True, kw_only=True)"
    assert all(field.kw_only for field in fields(solver)), f"{name} has options that are not keyword-only"
    assert solver.solves in (MDP, POMDP), f"{name}.solves is {solver.solves}, expected MDP or POMDP"
    check_seed_and_policy(solver)
    check_bounds(solver)
    check_watch(solver)
    check_backups(solver)
    for seed in range(problems):
        check_earnings(solver, seed)


def check_seed_and_policy(solver: Solver) -> None:
    """Check that a seed decides the solution, and that the policy has probabilities and a finite value."""
    problem = _suited(solver, random_pomdp(0))
    one, two = (solver.solve(problem, seed=3) for _ in range(2))
    same = (one.lower, one.upper, one.iterations) == (two.lower, two.upper, two.iterations)
    assert same, f"two solutions with the same seed differ: {one} and {two}"
    probabilities = one.policy.probabilities(problem.start)
    assert probabilities.shape == (problem.R.shape[1],), f"the policy gives {probabilities}, not one number per action"
    valid = (probabilities >= 0).all() and math.isclose(probabilities.sum(), 1)
    assert valid, f"the policy gives {probabilities}, which is not a distribution"
    assert math.isfinite(one.policy.value(problem.start)), "the policy's value at the start is not finite"


def check_bounds(solver: Solver) -> None:
    """Check the bounds against brute force, in random problems, the smallest ones, and one without rewards."""
    for seed in range(10):
        problem = _suited(solver, random_pomdp(seed, X=3, A=2, Z=2, discount=0.5))
        found = solver.solve(problem, seed=0)
        low, high = np.sum([p * np.array(optimal(each, depth=5)) for p, each in _parts(problem)], axis=0)
        message = f"random_pomdp({seed}): bounds {found.lower} and {found.upper}, optimal value {low} to {high}"
        assert found.lower is None or found.lower <= high + 1e-9, message
        assert found.upper is None or found.upper >= low - 1e-9, message
    for X, A, Z, discount in SMALLEST:
        found = solver.solve(_suited(solver, random_pomdp(1, X=X, A=A, Z=Z, discount=discount)), seed=0)
        assert found.stopped == "converged", f"{X} states, {A} actions, {Z} observations: stopped by {found.stopped}"
    nothing = POMDP([np.eye(2)] * 2, [np.eye(2)] * 2, np.zeros((2, 2)))
    found = solver.solve(_suited(solver, nothing), seed=0)
    assert {found.lower, found.upper} <= {0.0, None}, f"a problem without rewards has the bounds {found}"


def check_watch(solver: Solver) -> None:
    """Check that the solver reports its progress, and stops when it is asked to, with a sound lower bound."""
    problem = _suited(solver, puzzle(2, X=30, A=4, discount=0.95))
    reports: list[Progress] = []

    def stop(progress: Progress) -> bool:
        reports.append(progress)
        return True

    found = solver.solve(problem, seed=0, watch=stop)
    assert reports or found.iterations == 1, "the watch was never called"
    assert all(0 <= each.done <= 1 for each in reports), "the share of the work that is done lies outside 0 to 1"
    assert len(reports) <= 1, "the solver went on after the watch asked it to stop"
    assert found.stopped in ("asked", "converged"), f'stopped is "{found.stopped}", expected "asked"'
    _check_lower_bound(problem, found)


def check_backups(solver: Solver) -> None:
    """Check that a solver with the option `backups` stops after one backup where one cannot be enough."""
    if _counts_backups(solver):
        found = replace(solver, backups=1).solve(_suited(solver, puzzle(2, X=30, A=4, discount=0.95)), seed=0)
        assert found.stopped == "backups", f'with backups=1, stopped is "{found.stopped}", expected "backups"'


def check_earnings(solver: Solver, seed: int) -> None:
    """Check that a policy earns its lower bound in a random puzzle, though the solver is stopped early."""
    problem = _suited(solver, puzzle(seed))
    early = replace(solver, backups=FEW) if _counts_backups(solver) else solver
    _check_lower_bound(problem, early.solve(problem, seed=seed), f"puzzle({seed}): ")


def _check_lower_bound(
    problem: MDP, solution: Solution[AlphaVectors] | Solution[TabularPolicy], where: str = ""
) -> None:
    lower, upper = solution.lower, solution.upper
    if lower is None:
        return
    assert upper is None or lower <= upper + 1e-9, f"{where}the lower bound {lower} is above the upper bound {upper}"
    found = sum(p * earned(each, solution.policy) for p, each in _parts(problem))
    assert found >= lower - 2 * TAIL, f"{where}the lower bound is {lower}, but the policy earns {found}"


def _counts_backups(solver: Solver) -> bool:
    return any(field.name == "backups" for field in fields(solver))


def _suited(solver: Solver, pomdp: POMDP) -> MDP:
    """The problem as the solver takes it: with its observations, or without."""
    return pomdp if solver.solves is POMDP else pomdp.mdp


def _parts(problem: MDP) -> Iterator[tuple[float, POMDP]]:
    """The problem as POMDPs with their weights: of an MDP one for each first state, since that is seen."""
    if isinstance(problem, POMDP):
        yield 1.0, problem
        return
    seen = [np.eye(len(problem.start))] * len(problem.P)
    for x in np.flatnonzero(problem.start):
        start = np.eye(len(problem.start))[x]
        yield float(problem.start[x]), POMDP(problem.P, seen, problem.R, start, problem.discount)
