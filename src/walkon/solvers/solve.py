"""Solve a problem with a given solver or the default one.

Other packages add solvers by entry points of the group `walkon.solvers`, each a name and a frozen dataclass.
"""

from dataclasses import Field, is_dataclass
from typing import Any, ClassVar, Protocol, cast

import numpy as np

from walkon.checks import whole
from walkon.errors import InputError
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.plugins import Registry
from walkon.solvers.ascent import Ascent
from walkon.solvers.defaults import Effort, default_solver
from walkon.solvers.perseus import Perseus
from walkon.solvers.sarsop import Sarsop
from walkon.solvers.solution import Solution, Watch
from walkon.solvers.upper_bounds import QMDP, FastInformedBound
from walkon.solvers.value_iteration import ValueIteration

LARGEST = 1e30  # the sum of the largest reward for ever; single precision ends at 3e38


class Solver(Protocol):
    """A method to solve problems. Its options are its fields."""

    solves: ClassVar[type]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def solve(self, problem: Any, *, seed: int = 0, watch: Watch | None = None) -> Solution[Any]:
        """Solve a problem of the type `solves`."""


OURS: dict[str, type[Solver]] = {
    "value-iteration": ValueIteration,
    "perseus": Perseus,
    "ascent": Ascent,
    "sarsop": Sarsop,
    "qmdp": QMDP,
    "fast-informed-bound": FastInformedBound,
}


def _accept(name: str, found: Any) -> type[Solver]:
    """Check the class of a solver from another package."""
    solves = getattr(found, "solves", None)
    if not (isinstance(found, type) and is_dataclass(found) and solves in (MDP, POMDP) and hasattr(found, "solve")):
        raise InputError(f"it is {found!r:.60}, expected a frozen dataclass with solves (MDP or POMDP) and solve(...)")
    return cast(type[Solver], found)


SOLVERS = Registry("solver", OURS, _accept)


def solve(
    problem: MDP, solver: Solver | None = None, *, effort: Effort = "usual", seed: int = 0, watch: Watch | None = None
) -> Solution[Any]:
    """Solve a problem.

    Args:
        problem: An MDP or a POMDP.
        solver: A solver with its options; the default of `walkon.solvers.defaults` if not given.
        effort: The effort of the default solver: "quick", "usual" or "thorough".
        seed: The seed of all random choices.
        watch: Is called with the progress from time to time; if it returns True, the solver stops and returns its
            solution so far.

    >>> walk_on = MDP(P=[[[0, 1], [0, 1]]], R=[[1], [0]], start=[1, 0], discount=0.9)
    >>> solve(walk_on).lower
    1.0
    """
    if not isinstance(problem, MDP):
        remedies = {"tasks": ", such as library[0].pomdp", "pomdp": ", such as task.pomdp"}
        such = next((remedy for name, remedy in remedies.items() if hasattr(problem, name)), "")
        raise InputError(f"cannot solve a {type(problem).__name__}: expected an MDP or a POMDP{such}")
    whole("seed", seed, 0, None)
    _check_size(problem)
    kind = POMDP if isinstance(problem, POMDP) else MDP
    chosen: Any = solver
    if chosen is None:
        chosen = default_solver("union" if kind is POMDP else "mdp", len(problem.start), effort)
    check_solver(chosen)
    if chosen.solves is not kind:
        given = "a POMDP: give it problem.mdp"
        if kind is MDP:
            given = "an MDP: use ValueIteration, or add a sensor with POMDP(...)"
        raise InputError(f"{type(chosen).__name__} solves {chosen.solves.__name__}s, but this is {given}")
    try:
        solution: Solution[Any] = chosen.solve(problem, seed=seed, watch=watch)
    except MemoryError as cause:
        raise InputError(f"there is not enough memory to solve {problem!r}: {cause}; take fewer backups") from None
    return solution


def check_solver(given: Any) -> None:
    """Refuse what is no solver, and say how to make one."""
    if hasattr(given, "solve") and not isinstance(given, type):
        return
    kind = given if isinstance(given, type) else OURS.get(given, Perseus) if isinstance(given, str) else Perseus
    made = "walkon.Perseus(beliefs=500)" if kind is Perseus else f"walkon.{kind.__name__}()"
    name = given.__name__ if isinstance(given, type) else repr(given)
    raise InputError(f"{name:.60} is not a solver with its options: write, for example, {made}")


def _check_size(problem: MDP) -> None:
    """Refuse rewards whose values are too large for the single precision in which solvers choose among vectors."""
    reward, left = float(np.abs(problem.R).max()), 1 - problem.discount
    if left > 0 and reward > LARGEST * left:
        value = f"a reward of {reward:.3g} and a discount of {problem.discount:.9g} make values above {LARGEST:g}"
        raise InputError(f"{value}, the largest that can be solved: divide all rewards by a number")
