"""Before the clock starts: seconds that somebody gives a solver are for the problem, not for compiling kernels."""

from functools import cache
from typing import Any

from walkon.models.pomdp import POMDP
from walkon.solvers.budget import Budget
from walkon.solvers.points.controller import make_controller
from walkon.solvers.points.lower_bound import LowerBound


@cache
def warm_up(solver: Any) -> None:
    """Let a solver that counts backups solve a tiny problem, once in a process. It has compiled its kernels then."""
    half, same = [[0.5, 0.5], [0.5, 0.5]], [[1.0, 0.0], [0.0, 1.0]]
    tiny = POMDP(P=[half, same], O=[half, same], R=[[0, 1], [1, 0]], discount=0.5)
    solver.solve(tiny)
    make_controller(LowerBound(tiny, Budget(None, None)), 1.0)  # seldom needed, and not for a tiny problem
