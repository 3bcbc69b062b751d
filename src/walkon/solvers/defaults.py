"""What solves a problem where nobody names a solver: one table, by the kind of problem and how much effort it is worth.

Budgets are counts, so that nothing depends on the clock. A task of 625 states takes about half a second with the usual
effort. A quarter of the walks in a task begin anywhere: while the task is unknown, an agent that mixes policies goes
where none of them alone would lead. A problem that is solved for its own sake, such as the union of all tasks, gets
more backups, and all walks begin at its start. Counts grow in proportion once a problem is larger than `STEADY`.
"""

from typing import Literal, TypeAlias, get_args

from walkon.errors import InputError
from walkon.solvers.ascent import Ascent
from walkon.solvers.perseus import Perseus
from walkon.solvers.value_iteration import ValueIteration

Effort: TypeAlias = Literal["quick", "usual", "thorough"]
Kind: TypeAlias = Literal["mdp", "pomdp", "union"]
"""An MDP; the POMDP of one of several tasks; a POMDP for its own sake."""

BACKUPS: dict[tuple[Kind, Effort], int] = {
    ("pomdp", "quick"): 1_000,
    ("pomdp", "usual"): 4_000,
    ("pomdp", "thorough"): 20_000,
    ("union", "quick"): 4_000,
    ("union", "usual"): 20_000,
    ("union", "thorough"): 100_000,
}
STEADY: dict[Kind, int] = {"pomdp": 2_000, "union": 20_000}  # states, more than the paper's worlds have
WIDE: dict[Kind, float] = {"pomdp": 0.25, "union": 0.0}


def default_solver(kind: Kind, states: int = 1, effort: Effort = "usual") -> ValueIteration | Ascent:
    """The solver for a problem of a kind and a number of states.

    >>> default_solver("pomdp", 625)
    Ascent(backups=4000, tolerance=0.0001, seconds=None, wide=0.25)
    """
    if effort not in get_args(Effort):
        raise InputError(f"effort is {effort!r}, expected one of {', '.join(get_args(Effort))}")
    if kind == "mdp":
        return ValueIteration()
    backups = BACKUPS[kind, effort] * max(STEADY[kind], states) // STEADY[kind]
    return Ascent(backups=backups, wide=WIDE[kind])


def default_perseus(effort: Effort) -> Perseus:
    """What solves a POMDP for an agent that is named after the solver."""
    return Perseus(beliefs=300, backups=2_000) if effort == "quick" else Perseus()
