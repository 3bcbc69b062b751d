"""What every solver keeps to: seeds, budgets, an end when asked, and bounds that hold."""

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
from walkon.testing.exact import TAIL, earned, optimal
from walkon.testing.models import puzzle, random_pomdp

SMALLEST = ((1, 1, 1, 0.9), (1, 3, 2, 0.0), (3, 1, 1, 0.99), (2, 2, 5, 0.0))  # states, actions, observations, discount
FEW = 60  # backups, for a solver that is stopped in the middle of its work
MANY = 200  # random problems on which the policy has to earn its lower bound


def check_solver(solver: Solver, *, problems: int = MANY) -> None:
    """Check a solver against brute force.

    Args:
        solver: A frozen dataclass with `solves` and `solve(problem, *, seed, watch)`.
        problems: How many random problems its policies have to earn their lower bounds on.
    """
    name = type(solver).__name__
    assert is_dataclass(solver), f"{name} is no dataclass: its fields are its options"
    assert all(field.kw_only for field in fields(solver)), f"{name} has options that are not keyword-only"
    assert solver.solves in (MDP, POMDP), f"{name}.solves is {solver.solves}, expected MDP or POMDP"
    check_seed_and_policy(solver)
    check_bounds(solver)
    check_budget(solver)
    for seed in range(problems):
        check_promise(solver, seed)


def early(solver: Solver) -> Solver:
    """The same solver, stopped in the middle of its work if it counts backups."""
    return replace(solver, backups=FEW) if "backups" in {field.name for field in fields(solver)} else solver


def fitting(solver: Solver, pomdp: POMDP) -> MDP:
    """The problem as the solver takes it: with its observations, or without."""
    return pomdp if solver.solves is POMDP else pomdp.mdp


def check_seed_and_policy(solver: Solver) -> None:
    """The same seed gives the same solution, and its policy a distribution over actions and a finite value."""
    problem = fitting(solver, random_pomdp(0))
    one, two = (solver.solve(problem, seed=3) for _ in range(2))
    assert (one.lower, one.upper, one.iterations) == (two.lower, two.upper, two.iterations), (
        f"two solves with the same seed differ: {one} and {two}"
    )
    probabilities = one.policy.probabilities(problem.start)
    assert probabilities.shape == (problem.R.shape[1],), f"the policy gives {probabilities}, not one number per action"
    fair = (probabilities >= 0).all() and math.isclose(probabilities.sum(), 1)
    assert fair, f"{probabilities} is no distribution"
    assert math.isfinite(one.policy.value(problem.start)), "the policy's value at the start is not finite"


def check_bounds(solver: Solver) -> None:
    """Its bounds hold, also in the smallest problems and in one that pays nothing."""
    for seed in range(10):
        pomdp = random_pomdp(seed, X=3, A=2, Z=2, discount=0.5)
        problem = fitting(solver, pomdp)
        found = solver.solve(problem, seed=0)
        low, high = np.sum([p * np.array(optimal(each, depth=5)) for p, each in _parts(problem)], axis=0)
        said = f"random_pomdp({seed}): bounds are {found.lower} and {found.upper}, the optimal value {low} to {high}"
        assert found.lower is None or found.lower <= high + 1e-9, said
        assert found.upper is None or found.upper >= low - 1e-9, said
    for X, A, Z, discount in SMALLEST:
        found = solver.solve(fitting(solver, random_pomdp(1, X=X, A=A, Z=Z, discount=discount)), seed=0)
        assert found.stopped == "converged", f"{X} states, {A} actions, {Z} observations: stopped by {found.stopped}"
    nothing = POMDP([np.eye(2)] * 2, [np.eye(2)] * 2, np.zeros((2, 2)))
    found = solver.solve(fitting(solver, nothing), seed=0)
    assert {found.lower, found.upper} <= {0.0, None}, f"a problem that pays nothing has bounds {found}"


def check_budget(solver: Solver) -> None:
    """It tells a watch how far it is and stops when asked; it keeps to its backups; it says why it stopped."""
    problem = fitting(solver, puzzle(2, X=30, A=4, discount=0.95))
    told: list[Progress] = []

    def stop(progress: Progress) -> bool:
        told.append(progress)
        return True

    asked = solver.solve(problem, seed=0, watch=stop)
    assert told or asked.iterations == 1, "the watch was never told anything"
    assert all(0 <= each.done <= 1 for each in told), "the share that is done lies outside 0 to 1"
    assert len(told) == 1 or asked.stopped == "converged", "it went on after the watch asked it to stop"
    assert asked.stopped in ("asked", "converged"), f"asked to stop, it says that it stopped by {asked.stopped}"
    _keeps_its_promise(problem, asked)
    limited = early(solver)
    if limited is not solver:
        found = limited.solve(problem, seed=0)
        assert found.stopped in ("backups", "converged"), f"with {FEW} backups it stopped by {found.stopped}"


def check_promise(solver: Solver, seed: int) -> None:
    """The policy earns what the lower bound says, at every belief that it meets, though the solver is stopped early."""
    pomdp = puzzle(seed)
    problem = fitting(solver, pomdp)
    _keeps_its_promise(problem, early(solver).solve(problem, seed=seed), f"puzzle({seed}): ")


def _keeps_its_promise(
    problem: MDP, solution: Solution[AlphaVectors] | Solution[TabularPolicy], where: str = ""
) -> None:
    if solution.lower is None:
        return
    assert solution.upper is None or solution.lower <= solution.upper + 1e-9, (
        f"{where}{solution.lower} > {solution.upper}"
    )
    found = sum(p * earned(each, solution.policy) for p, each in _parts(problem))
    assert found >= solution.lower - 2 * TAIL, f"{where}lower is {solution.lower}, but the policy earns {found}"


def _parts(problem: MDP) -> Iterator[tuple[float, POMDP]]:
    """The problem as POMDPs: one from each start where the state is seen, since the first one is seen too."""
    if isinstance(problem, POMDP):
        yield 1.0, problem
        return
    seen = [np.eye(len(problem.start))] * len(problem.P)
    for x in np.flatnonzero(problem.start):
        start = np.eye(len(problem.start))[x]
        yield float(problem.start[x]), POMDP(problem.P, seen, problem.R, start, problem.discount)
